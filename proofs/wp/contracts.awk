# Reads C as `frama-c -print` writes it and names every function with a body whose contract is incomplete: without assigns or
# ensures, or without requires although it takes a pointer. Output: one line a fault, "NAME lacks ensures".
# A contract is the /*@ ... */ right before a definition, which starts in column 0 and opens with a brace on a line of its own.
/^\/\*@/ { contract = ""; inside = 1 }
inside {
  contract = contract $0
  if (/\*\//) inside = 0
  next
}
/^[A-Za-z_].*\(/ { header = "" }
/^[A-Za-z_].*\(/ || header != "" { header = header $0 }
/;[ \t]*$/ && !/^ *\{/ && header != "" && header !~ /\{/ { header = contract = "" }
/^\{/ && header != "" {
  name = header
  sub(/\(.*/, "", name)
  sub(/.*[ *]/, "", name)
  parameters = header
  sub(/[^(]*/, "", parameters)
  if (contract !~ /assigns/) print name " lacks assigns"
  if (contract !~ /ensures/) print name " lacks ensures"
  if (contract !~ /requires/ && parameters ~ /\*/) print name " lacks requires"
  header = contract = ""
}
