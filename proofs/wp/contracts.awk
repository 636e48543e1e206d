# With proofs/wp/declarations.awk: names every function with a body whose contract is incomplete: without assigns, or
# without ensures, unless it ends the life of its argument (NAME_clear, NAME_free). Missing preconditions need no look:
# with run-time errors proved absent, what is not required is not needed. Output: one line a fault, "NAME lacks ensures".
function declaration(name, contract, body) {
  if (!body) return
  if (contract !~ /assigns/) print name " lacks assigns"
  if (contract !~ /ensures/ && name !~ /_(clear|free)$/) print name " lacks ensures"
}
