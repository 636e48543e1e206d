#!/bin/sh
# predict: the answer of every head, at one token and at each; undecided; both forms of the report; refusals, one line
# each.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
npy '3, 2' 0 1 1 0.5 2 -1 >"$tmp/x.npy"
x="--hidden $tmp/x.npy"
names='"id2label":{"0":"bad","1":"so so","2":"good"},'
pooler='bert.pooler.dense.weight:2:2 bert.pooler.dense.bias:2' classifier='classifier.weight:3:2 classifier.bias:3'
# shellcheck disable=SC2086 # several tensors
{
  bert_folder sequence "\"architectures\":[\"BertForSequenceClassification\"],$names" $pooler $classifier
  bert_folder tokens "\"architectures\":[\"BertForTokenClassification\"],$names" $pooler $classifier
  bert_folder several "\"problem_type\":\"multi_label_classification\",$names" $pooler $classifier
}
gpt2='--model random:gpt2:16,2,2 --seed 3 --text src/cli/demo.txt'
# ends: every enclosure of the report is one, and no margin is wider than what the scores leave.
ends='([.answers[] | (.margin, .scores[].score) | .[0] <= .[1] and .[1] - .[0] <= 1e-12] | all)'

# shellcheck disable=SC2086 # the shorthands above are several words
{
  # the next token: the one whose margin `gradient` encloses, at the last token as at each
  exits 0 predict $gpt2 --tokens 5 --top 3 --format json
  json '.schema == "attcert/predict/1" and .decided and .network.n == 5 and .network.classes == 50257'
  json '.head == "next token, token 4: ln_f, wte" and (.answers | length) == 1 and .answers[0].token == 4'
  json "$ends"
  json '.answers[0] | (.scores | length) == 3 and .scores[0].label == .label and .scores[1].label == .rival'
  json '.answers[0] | .margin[0] > 0 and .margin[0] <= .scores[0].score[1] - .scores[1].score[0]'
  json '(.claim | contains("exact arithmetic")) and .precision_bits > 64 and (.tokens | length) == 5'
  last=$(jq -c '.answers[0]' "$tmp/out")
  exits 0 predict $gpt2 --tokens 5 --top 3 --positions all --format json
  json "$ends and (.answers | length) == 5 and [.answers[].token] == [0, 1, 2, 3, 4]"
  json ".answers[4] | .label == ($last | .label) and .rival == ($last | .rival) and
    .margin[0] <= ($last | .margin[1]) and .margin[1] >= ($last | .margin[0])"
  exits 0 gradient $gpt2 --tokens 5 --format json
  json ".label == ($last | .label) and .rival == ($last | .rival) and
    .margin[0] <= ($last | .margin[1]) and .margin[1] >= ($last | .margin[0])"
  exits 0 predict $gpt2 --tokens 5
  prints 'certified  its score exceeds every other by at least '
  prints 'head       next token, token 4: ln_f, wte'
  prints 'the enclosure is of the mathematical function in exact arithmetic'
  ok 'five scores' test "$(grep -c ' <= score <= ' "$tmp/out")" -eq 5
  exits 0 predict $gpt2 --tokens 5 --positions all
  prints 'certified  each of 5 answers: its score exceeds every other by at least '
  prints '  token 0 (T): '
  exits 0 predict $gpt2 --tokens 1
  exits 0 predict --model random:gpt2:16,2,2 --token-ids 5,5,5

  # labels, by number and name; each token's
  exits 0 predict --model "$tmp/sequence" $x --format json
  json '.decided and (.answers[0] | .label == 2 and .label_name == "good" and .rival_name == "so so" and .token == 0)'
  json "$ends"
  exits 0 predict --model "$tmp/sequence" $x
  prints 'label      2 (good), class 1 (so so) is the closest'
  exits 0 predict --model "$tmp/tokens" $x --positions all --format json
  json '[.answers[].token] == [0, 1, 2]'
  cp "$tmp/out" "$tmp/each.json"
  for token in 0 1 2; do
    exits 0 predict --model "$tmp/tokens" $x --token $token --format json
    json ".answers[0].label == $(jq ".answers[$token].label" "$tmp/each.json") and .answers[0].token == $token"
  done

  # the signs of several labels
  exits 0 predict --model "$tmp/several" $x --format json
  json '.decided and (.answers[0] | .label == null and .rival_name == "bad")'
  json '[.answers[0].scores | sort_by(.label)[] | .positive] == [false, true, true]'
  exits 0 predict --model "$tmp/several" $x
  prints ', - 0 (bad); that of 0 (bad) is the closest to changing'
  prints 'certified  each score has this sign: it is at least '

  # ten rows of a classifier, in pairs that are the same: a tie, whichever is the largest
  bert_folder tied "\"architectures\":[\"BertForSequenceClassification\"]," $pooler classifier.weight:10:2 classifier.bias:10
  exits 4 predict --model "$tmp/tied" $x --format json
  json '(.decided | not) and (.answers[0] | (.decided | not) and .margin[0] <= 0 and .margin[1] >= 0)'
  json '.answers[0] | .rival == .label + 5 or .label == .rival + 5'
  exits 4 predict --model "$tmp/tied" $x
  prints 'undecided  the enclosures of their scores overlap'

  # refusals
  rejects '--hidden, --text or --token-ids' predict --model random:gpt2:16,2,2
  rejects 'expected --model' predict --token-ids 1,2
  rejects '--positions: expected last|all' predict $gpt2 --positions first
  rejects '--positions: expected last with this head (sequence classification' \
    predict --model "$tmp/sequence" $x --positions all
  rejects '--token and --positions' predict --model "$tmp/tokens" $x --token 1 --positions all
  rejects '--token is missing' predict --model "$tmp/tokens" $x
  rejects '--token: expected none with this head (next token' predict $gpt2 --tokens 2 --token 1
  rejects '--top: expected an integer from 1' predict $gpt2 --tokens 2 --top 0
  rejects "'--radius'" predict $gpt2 --tokens 2 --radius 1
  rejects "'--words'" predict $gpt2 --tokens 2 --words 1
}
finish
