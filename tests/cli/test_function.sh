#!/bin/sh
# certify --function: which function of a model, in text and JSON; what goes with it and what does not. A trained LLaMA
# ($ATTCERT_DATA), whose attention is certified step by step, and all of its blocks together.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
export OPENBLAS_NUM_THREADS=1
npy '3, 8' 0 1 1 0.5 2 -1 0.5 2 -1 1 0.5 2 1 -1 2 0 -1 1 2 0.5 0.5 1 1 -1 >"$tmp/x.npy"
small='--model random:gpt2:8,2,2 --layer 1'

# The ends of the last report.
ends() {
  jq -r '.lipschitz | "\(.lower) \(.upper)"' "$tmp/out"
}

# shellcheck disable=SC2086 # several words
{
  # every function has the sides of the model; the attention of plain heads is the layer itself
  for function in sublayer block network; do
    exits 0 certify $small --function $function --hidden "$tmp/x.npy" --format json
    json ".layer.function == \"$function\" and .layer.n == 3 and .layer.d == 8 and .layer.key_heads == 2"
    json '.engine == "dense" and .lipschitz.relative_width < 1e-9 and .bounds == []'
    json '.bounds_missing == "the bounds are of an attention with its output projection alone"'
  done
  exits 0 certify $small --hidden "$tmp/x.npy" --format json
  json '(.layer | has("function") | not) and (.bounds | length) > 0'
  exits 0 certify $small --function network --hidden "$tmp/x.npy"
  prints 'function   network: all blocks up to this one, from the hidden states that enter layer 0'
  prints 'attention  mask causal, scores divided by sqrt(k)'
  exits 0 certify --model random:gemma2:8,2,1,2 --layer 1 --hidden "$tmp/x.npy" --engine dense --format json
  json '.layer.attention == "mask causal, scores divided by sqrt(4), capped at 50, 1 heads of keys, rotary positions by exact angles"'

  # the first block alone is the network up to it
  first='--model random:gpt2:8,2,2 --layer 0'
  exits 0 certify $first --function block --input "$tmp/x.npy" --format json
  block=$(ends)
  exits 0 certify $first --function network --input "$tmp/x.npy" --format json
  ok 'a network of one block is that block' test "$(ends)" = "$block"

  # all blocks from one on, and the scores of the head that the folder has, or that is asked for
  exits 0 certify $small --function logits --hidden "$tmp/x.npy" --format json
  json '.layer.function == "logits" and .layer.out_dim == 50257 and (.layer.scores | startswith("next token"))'
  exits 0 certify $small --function logits --hidden "$tmp/x.npy"
  prints "function   logits: all blocks from this one on, and the head's scores"
  prints 'scores     next token, last token: ln_f, wte'
  rejects '--token: expected --function logits with it' certify $small --function block --token 1 --hidden "$tmp/x.npy"
  rejects '--architecture: expected --function logits with it' \
    certify $small --architecture GPT2LMHeadModel --hidden "$tmp/x.npy"
  rejects "is a random model, expected a folder with it" certify $small --function logits --architecture GPT2Model --hidden "$tmp/x.npy"

  # random starts say with which probability they hold
  exits 0 certify $small --function block --hidden "$tmp/x.npy" --engine random --seed-of-bits 1 --format json
  json '.engine == "random" and .probability.failure_log2 == -100 and .lipschitz.relative_width < 0.02'
  # the engine in intervals has a narrower enclosure, in that of the engine in double
  exits 0 certify $small --function network --hidden "$tmp/x.npy" --engine mpfr --format json
  json '.engine == "mpfr" and .lipschitz.relative_width < 1e-12'
  narrow=$(ends)
  exits 0 certify $small --function network --hidden "$tmp/x.npy" --engine dense --format json
  ok 'mpfr is within dense' awk "BEGIN { split(\"$narrow $(ends)\", e); exit !(e[3] <= e[1] && e[2] <= e[4]) }"
  exits 1 certify $small --function block --hidden "$tmp/x.npy" --tolerance 1e-15
  prints 'NOT met'

  # what is not for functions made of steps
  rejects 'engine: deflated is for the attention of attcert_layer alone, expected auto, mpfr, dense or random' \
    certify $small --function block --hidden "$tmp/x.npy" --engine deflated
  rejects '--radius: expected --function attention' certify $small --function block --hidden "$tmp/x.npy" --radius 1
  rejects '--mask: expected --function attention' certify $small --function block --hidden "$tmp/x.npy" --mask none
  rejects '--heads: expected all' certify $small --function block --hidden "$tmp/x.npy" --heads 1
  rejects "--function: expected attention|sublayer|block|network|logits, got 'layer'" \
    certify $small --function layer --hidden "$tmp/x.npy"
  rejects 'scratch: expected none' \
    certify $small --function block --hidden "$tmp/x.npy" --engine dense --scratch "$tmp"
  npy '2, 2' 1 2 0 1 >"$tmp/narrow.npy"
  rejects 'input: 2 x 2, expected 2 x 8' certify $small --function block --input "$tmp/narrow.npy"
}

data=${ATTCERT_DATA:-}/models/stories260k
if [ -d "$data" ]; then
  tokens='--token-ids 1,403,407,261,378,432,383'
  # shellcheck disable=SC2086 # several words
  {
    exits 0 certify --model "$data" --layer 2 $tokens --format json
    json '.layer == {n: 7, d: 64, heads: 8, head_dim: 8, out_dim: 64, mask: "causal", head: null, key_heads: 4,
      function: "attention", attention: "mask causal, scores divided by sqrt(k), 4 heads of keys, rotary positions by exact angles"} and .lipschitz.relative_width < 1e-9'
    exits 0 certify --model "$data" --layer 4 --function network $tokens --format json
    json '.lipschitz.relative_width < 1e-4'
    exits 0 certify --model "$data" --layer 0 --function logits $tokens --format json
    json '.lipschitz.relative_width < 1e-2 and .layer.out_dim == 512'
    exits 0 info "$data"
    prints '  4  mask causal, scores divided by sqrt(k), 4 heads of keys, rotary positions by exact angles  can be certified, step by step'
    # the theory's bounds of heads that turn: those that hold are above the certified end, the others say why not
    exits 0 certify --model "$data" --layer 2 $tokens --format json
    json '.lipschitz.upper as $u | [.bounds[] | select(.available)] | map(.id) == ["T1", "T4", "T5", "T6", "T7", "T9"] and all(.upper > $u)'
    exits 0 bounds --model "$data" --layer 2 $tokens --radius-of-inputs 12
    prints 'not available              lower bound on the ball [Castin et al.]: its inputs are for plain heads'
    prints 'sharp unified bound: B_R^n, R = 12, n = 7'
  }
else
  echo '[  SKIPPED ] a trained LLaMA: ATTCERT_DATA names no folder that holds models/stories260k'
fi
finish
