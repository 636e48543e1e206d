#!/bin/sh
# robust and gradient: certified, refuted, undecided; the saved input flips; refusals, one line each.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
export OPENBLAS_NUM_THREADS=1
# An address sanitizer's memory is what the program frees, too, unless told otherwise.
export ASAN_OPTIONS="${ASAN_OPTIONS-}:quarantine_size_mb=0:thread_local_quarantine_size_kb=0"
bert='--model random:bert:8,2,2 --seed 4 --text src/cli/demo.txt --tokens 4'
gpt2='--model random:gpt2:8,2,1 --seed 2 --text src/cli/demo.txt --tokens 3'

# shellcheck disable=SC2086 # the shorthands above are several words
{
  exits 0 gradient $bert --format json
  json '.schema == "attcert/gradient/1" and .network.n == 4 and .network.d == 8 and .network.classes == 2'
  json '.margin | .[0] <= .[1] and .[0] > 0 and .[1] - .[0] <= 1e-9 * .[1]'
  json '.gradient_norm | .[0] <= .[1] and .[1] - .[0] <= 1e-8 * .[1]'
  json '.words == "all" and (.claim | length) > 40'
  label=$(jq .label "$tmp/out") margin=$(jq '.margin[0]' "$tmp/out") norm=$(jq '.gradient_norm[1]' "$tmp/out")
  exits 0 gradient $bert --words 1,3 --format json
  json ".words == [1, 3] and .gradient_norm[0] < $norm"

  # a search: certified below refuted; what is certified is certified again, what is refuted is refuted
  exits 0 robust $bert --search --format json --save-input "$tmp/x.npy"
  cp "$tmp/out" "$tmp/search"
  json '.schema == "attcert/robust/1" and .execution == "exact" and .radius == null'
  json '.radius_certified > 0 and .radius_failed <= 1.0100001 * .radius_certified'
  json '.radius_refuted == null or .radius_certified < .radius_refuted'
  json ".label == $label and .margin[0] <= $margin * 1.000001 and .margin_on_ball[0] > 0"
  json '[.loss[].share] | (add - 1) * (add - 1) < 1e-12'
  json '.loss | any(.operation == "attention") and any(.operation == "layernorm") and any(.operation == "activation")'
  certified=$(jq .radius_certified "$tmp/search") beyond=$(jq .radius_failed "$tmp/search")
  exits 0 robust $bert --radius "$certified" --format json
  json ".radius == $certified and .radius_certified <= $certified and .radius_certified > 0.999999 * $certified"
  exits 4 robust $bert --radius "$beyond" --attack 0
  prints 'undecided  neither proved nor refuted'
  exits 0 robust $bert --words 2 --search --attack 0 --format json
  json ".words == [2] and .radius_refuted == null and .radius_certified >= $certified"

  # kinds of ball, each holding the one before: larger norms of the gradient, less certified
  before=0 within=1e9
  for kind in sequence token entry; do
    exits 0 gradient $bert --ball $kind --format json
    json ".ball == \"$kind\" and .gradient_norm[0] > $before"
    before=$(jq '.gradient_norm[1]' "$tmp/out")
    exits 0 robust $bert --ball $kind --search --attack 0 --format json
    json ".ball == \"$kind\" and .gradient_norm[1] == $before and .radius_certified < $within and .radius_certified > 0"
    within=$(jq .radius_certified "$tmp/out")
  done
  json '.claim | test("by at most the radius in every entry")'
  exits 0 robust $bert --ball entry --radius "$within" --attack 0
  prints '<= ||grad margin||_1 <='
  rejects '--ball: expected sequence|token' robust $bert --radius 1 --ball cube

  # executions: the coarser the format (bfloat16: 8 times float16), the larger the error of the margin; what float32
  # certifies, exact does not fail at
  exits 0 robust $bert --radius "$certified" --execution exact --attack 0 --format json
  json '.execution == "exact" and (has("executed") | not)'
  before=0
  for format in float64 float32 float16 bfloat16; do
    exits 0 robust $bert --radius 1e-5 --execution $format --attack 0 --format json
    json ".execution == \"$format\" and .executed.ulp == 4 and .executed.error > 4 * $before"
    json '.executed.margin[0] > 0 and .executed.margin[0] <= .margin[0] and .executed.margin[1] >= .margin[1]'
    json '.claim | test("every execution of the network in the format, of the kinds covered")'
    json '.executed | (.covered + .excluded | map(length > 20) | all) and (.covered | length) > 3'
    json '.executed.excluded | any(test("LayerNorm")) and any(test("partial sums")) and any(test("autocast"))'
    before=$(jq .executed.error "$tmp/out")
  done
  exits 0 robust $bert --radius 1e-5 --execution float32 --ulp 1000 --attack 0 --format json
  wider=$(jq .executed.error "$tmp/out")
  exits 0 robust $bert --radius 1e-5 --execution float32 --ulp 0 --attack 0 --format json
  json ".executed.error > 0 and .executed.error < $wider"
  exits 0 robust $bert --search --execution float32 --attack 0 --format json
  json ".radius_certified < $beyond and .radius_certified > 0.9 * $certified"
  exits 0 robust $bert --radius 1e-5 --execution float32 --attack 0
  prints 'execution  float32: margin(X) within'
  prints 'covered    weights and input rounded to the format'
  prints 'excluded   partial sums in less than float32'
  rejects '--execution' robust $bert --radius 1 --execution float8
  rejects '--ulp' robust $bert --radius 1 --ulp 4

  # the other label is refuted at once, by the input itself
  exits 1 robust $bert --label $((1 - label)) --radius 0.001 --save-input "$tmp/same.npy" --format json
  json '.radius_refuted == 0 and .refuted_margin[1] < 0'
  exits 0 gradient --model random:bert:8,2,2 --seed 4 --hidden "$tmp/same.npy" --label $((1 - label)) --format json
  json '.margin[1] < 0'

  # memory: what is planned for, and a limit that no merging meets
  exits 0 robust $bert --radius "$certified" --attack 0 --memory-limit 2G --format json
  json '.plan | .symbols > 32 and .bytes > 1000 and .merged == 0'
  exits 0 robust $bert --radius "$certified" --attack 0
  prints 'plan       '
  prints ' of forms at most'
  exits 3 robust $bert --radius "$certified" --attack 0 --memory-limit 1M
  ok 'says what it takes' one_line_naming 'memory limit'
  # a limit that the forms would exceed: older symbols are merged, the limit is kept, and what is certified is no more
  wide='--model random:bert:64,2,2 --seed 4 --text src/cli/demo.txt --tokens 20 --words 1 --radius 0.001 --attack 0'
  exits 0 robust $wide --format json
  json '.plan.merged == 0'
  all=$(jq '.plan.bytes' "$tmp/out") low=$(jq '.margin_on_ball[0]' "$tmp/out")
  exits 3 robust $wide --memory-limit 1M
  held=$(sed -n 's/.* take about [0-9.]* MiB (\([0-9]*\) bytes).*/\1/p' "$tmp/err")
  limit=$((held + all * 7 / 9)) # a tenth of what is beside `held` stays free
  exits 0 robust $wide --memory-limit "$limit" --format json
  json ".plan.merged == 0 and .plan.bytes < $all and .margin_on_ball[0] <= $low" # forms are released after their last use
  limit=$((held + $(jq '.plan.bytes' "$tmp/out") * 7 / 9))
  exits 0 robust $wide --memory-limit "$limit" --format json
  json ".plan.merged > 1000 and .plan.bytes < $all and .peak_memory_bytes <= $limit"
  json ".radius_certified == 0.001 and .margin_on_ball[0] > 0 and .margin_on_ball[0] <= $low"
  exits 0 robust $wide --memory-limit "$limit"
  prints ' columns of symbols merged'
  rejects '--memory-limit' robust $bert --radius 1 --memory-limit 2X
  rejects '--memory-limit' robust $bert --radius 1 --memory-limit 0

  # the plan alone
  exits 0 robust $wide --plan
  prints 'region     ball of each sequence, norm 2, 1.00000e-03 ('
  prints 'forms      all are kept'
  prints ' s for the forms of one bound'
  ok 'nothing is computed' test -z "$(grep -e '^margin' -e '^certified' "$tmp/out")"
  exits 0 robust $wide --plan --memory-limit "$limit" --format json
  json ".schema == \"attcert/plan/1\" and .plan.merged > 1000 and .plan.bytes <= .plan.limit and (.plan.kept | not)"
  json '(.plan.merges | length) > 0 and .norm == "2" and .radius == 0.001 and .plan.seconds > 0'
  exits 0 robust $bert --search --ball entry --plan --format json
  json '.radius == null and .norm == "inf" and .plan.merges == []'
  rejects 'expected one of them' robust $bert --radius 1 --plan --certificate "$tmp/work/c"

  # a picture of the shares, whole or not at all; the report is the same with it
  for kind in svg png; do
    exits 0 robust $bert --radius "$certified" --plot "$tmp/work/it's.$kind"
    prints 'certified  '
    ok "a $kind" test "$(wc -c <"$tmp/work/it's.$kind")" -gt 4000
  done
  shares=$(grep -c '^ .*%  ' "$tmp/out")
  ok 'a png' test "$(head -c 4 "$tmp/work/it's.png" | tail -c 3)" = PNG
  ok 'a bar a share' test "$(grep -c '[0-9] %</tspan>' "$tmp/work/it's.svg")" -eq "$shares"
  ok 'names them by layer' grep -q 'layer 0 LayerNorm 2</tspan>' "$tmp/work/it's.svg"
  ok 'and by number' grep -q 'layer 1 LayerNorm 1</tspan>' "$tmp/work/it's.svg"
  exits 4 robust $bert --radius 1e9 --attack 0 --plot "$tmp/work/it's.svg"
  ok 'an svg' grep -q '^</svg>' "$tmp/work/it's.svg"
  rm "$tmp/work/it's.svg" "$tmp/work/it's.png"

  # a decoder: the next token against every other one; an input far away flips, and still does when it is read again
  exits 0 robust $gpt2 --words 1 --search --format json
  json '.network.classes == 50257 and .radius_certified > 0'
  label=$(jq .label "$tmp/out")
  exits 1 robust $gpt2 --radius 50 --save-input "$tmp/flip.npy" --format json
  json '.radius_refuted == 50 and .refuted_margin[1] < 0 and .radius_certified == null'
  json '.evaluations == 0' # a short attack goes before the bound
  exits 0 gradient --model random:gpt2:8,2,1 --seed 2 --hidden "$tmp/flip.npy" --label "$label" --format json
  json '.margin[1] < 0'
  exits 0 robust $gpt2 --words 1 --radius 0.0001
  prints 'certified  '
  prints 'claim      '

  # refusals
  rejects '--words' robust $bert --radius 1 --words 4
  rejects '--words' robust $bert --radius 1 --words 1,1
  rejects '--words' robust $bert --radius 1 --words ''
  rejects '--words' robust $bert --radius 1 --words 1,
  rejects '--words' robust $bert --radius 1 --words -1
  rejects '.svg or .png' robust $bert --radius 1 --plot "$tmp/work/a.pdf"
  rejects "$tmp/none/a.svg" robust $bert --radius 1 --plot "$tmp/none/a.svg"
  rejects 'both name' robust $bert --radius 1 --plot "$tmp/work/result"
  rejects '--label' robust $bert --radius 1 --label 2
  rejects '--radius' robust $bert --radius -1
  rejects '--radius' robust $bert --radius nan
  rejects '--radius' robust $bert --radius 0
  rejects '--radius and --search' robust $bert --radius 1 --search
  rejects '--relative' robust $bert --radius 1 --relative 0.1
  rejects '--attack' robust $bert --radius 1 --attack -3
  rejects 'no radius is named: expected --radius' robust $bert
  rejects 'expected --hidden, --text or --token-ids' robust --model random:bert:8,2,2 --radius 1
  rejects 'expected --model' robust --text src/cli/demo.txt --tokens 4 --radius 1
  rejects "'--layer'" robust $bert --radius 1 --layer 0
  rejects "'--radius'" gradient $bert --radius 1
}

# a folder without a classifier, and one whose hidden states have another width
mkdir "$tmp/model"
printf '{"model_type":"bert","hidden_size":2,"num_attention_heads":1,"num_hidden_layers":0}' >"$tmp/model/config.json"
layer 1 0 0 1 1 0 0 1 1 0 0 1 >"$tmp/model/model.safetensors"
rejects 'num_hidden_layers' robust --model "$tmp/model" --hidden "$tmp/same.npy" --radius 1
rejects 'dimension 8' robust --model random:bert:16,2,1 --hidden "$tmp/same.npy" --radius 1
finish
