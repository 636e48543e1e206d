# With proofs/wp/declarations.awk: names every function with a contract and without a body, what a proof about the file
# that is read takes for granted. Output: one name a line.
function declaration(name, contract, body) {
  if (body) defined[name]
  else if (contract ~ /(ensures|assigns|requires)/) declared[name]
}
END { for (name in declared) if (!(name in defined)) print name }
