#!/bin/sh
# make demo: certifies one BERT-shaped and one GPT-2-shaped layer, randomly initialised, on the text beside this script,
# and a small one with the engine mpfr, the one that is proved furthest.
set -eu
folder=$(dirname "$0")
attcert=${BUILD:-build}/attcert

certify() {
  echo "\$ attcert certify $*"
  "$attcert" certify "$@"
  echo
}

certify --model random:bert:128,4,2 --seed 1 --layer 1 --text "$folder/demo.txt" --tokens 24
certify --model random:gpt2:128,4,2 --seed 1 --layer 1 --text "$folder/demo.txt" --tokens 24

certify --model random:bert:16,2,2 --seed 1 --layer 1 --text "$folder/demo.txt" --tokens 6 --engine mpfr --no-bounds
echo 'theorems   certify_stored_above and certify_ends_raise_along (src/certify/engine): ||J|| is at most the upper end,'
echo '           whatever layer is stored, and J stretches one vector by the lower end at least; they rest on'
echo '           integer_norm, jacobian_direction and layer_jacobian_is_derivative (proofs/coq)'
echo

cat <<'EOT'
What you see: for each layer, the largest factor by which a small change of the 24 tokens can grow on its way through
attention lies, proved, between the two ends of "enclosure", while "estimate" is what a power iteration would have told
you without a proof. The table sets the bounds of the theory beside it: the ratio says how many times larger than the
certified value each of them is on these inputs. The last certificate uses no floating-point matrix product at all: its
upper end is computed in integers, and proofs/README.md says what of that is proved.
EOT
