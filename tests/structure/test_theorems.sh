#!/bin/sh
# The theorems that comments of src/ cite exist (tests/structure/theorems), and every error bound that rests on the
# roundings of doubles cites one; planted names are noticed.
. tests/cli/harness.sh
theorems=proofs/coq/theorems.txt

# found STATUS TEXT: what is said of a file with this text.
found() {
  printf '%s\n' "$2" >"$tmp/planted.h"
  awk -f tests/structure/theorems "$theorems" "$tmp/planted.h" >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok "exit status $1 with '$2'" test "$status" -eq "$1"
}
found 0 '/* So many roundings (Coq: `inner_product`); `anything` else. */'
found 0 '/* Proved in Coq (proofs/coq): `deflation`, `gamma_sum`. Not that: `anything`. */'
found 1 '/* (Coq: `inner_product`, `no_such_theorem`) */'
prints 'planted.h no_such_theorem'
found 1 '/* (Coq:
 * `no_such_theorem`) */'

git ls-files -- src | grep '[.][ch]$' >"$tmp/files"
# shellcheck disable=SC2046 # a path has no blanks here
awk -f tests/structure/theorems "$theorems" $(cat "$tmp/files") >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'every theorem that is cited exists' test "$status" -eq 0

# shellcheck disable=SC2046
grep -l '(Coq:' $(cat "$tmp/files") >"$tmp/out"
for file in linalg/rounding/rounding linalg/norm/symmetric_norm linalg/eigenvalue/largest_eigenvalue linalg/exact/integer_cholesky linalg/eigenvalue/deflation \
  linalg/operator/nonnegative_norm certify/jacobian/block_gram certify/jacobian/jacobian_errors; do
  ok "$file.h says which theorem it rests on" grep -qx "src/$file.h" "$tmp/out"
done
finish
