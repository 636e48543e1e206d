#!/bin/sh
# robust: norms, masks of the input, boxes and words in the places of others; what contradicts or does not fit.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
export OPENBLAS_NUM_THREADS=1

pooler='bert.pooler.dense.weight:2:2 bert.pooler.dense.bias:2' classifier='classifier.weight:2:2 classifier.bias:2'
# shellcheck disable=SC2086 # several tensors
bert_folder whole '"hidden_act":"gelu",' $pooler $classifier
bert='--model random:bert:16,2,2 --seed 1 --text src/cli/demo.txt --tokens 6'

# booleans NAME SHAPE BYTE...: an .npy file of them
booleans() {
  name=$1 shape=$2
  shift 2
  {
    NPY_DTYPE='|b1' npy "$shape"
    for byte in "$@"; do printf "\\00$byte"; done
  } >"$tmp/$name"
}

# shellcheck disable=SC2086 # several words
{
  # the l1 ball lies in the l2 one, that in the l_inf one: what is certified gets less
  before=1e9
  for norm in 1 2 inf; do
    exits 0 robust $bert --norm $norm --search --attack 0 --format json
    json ".norm == \"$norm\" and .radius_certified <= $before and .radius_certified > 0"
    before=$(jq .radius_certified "$tmp/out")
  done
  json '.ball == "entry"'
  exits 0 gradient $bert --norm 1
  prints 'max |d margin|'
  exits 0 gradient $bert --norm 1 --ball token --format json
  json '.ball == "token" and .norm == "1"'
  exits 0 robust $bert --norm 1 --radius 1e-3 --attack 0 --format json
  json '.claim | test("in l1 norm together")'
  rejects 'ball entry and norm 1 contradict each other' robust $bert --ball entry --norm 1 --radius 1
  rejects '--norm: expected 2|inf|1' robust $bert --norm 3 --radius 1
  exits 0 certify --model random:bert:16,2,2 --layer 0 --text src/cli/demo.txt --tokens 4 --radius 0.01 --norm 1 \
    --format json
  json '.ball.norm == "1" and .ball.upper >= .ball.lower'
}

# masks and boxes of two tokens of two numbers
npy '2, 2' 0 1 1 0.5 >"$tmp/x.npy"
npy '2, 2' 0 0.5 1 0.5 >"$tmp/low.npy"
npy '2, 2' 0 2 1 0.5 >"$tmp/high.npy"
npy '2, 2' 0 nan 1 0.5 >"$tmp/nan.npy"
npy '2, 3' 0 1 1 0.5 1 0 >"$tmp/wide.npy"
npy '2, 2' 1 1 1 0.5 >"$tmp/outside.npy"
booleans mask.npy '2, 2' 0 1 0 0
booleans none.npy '2, 2' 0 0 0 0
booleans short.npy '2, 1' 1 1
whole="--model $tmp/whole" x="--hidden $tmp/x.npy"
# shellcheck disable=SC2086
{
  exits 0 robust $whole $x --label 1 --radius 0.1 --mask-input "$tmp/mask.npy" --format json
  json '.entries == 1 and .words == [0]'
  rejects 'no entry moves' robust $whole $x --radius 0.1 --mask-input "$tmp/none.npy"
  rejects 'no entry moves' robust $whole $x --radius 0.1 --mask-input "$tmp/mask.npy" --words 1
  rejects 'short.npy: 2 booleans, expected 2 x 2' robust $whole $x --radius 0.1 --mask-input "$tmp/short.npy"
  rejects 'x.npy: numbers, expected booleans' robust $whole $x --radius 0.1 --mask-input "$tmp/x.npy"
  rejects 'none/m.npy' robust $whole $x --radius 0.1 --mask-input "$tmp/none/m.npy"

  box="--box $tmp/low.npy $tmp/high.npy"
  exits 0 robust $whole $box --format json
  json '.ball == "box" and .entries == 1 and .radius == null and .box_certified and .box_refuted == false and .source.input != null'
  exits 0 robust $whole $x $box
  rejects 'the input is outside of the box: entry [0, 0] is 1' robust $whole --hidden "$tmp/outside.npy" $box
  rejects 'from 2 to 0.5, expected no lower end above' robust $whole --box "$tmp/high.npy" "$tmp/low.npy"
  rejects 'expected finite numbers' robust $whole --box "$tmp/low.npy" "$tmp/nan.npy"
  rejects 'wide.npy: expected the shape of' robust $whole --box "$tmp/low.npy" "$tmp/wide.npy"
  rejects 'hidden states of dimension 3' robust $whole --box "$tmp/wide.npy" "$tmp/wide.npy"
  rejects 'mask.npy: booleans, expected numbers' robust $whole --box "$tmp/mask.npy" "$tmp/low.npy"
  rejects '--box: expected LO.npy HI.npy' robust $whole $x --box "$tmp/low.npy"
  for other in '--radius 1' --search '--ball token' '--norm 1' '--words 1' "--mask-input $tmp/mask.npy"; do
    rejects '--box and --' robust $whole $x $box $other
  done
}

# synonyms: bytes are tokens, so that ids name them
printf '# places\n\n2 120 121\n4 98\n' >"$tmp/words"
echo '{"2": [120, 121], "4": [98]}' >"$tmp/words.json"
# shellcheck disable=SC2086
{
  for file in words words.json; do
    exits 0 robust $bert --synonyms "$tmp/$file" --format json
    json '.ball == "synonyms" and .method == "enumeration" and .combinations == 6 and .combinations_enclosed == 6'
    json '.synonyms_certified and (.synonyms | map(.position) == [2, 4]) and .synonyms[0].choices[1].text == "x"'
    least=$(jq '.margin_on_ball[0]' "$tmp/out")
    exits 0 robust $bert --synonyms "$tmp/$file" --enumerate 5 --format json
    json ".method == \"hull\" and .synonyms_certified and .margin_on_ball[0] <= $least"
  done
  exits 0 robust $bert --synonyms "$tmp/words"
  prints 'method     enumeration: 6 of 6 combinations'
  exits 1 robust $bert --synonyms "$tmp/words" --label 1 --format json
  json '.synonyms_refuted and (.refuted_choices | length == 2)'

  refused() { # MESSAGE TEXT
    printf "$2" >"$tmp/bad"
    rejects "$1" robust $bert --synonyms "$tmp/bad"
  }
  refused "place '6', expected a number from 0 to 5" '6 120\n'
  refused "place 'x'" 'x 120\n'
  refused 'place 2 is there twice' '2 120\n2 121\n'
  refused 'token 120 is there twice at 2' '2 120 120\n'
  refused "expected a word of one token in the place of 'film'" '2 film\n'
  refused 'outside the vocabulary' '2 99999\n'
  refused 'every token has one choice' '# nothing\n'
  refused 'expected a list of words' '{"2": 120}'
  refused 'expected words and ids' '{"2": [1.5]}'
  refused 'bad' '{"2": [120]'
  rejects "$tmp/no-file" robust $bert --synonyms "$tmp/no-file"
  for other in '--radius 1' --search '--ball token' '--norm 1' '--words 1' "--mask-input $tmp/mask.npy" \
    '--execution float32'; do
    rejects 'contradict each other' robust $bert --synonyms "$tmp/words" $other
  done
  rejects '--enumerate: expected --synonyms with it' robust $bert --radius 1 --enumerate 3
}
finish
