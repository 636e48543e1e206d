# Checks one CSV file of certified numbers: no row may contradict itself or the theory.
#   usage: awk -f bounds/check.awk FILE.csv
# Lines that begin with # are comments; the first other line names the columns. Which columns there are says what is
# checked:
#   lower <= upper
#   estimate, published, finer <= upper (1 + 1e-9)      the rounding of Lanczos and of the power iteration in double
#   lower <= T for T1, T2, T4, T5, T6, T7, T9 the theory's upper bounds, where a row has them
#   upper <= T (1 + 1e-9)                     in the rows whose ends agree to 1e-6; the others have a cheap upper end,
#                                             which says nothing about T
#   T3, T10 <= T1, T2, T4, T5, T9             with a column R: all are about the one ball of radius R around 0
#   T3 <= upper (1 + 1e-9)                    in the rows whose column input says t3: the certificate is at the input
#                                             made for T3
#   certified <= refuted                      radii of a robustness verdict, where an input was found that flips
# One line says what held. A violation is named with its line, and the exit status is 1. A file without the columns
# lower and upper has nothing to check, and the line says so.
BEGIN {
  FS = ","
  slack = 1 + 1e-9
  own_count = split("lower upper estimate published finer", own, " ")
  estimate_count = split("estimate published finer", estimate, " ")
  upper_count = split("T1 T2 T4 T5 T6 T7 T9", upper_bound, " ")
  ball_count = split("T1 T2 T4 T5 T9", ball_bound, " ")
  floor_count = split("T3 T10", floor, " ")
}

function number(text) { return text == "inf" ? 1e308 * 10 : text + 0 }
function has(name) { return name in column && $column[name] != "" }
function value(name) { return number($column[name]) }
function numeric(text) { return text == "inf" || text ~ /^-?[0-9]+(\.[0-9]*)?(e[-+]?[0-9]+)?$/ }

function violation(what) {
  printf "%s, line %d (%s): %s\n", file, FNR, place(), what
  violations++
}
function place(    text, i) {
  for (i = 1; i <= 3 && i <= columns; i++) text = text (i > 1 ? ", " : "") name[i] " = " $i
  return text
}
function at_most(a, b, factor) {
  checked[a " " b] = 1
  if (value(a) > value(b) * factor) violation(a " " $column[a] " exceeds " b ", which is " $column[b])
}
function readable(names, count,    i) {
  for (i = 1; i <= count; i++)
    if (has(names[i]) && !numeric($column[names[i]])) violation(names[i] " is '" $column[names[i]] "', expected a number")
}

FNR == 1 { file = FILENAME; sub(/.*\//, "", file) }
/^#/ { next }
!columns {
  columns = NF
  for (i = 1; i <= NF; i++) { column[$i] = i; name[i] = $i }
  certified = "lower" in column && "upper" in column
  next
}
{
  rows++
  if (NF != columns) { violation(NF " fields, expected " columns); next }
  if (has("certified") && has("refuted")) at_most("certified", "refuted", 1)
  if (!certified) next
  readable(own, own_count); readable(upper_bound, upper_count); readable(floor, floor_count)
  if (!has("lower") || !has("upper")) { violation("no lower or no upper end, expected both"); next }
  at_most("lower", "upper", 1)
  for (i = 1; i <= estimate_count; i++) if (has(estimate[i])) at_most(estimate[i], "upper", slack)
  tight = value("upper") <= value("lower") * (1 + 1e-6)
  tight_rows += tight
  for (i = 1; i <= upper_count; i++) {
    if (!has(upper_bound[i])) continue
    at_most("lower", upper_bound[i], 1)
    if (tight) at_most("upper", upper_bound[i], slack)
  }
  if (has("input") && $column["input"] == "t3" && has("T3")) at_most("T3", "upper", slack)
  if (!has("R")) next
  for (i = 1; i <= floor_count; i++)
    for (j = 1; j <= ball_count; j++)
      if (has(floor[i]) && has(ball_bound[j])) at_most(floor[i], ball_bound[j], 1)
}

# " T1, T2 ..." that a was compared with.
function compared(a,    text, i) {
  for (i = 1; i <= upper_count; i++) if ((a " " upper_bound[i]) in checked) text = text (text ? " " : "") upper_bound[i]
  return text
}
END {
  if (!rows) { printf "%s: no rows\n", file; exit 1 }
  text = sprintf("%s: %d rows", file, rows)
  radii = ("certified refuted") in checked
  if (radii) text = text ", certified <= refuted"
  if (!certified) {
    print text (violations ? ": " violations " violations" : radii ? ": holds" : ", no certified columns")
    exit violations > 0
  }
  text = text ", lower <= upper"
  for (i = 1; i <= estimate_count; i++) if ((estimate[i] " upper") in checked) text = text ", " estimate[i] " <= upper"
  if (compared("lower")) text = text ", lower <= " compared("lower")
  if (compared("upper")) text = text ", upper <= " compared("upper") " in the " tight_rows " tight rows"
  for (i = 1; i <= floor_count; i++) if (compared(floor[i])) text = text ", " floor[i] " <= " compared(floor[i])
  if ("T3 upper" in checked) text = text ", T3 <= upper at its input"
  print text ": " (violations ? violations " violations" : "holds")
  exit violations > 0
}
