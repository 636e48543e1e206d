#!/bin/sh
# certify and check --context: with Q = K = 0 each token asks for twice the mean of the context, whose derivative is
# known; by what it is; masks of other keys; what is refused, by whom. tests/python/test_cross.py has random layers.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
export OPENBLAS_NUM_THREADS=1
layer 0 0 0 0 0 0 0 0 2 0 0 2 >"$tmp/mean"
layer 1 0 0 1 0.5 0 0 2 1 2 0.5 1 >"$tmp/scores"
npy '3, 2' 1 0 0 1 0.5 2 >"$tmp/x.npy"
npy '2, 2' 1 0 0.5 2 >"$tmp/z.npy"
npy '1, 2' 1 0.5 >"$tmp/one.npy"
npy '2, 3' 1 0 0.5 2 1 1 >"$tmp/wide.npy"
npy '2, 2' 1 0 0.5 nan >"$tmp/nan.npy"
npy '3, 2' 0 1 1 0 0 0 >"$tmp/bias.npy"
npy '3, 3' 0 1 1 0 0 0 0 0 0 >"$tmp/square.npy"
npy '3, 2' 1 0 1 0 1 0 >"$tmp/u.npy"
printf '\223NUMPY\001\000\166\000%-117s\n\001\000' "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }" >"$tmp/first.npy"
certify="certify --weights $tmp/mean --input $tmp/x.npy --context $tmp/z.npy"
scores="--weights $tmp/scores --input $tmp/x.npy --context $tmp/z.npy"

# The ends of the last report hold that number.
around() {
  jq -e ".lipschitz | .lower <= $1 * (1 + 1e-9) and $1 <= .upper * (1 + 1e-9) and .upper <= .lower * (1 + 1e-6) + 1e-12" "$tmp/out" \
    >"$tmp/held"
}

# shellcheck disable=SC2086 # several words
{
  exits 0 $certify --by context --format json
  ok 'three times a mean of two: 2 sqrt(3 / 2)' around 2.449489742783178
  json '.layer.context == {"m": 2, "d": 2, "by": "context", "input": "'"$tmp/z.npy"'"} and .layer.n == 3'
  json '[.inputs[] | .role] == ["weights", "input", "context"] and .engine == "dense" and .bounds == []'
  json '.bounds_missing | test("self-attention")'
  for options in '' '--by queries'; do
    exits 0 $certify $options --format json
    ok 'the mean does not depend on who asks' around 0
    json '.layer.context.by == "queries"'
  done
  for engine in dense mpfr; do
    exits 0 $certify --by both --engine $engine --format json
    ok 'both as the context alone' around 2.449489742783178
  done
  exits 0 $certify --by context --mask "$tmp/first.npy" --format json
  ok 'one key of two: 2 sqrt(3)' around 3.4641016151377544
  json '.layer.pairs == "a mask of all heads, True where a key takes part"'
  exits 0 certify --weights "$tmp/scores" --input "$tmp/x.npy" --context "$tmp/one.npy" --by queries --format json
  ok 'one key: its weight is 1' around 0
  exits 0 certify $scores --by both --bias "$tmp/bias.npy" --vector-out "$tmp/v.npy" --save-input "$tmp/both.npy"
  prints 'context    m = 2 tokens, d = 2'
  prints 'by         both: the derivative is by the tokens X that ask and the context Z, side by side'
  prints '<= ||[D_X f, D_Z f]||_2 <='
  prints 'no theory bounds: the bounds are of self-attention'
  estimate=$(sed -n 's/^estimate *\([^ ]*\) .*/\1/p' "$tmp/out")
  exits 0 info "$tmp/both.npy"
  prints 'rows       5'

  # an estimate, and the vector that it came from
  exits 0 check $scores --by both --bias "$tmp/bias.npy" --estimate "$estimate" --slack 1e-9 --vector "$tmp/v.npy" --format json
  json '.check | .consistent and .vector.lower <= .vector.upper and .vector.upper < .vector.lower * (1 + 1e-6)'
  json '.lipschitz.lower <= .check.vector.upper and .check.vector.lower <= .lipschitz.upper'
  exits 1 check $scores --by both --estimate 1e3 --format json
  json '.check.verdict == "above" and .check.within_rounding_of == null'
  exits 0 check --weights "$tmp/mean" --input "$tmp/x.npy" --context "$tmp/z.npy" --estimate 0

  # what is refused
  rejects '--by: expected --context with it' certify --weights "$tmp/mean" --input "$tmp/x.npy" --by both
  rejects "--by: expected queries|context|both, got 'keys'" $certify --by keys
  rejects 'context: tokens of dimension 3, but key.weight and value.weight expect 2' \
    certify --weights "$tmp/mean" --input "$tmp/x.npy" --context "$tmp/wide.npy"
  rejects 'nan.npy' certify --weights "$tmp/mean" --input "$tmp/x.npy" --context "$tmp/nan.npy"
  rejects 'missing.npy: cannot read' certify --weights "$tmp/mean" --input "$tmp/x.npy" --context "$tmp/missing.npy"
  rejects 'square.npy: its shape is (3, 3), expected (3, 2) or (heads, 3, 2)' $certify --bias "$tmp/square.npy"
  rejects '--mask: expected none or M.npy with --context' $certify --mask causal
  rejects '--context and --radius contradict each other' $certify --radius 0.1
  rejects '--context and --heads contradict each other' $certify --heads 0
  rejects 'engine: deflated is for the attention of attcert_layer alone' $certify --engine deflated
  rejects 'dtype: no rounding is known of a function made of steps' check $scores --estimate 1 --dtype float32
  rejects 'u.npy: a 3 x 2 vector, expected the input'"'"'s shape 5 x 2' check $scores --by both --estimate 1 --vector "$tmp/u.npy"
  rejects 'random:bert:8,2,2: of a bert no attention to a context is evaluated' \
    certify --model random:bert:8,2,2 --layer 0 --input "$tmp/x.npy" --context "$tmp/z.npy"
  for command in bounds worst; do
    rejects "does not take the option '--context'" $command --weights "$tmp/mean" --context "$tmp/z.npy"
  done
}
finish
