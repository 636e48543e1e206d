#!/bin/sh
# What is certified of executions in a format, against PyTorch: no input of the ball gets another label where it runs
# the network operation by operation. A model of $ATTCERT_DATA whose feed-forward part adds up what gelu_new loses as 1
# and tanh cancel: bfloat16 gives another label than the exact network at the input itself.
. tests/cli/harness.sh
model=${ATTCERT_DATA:-}/faults/gelu_new_bf16
python=$(sh src/python/interpreter numpy torch)
if [ ! -f "$model/h.npy" ] || [ -z "$python" ]; then
  echo '[  SKIPPED ] PyTorch: no python3 with torch, or ATTCERT_DATA names no folder that holds faults/gelu_new_bf16'
  echo '[  SKIPPED ] 1 test(s).'
  exit
fi

# labels RADIUS FORMAT: $tmp/labels, what PyTorch answers in the ball; $others, how often not `label`.
labels() {
  "$python" tests/cli/gpt2_labels.py "$model" "$model/h.npy" "$1" "$2" 200 >"$tmp/labels" 2>"$tmp/err"
  ok "PyTorch runs $2" test -s "$tmp/labels"
  others=$(awk -v label="$label" '$2 != label { n += $1 } END { print n + 0 }' "$tmp/labels")
}

run gradient --model "$model" --hidden "$model/h.npy" --format json
label=$(jq .label "$tmp/out")
labels 0 float64
ok 'both compute the same network' test "$others" -eq 0
for format in float64 float32 float16 bfloat16; do
  run robust --model "$model" --hidden "$model/h.npy" --search --execution $format --attack 0 --format json
  radius=$(jq '.radius_certified // 0' "$tmp/out")
  labels "$radius" $format
  echo "$format: certified $radius, other labels $others of $(awk '{ n += $1 } END { print n }' "$tmp/labels")"
  if [ "$format" = bfloat16 ]; then
    ok 'bfloat16 gives another label' test "$others" -gt 0
    json '.radius_certified == null'
  else
    ok "$format keeps what is certified" test "$others" -eq 0
    json '.radius_certified > 0'
  fi
done
finish
