# Reads C as `frama-c -print` writes it and names every function with a body whose contract is incomplete: without
# assigns, or without ensures, unless it ends the life of its argument (NAME_clear, NAME_free). Missing preconditions
# need no look: with run-time errors proved absent, what is not required is not needed. Output: one line a fault, "NAME
# lacks ensures". A contract is the /*@ ... */ right before a definition, which starts in column 0 and opens with a
# brace on a line of its own.
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
  if (contract !~ /assigns/) print name " lacks assigns"
  if (contract !~ /ensures/ && name !~ /_(clear|free)$/) print name " lacks ensures"
  header = contract = ""
}
