# Reads C as `frama-c -print` writes it and names every function with a contract and without a body: what a proof about
# this file takes for granted. Output: one name a line.
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
  if (/^\{/) defined[name]
  else if (contract ~ /(ensures|assigns|requires)/) declared[name]
  header = contract = ""
}
END { for (name in declared) if (!(name in defined)) print name }
