#!/bin/sh
# robust and gradient refuse bad input: exit status 2, one line that says what and where.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
export OPENBLAS_NUM_THREADS=1

pooler='bert.pooler.dense.weight:2:2 bert.pooler.dense.bias:2' classifier='classifier.weight:2:2 classifier.bias:2'
# shellcheck disable=SC2086 # several tensors
{
  bert_folder whole '"hidden_act":"gelu",' $pooler $classifier
  bert_folder unclassified '"hidden_act":"gelu",' $pooler
  bert_folder unpooled '"hidden_act":"gelu",' $classifier
  bert_folder layers_alone '"hidden_act":"gelu",'
  bert_folder other_activation '"hidden_act":"mish",' $pooler $classifier
}
npy '2, 2' 0 1 1 0.5 >"$tmp/x.npy"
npy '2, 3' 0 1 1 0.5 1 0 >"$tmp/wide.npy"
npy '2, 2' 0 nan 1 0.5 >"$tmp/nan.npy"
: >"$tmp/empty.txt"
# The folder is good but for what is taken from it below.
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
    rejects "key 'hidden_act' is 'mish'" $command --model "$tmp/other_activation" --hidden "$tmp/x.npy" $radius
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
