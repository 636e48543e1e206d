#!/bin/sh
# robust and gradient certify the head that the folder's class has: the token, the labels and their names in the report;
# other heads are refused. The scores of two folders ($ATTCERT_DATA) are those of PyTorch in float64; without the data,
# or torch, that part is skipped, by name.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
export OPENBLAS_NUM_THREADS=1
npy '3, 2' 0 1 1 0.5 2 -1 >"$tmp/x.npy"
x="--hidden $tmp/x.npy"
names='"id2label":{"0":"bad","1":"so so","2":"good"},'
pooler='bert.pooler.dense.weight:2:2 bert.pooler.dense.bias:2' classifier='classifier.weight:3:2 classifier.bias:3'
# shellcheck disable=SC2086 # several tensors
{
  bert_folder sequence "\"architectures\":[\"BertForSequenceClassification\"],$names" $pooler $classifier
  bert_folder tokens "\"architectures\":[\"BertForTokenClassification\"],$names" $pooler $classifier
  bert_folder several "\"problem_type\":\"multi_label_classification\",$names" $pooler $classifier
  bert_folder masked "\"architectures\":[\"BertForMaskedLM\"],$names" $pooler $classifier
}

# shellcheck disable=SC2086 # the shorthands above are several words
{
  # the label's name in the report, and as an option; a wrong label is refuted by the input itself, with the right one
  exits 0 gradient --model "$tmp/sequence" $x --format json
  json '.head == "sequence classification, token 0: pooler.dense, tanh, classifier" and .token == 0'
  json '.label == 2 and .label_name == "good" and .rival == 1 and .rival_name == "so so" and (has("answer") | not)'
  exits 0 gradient --model "$tmp/sequence" $x
  prints 'head       sequence classification, token 0: pooler.dense, tanh, classifier'
  prints 'label      2 (good), class 1 (so so) is the closest'
  exits 1 robust --model "$tmp/sequence" $x --radius 0.001 --label 'so so' --format json
  json '.label == 1 and .refuted_label == 2 and .refuted_label_name == "good"'
  exits 1 robust --model "$tmp/sequence" $x --radius 0.001 --label 0
  prints '; there a higher score has 2 (good)'
  exits 0 robust --model "$tmp/sequence" $x --radius 0.001 --label good
  prints 'label      2 (good)'
  prints 'certified  '
  rejects "--label: expected a class from 0 to 2 or its name, got 'best'" gradient --model "$tmp/sequence" $x --label best
  rejects '--token: expected none with this head (sequence classification' gradient --model "$tmp/sequence" $x --token 0

  # a classifier of tokens: the token is asked for, and the stored pooler has no part in it
  for token in 0 2; do
    exits 0 gradient --model "$tmp/tokens" $x --token $token --format json
    json ".head == \"token classification, token $token: classifier\" and .token == $token and .network.classes == 3"
  done
  rejects '--token is missing, expected the token to classify, from 0 to 2' gradient --model "$tmp/tokens" $x
  rejects "--token: expected an integer from 0 to 2, got '3'" gradient --model "$tmp/tokens" $x --token 3
  rejects '--token' gradient --model "$tmp/tokens" $x --token -1

  # several labels at once: the signs of all, or of one
  exits 0 robust --model "$tmp/several" $x --radius 0.001 --format json
  json '.head == "multi-label sequence classification, token 0: pooler.dense, tanh, classifier" and .label == null'
  json '[.answer[] | [.label, .label_name, .positive]] == [[0, "bad", false], [1, "so so", true], [2, "good", true]]'
  json '.radius_certified == 0.001 and .rival_name == "bad" and .network.classes == 3'
  all=$(jq '.margin[1]' "$tmp/out")
  exits 0 robust --model "$tmp/several" $x --radius 0.001 --label good --format json
  json ".label == 2 and .label_name == \"good\" and .rival == 2 and .margin[0] > $all and (.answer | length) == 1"
  exits 0 robust --model "$tmp/several" $x --radius 0.001
  prints 'signs      - 0 (bad), + 1 (so so), + 2 (good); that of 0 (bad) is the closest to changing'

  # another head, or none
  classes='expected BertForSequenceClassification, BertForTokenClassification or BertForMaskedLM'
  rejects 'is of another head than masked token, any token: cls.predictions.transform.dense' gradient --model "$tmp/masked" $x
  rejects "'BertForSequenceClassification', expected BertForMaskedLM" \
    gradient --model "$tmp/masked" $x --architecture BertForSequenceClassification
  sed -i 's/BertForMaskedLM/BertModel/' "$tmp/masked/config.json"
  rejects "'architectures' is BertModel, which has no head, $classes" gradient --model "$tmp/masked" $x
  exits 0 gradient --model "$tmp/masked" $x --architecture BertForTokenClassification --token 1 --format json
  json '.head == "token classification, token 1: classifier"'
  rejects '--architecture: random:bert:8,2,1 is a random model' gradient --model random:bert:8,2,1 \
    --text src/cli/demo.txt --tokens 3 --architecture BertModel

  # a control character of a name does not break the line
  sed -i 's/"good"/"go\\nod"/' "$tmp/sequence/config.json"
  exits 0 gradient --model "$tmp/sequence" $x
  prints 'label      2 (go?od), class 1 (so so) is the closest'

  exits 0 info "$tmp/sequence" --format json
  json '.head == "sequence classification, token 0: pooler.dense, tanh, classifier" and .labels == 3'
  exits 0 info "$tmp/masked" --format json
  json '(.no_head | contains("BertModel")) and (has("head") | not)'
}

faults=${ATTCERT_DATA:-}/faults
if [ ! -d "$faults/arch_gpt2_seqcls" ]; then
  echo '[  SKIPPED ] heads of published classes: ATTCERT_DATA names no folder that holds faults/arch_gpt2_seqcls'
  echo '[  SKIPPED ] 1 test(s), listed below:'
  finish
fi
gpt2="--model $faults/arch_gpt2_seqcls --hidden $faults/arch_gpt2_seqcls/h.npy"
bert="--model $faults/arch_bert_tokencls --hidden $faults/arch_bert_tokencls/h.npy"

# shellcheck disable=SC2086 # the shorthands above are several words
{
  exits 0 robust $gpt2 --radius 0.01 --format json
  json '.head == "sequence classification, token 2: ln_f, score" and .token == 2 and .network.classes == 2'
  cp "$tmp/out" "$tmp/gpt2.json"
  rejects '--token is missing' robust $bert --radius 0.01
  for token in 0 1 2; do
    exits 0 robust $bert --token $token --radius 0.01 --format json
    cp "$tmp/out" "$tmp/bert$token.json"
  done

  # the same as a multi-label classifier: an input that changes a sign, read again, has the other sign
  cp -r "$faults/arch_gpt2_seqcls" "$tmp/gpt2"
  chmod -R u+w "$tmp/gpt2"
  sed -i 's/{/{"problem_type": "multi_label_classification", "id2label": {"0": "a", "1": "b"}, /' "$tmp/gpt2/config.json"
  exits 0 robust --model "$tmp/gpt2" --hidden "$tmp/gpt2/h.npy" --search --save-input "$tmp/flip.npy" --format json
  json '.radius_certified > 0 and .radius_certified < .radius_refuted and .refuted_margin[1] < 0'
  was=$(jq '.refuted_label as $l | .answer[] | select(.label == $l) | .positive' "$tmp/out")
  flipped=$(jq .refuted_label "$tmp/out")
  exits 0 gradient --model "$tmp/gpt2" --hidden "$tmp/flip.npy" --label "$flipped" --format json
  json ".answer[0].label == $flipped and .answer[0].positive != $was and .margin[0] > 0"
  exits 1 robust --model "$tmp/gpt2" --hidden "$tmp/gpt2/h.npy" --radius 50
  prints '; there the sign is another of '

  # tensors of another head than that of the class
  sed -i 's/GPT2ForSequenceClassification/GPT2LMHeadModel/' "$tmp/gpt2/config.json"
  rejects 'score.weight' gradient --model "$tmp/gpt2" --hidden "$tmp/gpt2/h.npy"

  # the last token that is no padding: token 0 of this vocabulary is padding
  sed -i 's/GPT2LMHeadModel/GPT2ForSequenceClassification/' "$tmp/gpt2/config.json"
  echo '{"a": 0, "b": 1, "c": 2}' >"$tmp/gpt2/vocab.json"
  printf 'bcabc' >"$tmp/text.txt"
  exits 0 gradient --model "$tmp/gpt2" --text "$tmp/text.txt" --tokens 2
  rejects 'token 2 of the input is 0, the padding' gradient --model "$tmp/gpt2" --text "$tmp/text.txt" --tokens 4
  rejects 'token 1 of the input is 0, the padding' gradient --model "$tmp/gpt2" --token-ids 1,0,2
  exits 0 gradient --model "$tmp/gpt2" --text "$tmp/text.txt" --offset 3 --tokens 2

  models=$ATTCERT_DATA/models
  rejects 'GPT2Model, which has no head' robust --model "$models/char-gpt" --text "$ATTCERT_DATA/text/carroll-alice.txt" \
    --tokens 4 --radius 0.001
  exits 0 gradient --model "$models/char-gpt" --architecture GPT2LMHeadModel --format json \
    --text "$ATTCERT_DATA/text/carroll-alice.txt" --offset 1000 --tokens 4
  json '.head == "next token, token 3: ln_f, wte" and .network.classes == 65'
  exits 0 gradient --model "$models/bert-tiny-sst2" --hidden "$models/bert-tiny-sst2/input_1.npy" --format json
  cp "$tmp/out" "$tmp/sst2.json"
}

# margin ROW JSON: the report's label, rival and margin are those of the row of PyTorch's scores in $tmp/scores.
margin() {
  jq -e --argjson row "$1" --slurpfile scores "$tmp/scores" '
    $scores[0][$row] as $s | ($s | sort) as $sorted | ($sorted[-1] - $sorted[-2]) as $margin
    | .label == ($s | index($sorted[-1])) and .rival == ($s | index($sorted[-2]))
      and .margin[0] - 1e-12 <= $margin and $margin <= .margin[1] + 1e-12' "$2" >/dev/null
}
if python=$(sh src/python/interpreter numpy torch); then
  scores() { "$python" tests/python/head_logits.py "$1" "$2" >"$tmp/scores"; }
  scores "$faults/arch_gpt2_seqcls" "$faults/arch_gpt2_seqcls/h.npy"
  ok 'the scores of the last token are those of PyTorch' margin 0 "$tmp/gpt2.json"
  scores "$faults/arch_bert_tokencls" "$faults/arch_bert_tokencls/h.npy"
  for token in 0 1 2; do ok "those of token $token" margin $token "$tmp/bert$token.json"; done
  scores "$models/bert-tiny-sst2" "$models/bert-tiny-sst2/input_1.npy"
  ok 'those of a pooler' margin 0 "$tmp/sst2.json"
else
  echo '[  SKIPPED ] scores by PyTorch: no python3 with numpy and torch'
  echo '[  SKIPPED ] 1 test(s), listed below:'
fi
finish
