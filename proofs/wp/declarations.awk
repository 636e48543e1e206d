# Reads C as `frama-c -print` writes it and calls declaration(name, contract, body) of the program that it is read with
# (awk -f proofs/wp/declarations.awk -f PROGRAM) for every function that is declared or defined: contract is the
# /*@ ... */ right before it, or nothing; body whether it is a definition. One starts in column 0, and opens with a brace
# on a line of its own.
FNR == 1 { contract = header = ""; inside = 0 }
/^\/\*@/ { contract = ""; inside = 1 }
inside {
  contract = contract $0
  if (/\*\//) inside = 0
  next
}
/^[A-Za-z_].*\(/ { header = "" }
/^[A-Za-z_].*\(/ || header != "" { header = header $0 }
(/^\{/ || /;[ \t]*$/) && header != "" {
  name = header
  sub(/\(.*/, "", name)
  sub(/.*[ *]/, "", name)
  declaration(name, contract, /^\{/)
  header = contract = ""
}
