#!/bin/sh
# robust and gradient refuse bad input: exit status 2, one line that says what and where.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
export OPENBLAS_NUM_THREADS=1

# folder NAME ACTIVATION EXTRA...: a BERT of one layer, width 2 and feed-forward width 3; EXTRA: more tensors, each
# NAME:ROWS or NAME:ROWS:COLS. All numbers are 1.
folder() {
  mkdir "$tmp/$1"
  printf '{"model_type":"bert","hidden_size":2,"num_attention_heads":1,"num_hidden_layers":1,"intermediate_size":3,%s' \
    "\"hidden_act\":\"$2\",\"vocab_size\":4,\"max_position_embeddings\":4}" >"$tmp/$1/config.json"
  target=$tmp/$1/model.safetensors layer=bert.encoder.layer.0
  shift 2
  for part in query key value; do
    set -- "$@" "$layer.attention.self.$part.weight:2:2" "$layer.attention.self.$part.bias:2"
  done
  for part in attention.output output; do
    set -- "$@" "$layer.$part.LayerNorm.weight:2" "$layer.$part.LayerNorm.bias:2"
  done
  set -- "$@" "$layer.attention.output.dense.weight:2:2" "$layer.attention.output.dense.bias:2" \
    "$layer.intermediate.dense.weight:3:2" "$layer.intermediate.dense.bias:3" "$layer.output.dense.weight:2:3" \
    "$layer.output.dense.bias:2"
  header='' end=0 numbers=''
  for tensor in "$@"; do
    name=${tensor%%:*} sides=${tensor#*:} start=$end
    rows=${sides%%:*} cols=1 shape=$rows
    if [ "$rows" != "$sides" ]; then cols=${sides#*:} shape="$rows,$cols"; fi
    end=$((start + 4 * rows * cols))
    header="$header${header:+,}\"$name\":{\"dtype\":\"F32\",\"shape\":[$shape],\"data_offsets\":[$start,$end]}"
  done
  while [ "$end" -gt 0 ]; do
    numbers="$numbers 1" end=$((end - 4))
  done
  # shellcheck disable=SC2086 # a word a number
  safetensors "{$header}" $numbers >"$target"
}

pooler='bert.pooler.dense.weight:2:2 bert.pooler.dense.bias:2' classifier='classifier.weight:2:2 classifier.bias:2'
# shellcheck disable=SC2086 # several tensors
{
  folder whole gelu $pooler $classifier
  folder unclassified gelu $pooler
  folder unpooled gelu $classifier
  folder layers_alone gelu
  folder other_activation silu $pooler $classifier
}
npy '2, 2' 0 1 1 0.5 >"$tmp/x.npy"
npy '2, 3' 0 1 1 0.5 1 0 >"$tmp/wide.npy"
npy '2, 2' 0 nan 1 0.5 >"$tmp/nan.npy"
: >"$tmp/empty.txt"
# The folder is good but for what is taken from it below. Every number in it is 1, so both classes tie.
exits 0 gradient --model "$tmp/whole" --hidden "$tmp/x.npy" --label 1
for command in robust gradient; do
  radius=''
  [ $command = gradient ] || radius='--radius 1'
  # shellcheck disable=SC2086 # empty or two words
  {
    rejects "unclassified/model.safetensors: tensor 'classifier.weight'" \
      $command --model "$tmp/unclassified" --hidden "$tmp/x.npy" $radius
    rejects "unpooled/model.safetensors: tensor 'bert.pooler.dense.weight'" \
      $command --model "$tmp/unpooled" --hidden "$tmp/x.npy" $radius
    rejects "layers_alone/model.safetensors: tensor 'bert.pooler.dense.weight'" \
      $command --model "$tmp/layers_alone" --hidden "$tmp/x.npy" $radius
    rejects "key 'hidden_act' is 'silu'" $command --model "$tmp/other_activation" --hidden "$tmp/x.npy" $radius
    rejects 'hidden states of dimension 3' $command --model "$tmp/whole" --hidden "$tmp/wide.npy" $radius
    rejects 'nan.npy' $command --model "$tmp/whole" --hidden "$tmp/nan.npy" $radius
    rejects '--label: expected a class from 0 to 1' \
      $command --model "$tmp/whole" --hidden "$tmp/x.npy" --label 2 $radius
    rejects '--label' $command --model "$tmp/whole" --hidden "$tmp/x.npy" --label -1 $radius
    rejects '--words: 2 is outside' $command --model "$tmp/whole" --hidden "$tmp/x.npy" --words 2 $radius
    rejects 'empty.txt: 1 tokens' $command --model random:bert:8,2,1 --text "$tmp/empty.txt" --tokens 1 $radius
  }
done
for radius in -1 nan 0 inf ''; do
  rejects '--radius' robust --model "$tmp/whole" --hidden "$tmp/x.npy" --radius "$radius"
done
finish
