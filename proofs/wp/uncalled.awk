# With proofs/wp/declarations.awk, on one file or several: names every function that promises something (a contract with
# `ensures`) and that no other function here calls: an empty contract would be proved just as well. Functions named
# *_theorem are there to call the others. Output: one name a line.
function declaration(function_name, contract, body) {
  if (body && contract ~ /ensures/) promises[function_name]
  current = body ? function_name : ""
}
annotation {
  if (/\*\//) annotation = 0
  next
}
/^ *\/\*@/ {
  if (!/\*\//) annotation = 1
  next
}
/^\}/ { current = "" }
current != "" {
  code = $0
  while (match(code, /[A-Za-z_][A-Za-z_0-9]*\(/)) {
    callee = substr(code, RSTART, RLENGTH - 1)
    if (callee != current) called[callee]
    code = substr(code, RSTART + RLENGTH)
  }
}
END { for (f in promises) if (!(f in called) && f !~ /_theorem$/) print f }
