# Reads C as `frama-c -print` writes it, one file or several, and names every function that promises something (a
# contract with `ensures`) and that no other function here calls: an empty contract would be proved just as well.
# Functions named *_theorem are there to call the others. Output: one name a line.
FNR == 1 { contract = header = name = ""; inside = 0 }
/^\/\*@/ { contract = ""; inside = 1 }
inside && /^[ \t]*[^ ]/ && name == "" { contract = contract $0 }
inside {
  if (/\*\//) inside = 0
  next
}
/^ *\/\*@/ {
  if (!/\*\//) inside = 1
  next
}
/^[A-Za-z_].*\(/ { header = "" }
/^[A-Za-z_].*\(/ || header != "" { header = header $0 }
(/^\{/ || /;[ \t]*$/) && header != "" {
  name = header
  sub(/\(.*/, "", name)
  sub(/.*[ *]/, "", name)
  if (/^\{/ && contract ~ /ensures/) promises[name]
  if (!/^\{/) name = ""
  header = contract = ""
  next
}
/^\}/ { name = "" }
name != "" {
  code = $0
  while (match(code, /[A-Za-z_][A-Za-z_0-9]*\(/)) {
    callee = substr(code, RSTART, RLENGTH - 1)
    if (callee != name) called[callee]
    code = substr(code, RSTART + RLENGTH)
  }
}
END { for (f in promises) if (!(f in called) && f !~ /_theorem$/) print f }
