#!/bin/sh
# certify --mask FILE.npy and --bias: with Q = K = 0 a row is twice the mean of the tokens that it attends to, and the
# constant is twice the norm of the rows' weights, which is known; a mask that says causal; what is refused, by whom.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
export OPENBLAS_NUM_THREADS=1
layer 0 0 0 0 0 0 0 0 2 0 0 2 >"$tmp/mean"
layer 1 0 0 1 0.5 0 0 2 1 2 0.5 1 >"$tmp/scores"
npy '3, 2' 1 0 0 1 0.5 2 >"$tmp/x.npy"
npy '3, 8' 0 1 1 0.5 2 -1 0.5 2 -1 1 0.5 2 1 -1 2 0 -1 1 2 0.5 0.5 1 1 -1 >"$tmp/hidden.npy"
certify="certify --weights $tmp/mean --input $tmp/x.npy"
model='certify --model random:bert:8,2,2'

# booleans SHAPE DIGITS: an .npy file of booleans on standard output.
booleans() {
  printf '\223NUMPY\001\000\166\000'
  printf '%-117s\n' "{'descr': '|b1', 'fortran_order': False, 'shape': ($1), }"
  for digit in $2; do
    # shellcheck disable=SC2059 # octal
    printf "\\00$digit"
  done
}

# The ends of the last report hold that number.
around() {
  jq -e ".lipschitz | .lower <= $1 * (1 + 1e-9) and $1 <= .upper * (1 + 1e-9) and .upper <= .lower * (1 + 1e-6)" "$tmp/out" \
    >"$tmp/held"
}

booleans '3,' '1 0 0' >"$tmp/one.npy"
booleans '3,' '1 1 0' >"$tmp/pad.npy"
booleans '3, 3' '1 0 0 0 1 0 0 0 1' >"$tmp/own.npy"
booleans '3, 3' '1 0 0 1 1 0 1 1 1' >"$tmp/causal.npy"
booleans '2, 3, 3' '1 0 0 1 1 0 1 1 1 1 1 1 1 1 1 1 1 1' >"$tmp/heads.npy"
booleans '3, 3' '1 0 0 0 0 0 0 0 1' >"$tmp/none.npy"
booleans '2, 2' '1 1 1 1' >"$tmp/short.npy"
npy '3, 3' 0 0 0 0 0 0 0 0 0 >"$tmp/zero.npy"
npy '1, 3, 3' 0 1 0 0 1 0 0 1 0 >"$tmp/bias.npy"
npy '3, 3' 0 0 0 0 0 nan 0 0 0 >"$tmp/nan.npy"
npy '3,' 0 0 0 >"$tmp/row.npy"

# shellcheck disable=SC2086 # several words
{
  exits 0 $certify --mask "$tmp/one.npy" --format json
  ok 'one key for all: 2 sqrt(3)' around 3.4641016151377544
  json '.layer.pairs == "a mask of all heads, True where a key takes part" and .layer.mask == "none" and .layer.bias_file == null'
  json '[.inputs[] | .role] == ["weights", "mask", "input"] or [.inputs[] | .role] == ["weights", "input", "mask"]'
  json '(.layer | has("function") | not) and .engine == "dense"'
  json '[.bounds[] | select(.upper != null) | .id] | contains(["T1", "T4", "T6", "T7", "T9"])'
  json '[.bounds[] | select(.id == "T2" or .id == "T5") | .upper] == [null, null]'
  exits 0 $certify --mask "$tmp/pad.npy" --format json
  ok 'two keys for all: 2 sqrt(3 / 2)' around 2.449489742783178
  exits 0 $certify --mask "$tmp/own.npy" --format json
  ok 'its own key for each: 2' around 2
  exits 0 $certify --bias "$tmp/bias.npy" --format json # e^0, e^1, e^0 over their sum
  ok 'a bias of the second key' around 2.249664275226674
  json '.layer.pairs == "biases of all heads, added to scores" and .layer.mask_file == null'
  exits 0 $certify --mask "$tmp/own.npy" --bias "$tmp/bias.npy" --engine mpfr --format json
  ok 'its own key for each, whatever is added' around 2
  exits 0 $certify --mask "$tmp/own.npy" --bias "$tmp/bias.npy"
  prints 'pairs      a mask of all heads, True where a key takes part; biases of all heads, added to scores'
  prints "$(sha256sum "$tmp/own.npy" | cut -d ' ' -f 1)"
  prints "$(sha256sum "$tmp/bias.npy" | cut -d ' ' -f 1)"

  # one that says causal is causal, also with a model and its own mask
  exits 0 certify --weights "$tmp/scores" --input "$tmp/x.npy" --mask causal --bias "$tmp/zero.npy" --format json
  causal=$(jq -c .lipschitz "$tmp/out")
  exits 0 certify --weights "$tmp/scores" --input "$tmp/x.npy" --mask "$tmp/causal.npy" --format json
  ok 'a mask that says causal' test "$(jq -c .lipschitz "$tmp/out")" = "$causal"
  exits 0 certify --weights "$tmp/scores" --input "$tmp/x.npy" --mask causal --format json
  ok 'within what the layer itself has' sh -c "jq -e --argjson c '$causal' '.lipschitz | .lower <= \$c.upper and \$c.lower <= .upper' $tmp/out"
  exits 0 certify --model random:gpt2:8,2,2 --layer 0 --hidden "$tmp/hidden.npy" --function block --bias "$tmp/zero.npy" --format json
  causal=$(jq -c .lipschitz "$tmp/out")
  exits 0 certify --model random:gpt2:8,2,2 --layer 0 --hidden "$tmp/hidden.npy" --function block --mask "$tmp/causal.npy" --format json
  ok 'both masks have to agree' test "$(jq -c .lipschitz "$tmp/out")" = "$causal"
  exits 0 $model --layer 1 --input "$tmp/hidden.npy" --mask "$tmp/heads.npy" --engine random --seed-of-bits 1 --format json
  json '.layer.pairs == "a mask of each head, True where a key takes part" and .engine == "random"'
  exits 0 $model --layer 1 --hidden "$tmp/hidden.npy" --function network --mask "$tmp/pad.npy" --format json

  # an estimate of the masked layer, and the vector that it came from: of the first token, by which all outputs move
  npy '3, 2' 1 0 0 0 0 0 >"$tmp/u.npy"
  npy '3, 2' 0 0 1 0 0 0 >"$tmp/v.npy"
  check=$(echo "$certify" | sed 's/^certify/check/')
  exits 0 $check --mask "$tmp/one.npy" --estimate 3.4641016151377544 --slack 1e-9 --vector "$tmp/u.npy" --format json
  json '.check.consistent and (.check.vector | .lower < 3.4641016152 and .upper > 3.4641016151 and .upper - .lower < 1e-12)'
  exits 0 $check --mask "$tmp/one.npy" --estimate 3.4641016151377544 --slack 1e-9 --vector "$tmp/v.npy" --format json
  json '.check.vector | .lower == 0 and .upper < 1e-12'
  exits 1 $check --mask "$tmp/one.npy" --estimate 2 --format json
  json '.check.verdict == "below" and .check.within_rounding_of == null'
  exits 0 $check --bias "$tmp/bias.npy" --estimate 2.249664275226674 --slack 1e-9
  exits 1 check --model random:bert:8,2,2 --layer 0 --hidden "$tmp/hidden.npy" --function block --mask "$tmp/pad.npy" --estimate 1e6
  prints 'verdict    refuted'
  rejects 'dtype: no rounding is known of a function made of steps' $check --mask "$tmp/one.npy" --estimate 2 --dtype float32

  # what is refused
  rejects 'mask: token 1 attends to no key, whose softmax is 0 / 0' $certify --mask "$tmp/none.npy"
  rejects 'short.npy: its shape is (2, 2), expected (n) of keys, (3, 3) or (heads, 3, 3)' $certify --mask "$tmp/short.npy"
  rejects 'row.npy: its shape is (3), expected (3, 3) or (heads, 3, 3)' $certify --bias "$tmp/row.npy"
  rejects 'mask: of 2 heads, expected one for all or one for each of 1' $certify --mask "$tmp/heads.npy"
  rejects 'bias: entry (0, 1, 2) of head, query and key is nan' $certify --bias "$tmp/nan.npy"
  rejects 'zero.npy: expected booleans, True where a key takes part; what is added to scores is --bias' \
    $certify --mask "$tmp/zero.npy"
  rejects 'own.npy: expected numbers that are added to scores; booleans are --mask' $certify --bias "$tmp/own.npy"
  rejects 'missing.npy: cannot read' $certify --mask "$tmp/missing.npy"
  rejects "--mask: expected none|causal|M.npy, got 'causall'" $certify --mask causall
  rejects '--radius: expected no --mask FILE.npy and no --bias with it' $certify --mask "$tmp/own.npy" --radius 0.1
  rejects '--mask none|causal of a model: expected no --mask FILE.npy and no --bias' \
    $model --layer 0 --hidden "$tmp/hidden.npy" --mask causal --bias "$tmp/zero.npy"
  rejects '--heads: expected all' $certify --mask "$tmp/own.npy" --heads 0
  rejects 'engine: deflated is for the attention of attcert_layer alone' $certify --mask "$tmp/own.npy" --engine deflated
  rejects '--mask: the blocks before layer 1 would run without it' \
    $model --layer 1 --hidden "$tmp/hidden.npy" --mask "$tmp/pad.npy"
  for command in bounds worst; do
    rejects "--mask: expected none|causal, got '$tmp/own.npy'" $command --weights "$tmp/mean" --mask "$tmp/own.npy"
    rejects "does not take the option '--bias'" $command --weights "$tmp/mean" --bias "$tmp/zero.npy"
  done

  # whole networks: with the last token masked everywhere, answer and radius are those of the two tokens before it
  npy '2, 8' 0 1 1 0.5 2 -1 0.5 2 -1 1 0.5 2 1 -1 2 0 >"$tmp/two.npy"
  network='--model random:bert:8,2,2 --seed 3'
  exits 0 gradient $network --hidden "$tmp/two.npy" --words 1 --format json
  two=$(jq -c '[.margin, .gradient_norm]' "$tmp/out")
  exits 0 gradient $network --hidden "$tmp/hidden.npy" --mask "$tmp/pad.npy" --words 1 --format json
  json '.network.pairs == "a mask of all heads, True where a key takes part" and ([.inputs[] | .role] | contains(["mask"]))'
  ok 'the margin and its gradient' sh -c "jq -e --argjson t '$two' '
    [[.margin, .gradient_norm], \$t] | .[0][0][0] <= .[1][0][1] and .[1][0][0] <= .[0][0][1] and
    .[0][1][0] <= .[1][1][1] * (1 + 1e-9) and .[1][1][0] <= .[0][1][1] * (1 + 1e-9)' $tmp/out"
  exits 0 robust $network --hidden "$tmp/two.npy" --words 1 --search --attack 0 --format json
  radius=$(jq .radius_certified "$tmp/out")
  exits 0 robust $network --hidden "$tmp/hidden.npy" --mask "$tmp/pad.npy" --words 1 --search --attack 0 --format json
  ok "the radius $radius" jq -e ".radius_certified > 0.97 * $radius and .radius_certified < 1.03 * $radius" "$tmp/out"
  exits 0 robust $network --hidden "$tmp/hidden.npy" --mask "$tmp/pad.npy" --words 2 --search --attack 0 --format json
  ok 'a masked token changes nothing' jq -e ".radius_certified > 1e3 * $radius" "$tmp/out"
  exits 0 robust $network --hidden "$tmp/hidden.npy" --mask "$tmp/pad.npy" --bias "$tmp/bias.npy" --words 1 --radius 1e-3 \
    --execution float32
  prints 'pairs      a mask of all heads, True where a key takes part; biases of all heads, added to scores'
  exits 0 predict $network --hidden "$tmp/two.npy" --format json
  two=$(jq -c '[.. | .score? // empty | .[0]?]' "$tmp/out")
  exits 0 predict $network --hidden "$tmp/hidden.npy" --mask "$tmp/pad.npy" --format json
  ok 'the scores' sh -c "jq -e --argjson t '$two' '[.. | .score? // empty | .[0]?] as \$s | (\$s | length) > 1 and
    ([\$s, \$t] | transpose | all((.[0] - .[1] | fabs) < 1e-12))' $tmp/out"
  exits 0 robust $network --hidden "$tmp/hidden.npy" --mask "$tmp/heads.npy" --radius 1e-6
  exits 0 predict $network --hidden "$tmp/hidden.npy" --mask "$tmp/heads.npy"
  rejects 'mask: token 1 attends to no key' robust $network --hidden "$tmp/hidden.npy" --mask "$tmp/none.npy" --radius 1e-3
  rejects 'zero.npy: expected booleans' predict $network --hidden "$tmp/hidden.npy" --mask "$tmp/zero.npy"
}
finish
