# Reads C with the assertions about run-time errors, as `frama-c -print` writes it after WP, and names every function
# that rounds: proofs read a double as a real number, so that (a + 1.0) - 1.0 would be "proved" to be a.
#   usage: awk -v exact=NAMES -f proofs/wp/roundings.awk FILE     Output: one line a fault, "NAME rounds: WHAT"
# A function rounds where it adds, subtracts, multiplies or divides doubles (an assertion is_nan_or_infinite of such a
# term), makes a double of an integer other than a literal, or a float, and where it calls one of NAMES, separated by
# blanks, that has no body here: functions whose contracts say the exact value although they round. What is left is
# exact: copies, comparisons, the opposite number.
function fault(what) {
  if (!((name, what) in told)) print name " rounds: " what
  told[name, what]
}
BEGIN {
  count = split(exact, names, " ")
  for (i = 1; i <= count; i++) rounds[names[i]]
}
# Annotations, on one line or several, are taken out of the code.
{
  code = ""
  rest = $0
  while (rest != "") {
    if (inside) {
      end = index(rest, "*/")
      annotation = annotation " " (end ? substr(rest, 1, end - 1) : rest)
      rest = end ? substr(rest, end + 2) : ""
      if (!end) continue
      inside = 0
      if (annotation ~ /is_nan_or_infinite/ && annotation ~ /\\(add|sub|mul|div)_(double|float)|\(float\)/) fault("an operation of doubles")
    } else {
      begin = index(rest, "/*@")
      code = code (begin ? substr(rest, 1, begin - 1) : rest)
      rest = begin ? substr(rest, begin + 3) : ""
      if (begin) inside = 1
      if (begin) annotation = ""
    }
  }
  sub(/\/\/@.*/, "", code)
}
code ~ /^[A-Za-z_].*\(/ { header = code }
code ~ /^\{/ && header != "" {
  name = header
  sub(/\(.*/, "", name)
  sub(/.*[ *]/, "", name)
  defined[name]
  header = ""
}
code ~ /^ / {
  if (code ~ /\((double|float)\)[^0-9]/) fault("a conversion to double")
  while (match(code, /[A-Za-z_][A-Za-z_0-9]*\(/)) {
    callee = substr(code, RSTART, RLENGTH - 1)
    if (callee in rounds) called[name, callee]
    code = substr(code, RSTART + RLENGTH)
  }
}
END {
  for (pair in called) {
    split(pair, part, SUBSEP)
    name = part[1]
    if (!(part[2] in defined)) fault("a call of " part[2])
  }
}
