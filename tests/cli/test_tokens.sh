#!/bin/sh
# The tokens of an input: special ones around a text, ids in place of one, their list in every report, words by name.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
export OPENBLAS_NUM_THREADS=1
printf '%s\n' '[PAD]' '[UNK]' '[CLS]' '[SEP]' good bad movie not a '##s' '##ly' 7 , >"$tmp/vocab.txt"
grep -v 'CLS\|SEP' "$tmp/vocab.txt" >"$tmp/plain.txt"
echo 'Good movie, not a bad movies 7' >"$tmp/text"
printf 'a\tb\303\251' >"$tmp/bytes"
ids=2,4,6,12,7,8,5,6,9,11,3 inner=4,6,12,7,8,5,6,9,11 # with [CLS] and [SEP], and without
network='--model random:bert:16,2,2 --seed 6' layer='--model random:bert:16,2,2 --seed 6 --layer 1'
named="--tokenizer $tmp/vocab.txt"
text="--text $tmp/text $named"
line='tokens     0 [CLS]  1 good  2 movie  3 ,  4 not  5 a  6 bad  7 movie  8 ##s  9 7  10 [SEP]'

# same EXPRESSION FILE: jq's value of both, the last run's report and an earlier one.
same() {
  ok "the same $1" test "$(jq -c "$1" "$tmp/out")" = "$(jq -c "$1" "$2")"
}
# differs EXPRESSION FILE
differs() {
  ok "another $1" test "$(jq -c "$1" "$tmp/out")" != "$(jq -c "$1" "$2")"
}

# shellcheck disable=SC2086 # the shorthands above are several words
{
  # a whole network: the whole text with its special tokens, as its ids say
  exits 0 gradient $network $text --format json
  json '.source | .special_tokens and .offset == 0 and .tokenizer == "WordPiece"'
  json "[.tokens[].id] == [$ids] and .network.n == 11"
  json '[.tokens[].text] | join(" ") == "[CLS] good movie , not a bad movie ##s 7 [SEP]"'
  cp "$tmp/out" "$tmp/special"
  exits 0 gradient $network --token-ids $ids --format json
  same '[.label, .margin, .gradient_norm]' "$tmp/special"
  json '.source == {model: "random:bert:16,2,2", seed: 6, input: "--token-ids"}'
  json "[.tokens[].id] == [$ids]"
  exits 0 gradient $network --token-ids $ids $named --format json
  same '[.tokens, .margin]' "$tmp/special"
  json '.inputs | length == 1 and .[0].role == "tokenizer"'
  exits 0 gradient $network $text
  prints "$line"
  prints "input      $tmp/text, 11 tokens from token 0 on (WordPiece, with special tokens)"

  # without them, as asked: another input and another label
  exits 0 gradient $network $text --special-tokens off --format json
  json "[.tokens[].id] == [$inner] and (.source.special_tokens | not)"
  differs .label "$tmp/special"
  cp "$tmp/out" "$tmp/off"
  exits 0 gradient $network --token-ids $inner --format json
  same '[.label, .margin]' "$tmp/off"

  # --tokens counts special ones, --offset those of the text
  exits 0 gradient $network $text --tokens 4 --format json
  json '[.tokens[].id] == [2,4,6,3]'
  exits 0 gradient $network $text --tokens 5 --offset 3 --special-tokens on --format json
  json '[.tokens[].id] == [2,7,8,5,3] and .source.offset == 3'
  exits 0 gradient $network $text --offset 8 --format json
  json '[.tokens[].id] == [2,11,3]'
  exits 0 gradient $network $text --offset 8 --tokens 1 --special-tokens off --format json
  json '[.tokens[].id] == [11]'
  rejects 'text' gradient $network $text --tokens 12
  rejects 'special' gradient $network $text --tokens 2

  # a layer: none unless asked
  exits 0 certify $layer $text --tokens 9 --no-bounds --format json
  json "[.tokens[].id] == [$inner] and .source.special_tokens == false"
  exits 0 certify $layer $text --tokens 11 --no-bounds --special-tokens on --format json
  json "[.tokens[].id] == [$ids] and .source.special_tokens"
  cp "$tmp/out" "$tmp/certified"
  exits 0 certify $layer --token-ids $ids --no-bounds --format json
  same .lipschitz "$tmp/certified"
  rejects '--tokens' certify $layer $text

  # every command that reads tokens takes ids, and lists them
  for command in certify bounds 'check --estimate 1 --slack 100' spectrum; do
    exits 0 $command $layer --token-ids $ids $named --format json
    json "[.tokens[].id] == [$ids] and .tokens[9].text == \"7\""
    exits 0 $command $layer --token-ids $ids $named
    prints "$line"
  done
  exits 0 robust $network --token-ids $ids $named --radius 1e-3 --format json
  json "[.tokens[].id] == [$ids]"
  exits 0 robust $network --token-ids $ids $named --radius 1e-3
  prints "$line"
  exits 0 sweep $layer --token-ids $ids $named --radius 1e-3:1e-2:log:2 --words 7 --output "$tmp/sweep.csv"
  prints "$line"
  head -n 1 "$tmp/sweep.csv" | sed 's/^# //' >"$tmp/out"
  json "[.tokens[].id] == [$ids] and .special_tokens == false and .text == \"--token-ids\""

  # bytes, printable or not
  exits 0 certify $layer --text "$tmp/bytes" --tokens 5 --no-bounds --format json
  json '[.tokens[] | [.id, .text]] == [[97, "a"], [9, "<0x09>"], [98, "b"], [195, "<0xC3>"], [169, "<0xA9>"]]'
  exits 0 certify $layer --token-ids 97,300 --no-bounds --format json
  json '[.tokens[].text] == ["a", null]'

  # ids from a file
  { (NPY_DTYPE='<i4'; npy '3,') && printf '\002\000\000\000\004\000\000\000\003\000\000\000'; } >"$tmp/ids.npy"
  { (NPY_DTYPE='>u2'; npy '1, 3') && printf '\000\002\000\004\000\003'; } >"$tmp/row.npy"
  { (NPY_DTYPE='|i1'; npy '2,') && printf '\002\377'; } >"$tmp/negative.npy"
  { (NPY_DTYPE='<i4'; npy '0,'); } >"$tmp/none.npy"
  npy '3,' 2 1 0 >"$tmp/floats.npy"
  exits 0 gradient $network --token-ids 2,4,3 --format json
  cp "$tmp/out" "$tmp/three"
  for file in ids row; do
    exits 0 gradient $network --token-ids "$tmp/$file.npy" --format json
    same '[.tokens, .margin]' "$tmp/three"
    json ".inputs == [{role: \"token_ids\", path: \"$tmp/$file.npy\", sha256: .inputs[0].sha256}]"
    ok 'the digest is that of the file' grep -qF "$(sha256sum "$tmp/$file.npy" | cut -d ' ' -f 1)" "$tmp/out"
  done
  rejects 'negative.npy: entry 1 is -1' gradient $network --token-ids "$tmp/negative.npy"
  rejects 'none.npy: 0 integers, expected 1' gradient $network --token-ids "$tmp/none.npy"
  rejects "floats.npy: expected integers, of a dtype such as '<i8' or '<i4', found '<f4'" \
    gradient $network --token-ids "$tmp/floats.npy"
  rejects 'missing.npy: cannot read' gradient $network --token-ids "$tmp/missing.npy"
  rejects 'text: not a .npy file' gradient $network --token-ids "$tmp/text"
  cp "$tmp/ids.npy" "$tmp/work/ids.npy"
  exits 2 gradient $network --token-ids "$tmp/work/ids.npy" --output "$tmp/work/ids.npy"
  ok 'the file it reads' one_line_naming 'which --token-ids reads'
  rm "$tmp/work/ids.npy"

  # ids that are none
  for bad in '' , 1, ,1 1,,2 -1 1,-2 '1, 2' +1 2147483648 99999999999999999999; do
    rejects '--token-ids: expected ids from 0 to 2147483647' gradient $network --token-ids "$bad"
    rejects '--token-ids: expected ids from 0 to 2147483647' certify $layer --token-ids "$bad"
  done
  rejects 'token 1 of the input is 30522, outside the vocabulary 0 to 30521' gradient $network --token-ids 2,30522
  rejects 'token 0 of the input is 2147483647, outside' certify $layer --token-ids 2147483647
  long=$(seq -s , 1 513)
  rejects '513 tokens, but the model has 512 positions' gradient $network --token-ids "$long"
  rejects '513 tokens, but the model has 512 positions' certify $layer --token-ids "$long"
  yes 'good' | head -n 511 >"$tmp/long"
  rejects '513 tokens, but the model has 512 positions' gradient $network --text "$tmp/long" $named

  # what goes together
  for other in "--text $tmp/text" '--input x.npy' '--hidden x.npy' '--tokens 3' '--offset 1' '--special-tokens on'; do
    rejects '--token-ids and --' certify $layer --token-ids 2,3 $other
  done
  rejects '--token-ids and --weights' certify --token-ids 2,3 --weights x
  rejects '--text with it' certify $layer --input x.npy --special-tokens on
  rejects '--n and --token-ids' sweep $layer --n 2 --token-ids 2,3
  rejects '--n and --special-tokens' sweep $layer --n 2 --text "$tmp/text" --special-tokens off
  rejects '--special-tokens: expected on|off' gradient $network $text --special-tokens maybe
  rejects '--special-tokens: this tokenizer (bytes) adds none' gradient $network --text "$tmp/text" --special-tokens on
  rejects '--special-tokens: this tokenizer (WordPiece) adds none' certify $layer --text "$tmp/text" --tokens 3 \
    --tokenizer "$tmp/plain.txt" --special-tokens on
  exits 0 gradient $network --text "$tmp/text" --tokenizer "$tmp/plain.txt" --format json
  json '(.tokens | length) == 9 and .source.special_tokens == false'
  rejects "$tmp/missing" gradient $network --token-ids 2,3 --tokenizer "$tmp/missing"

  # words by name
  exits 0 robust $network $text --words 'movies,"7",",",[CLS]' --radius 1e-3 --format json
  json '.words == [0, 3, 7, 8, 9]'
  cp "$tmp/out" "$tmp/words"
  exits 0 robust $network $text --words 7,8,0,3,9 --radius 1e-3 --format json
  same '[.words, .gradient_norm, .margin_on_ball]' "$tmp/words"
  exits 0 robust $network $text --words good,bad --radius 1e-3
  prints '(words 1, 6: good, bad)'
  exits 0 certify $layer --token-ids $ids $named --radius 1e-3 --words good --no-bounds
  prints "and x'_i = x_i but for i = 1: good"
  rejects "--words: 'movie' occurs more than once, at 2, 7: expected one" gradient $network $text --words movie
  rejects "--words: 'film' is none of the tokens 0 to 10" gradient $network $text --words good,film
  rejects "--words: 7 is there twice" gradient $network $text --words 7,movies
  rejects "the texts of the tokens are not known" gradient $network --token-ids 300,301 --words good
  npy '3, 2' 1 0 0 1 0.5 2 >"$tmp/x.npy"
  rejects "the texts of the tokens are not known" gradient --model random:bert:2,1,1 --hidden "$tmp/x.npy" --words good

  # the memory of a text's tokens counts before they are run
  exits 3 certify $layer --token-ids "$(seq -s , 1 400)" --memory-limit 60K
  ok 'says how much' one_line_naming 'its numbers need'
}

# A classifier's scores, as numpy has them from the definition: its own words, with and without special tokens.
data=${ATTCERT_DATA:-}/faults/cls_model python=$(sh src/python/interpreter numpy)
if [ ! -f "$data/vocab.txt" ] || [ -z "$python" ]; then
  echo '[  SKIPPED ] a classifier and its scores in numpy: no faults/cls_model below ATTCERT_DATA, or no numpy'
  echo '[  SKIPPED ] 1 test(s), listed below:'
  finish
fi
# agrees WORD...: the last run's label and margin are those of the words.
agrees() {
  "$python" tests/clients/bert_classifier.py "$data" "$@" >"$tmp/scores" 2>"$tmp/err" || return
  jq -e --slurpfile s "$tmp/scores" '. as $r | ($s[$r.label] - $s[1 - $r.label]) as $m | ($s | length) == 2 and $m > 0
    and ($r.margin[0] - $m | fabs) < 1e-12 and ($r.margin[1] - $m | fabs) < 1e-12' "$tmp/out" >"$tmp/verdict"
}
# shellcheck disable=SC2086 # words
for words in 'good movie bad' 'good good bad not movie'; do
  echo "$words" >"$tmp/text"
  exits 0 gradient --model "$data" --text "$tmp/text" --format json
  ok "$words, with special tokens" agrees '[CLS]' $words '[SEP]'
  ok 'not without' test "$(agrees $words; echo $?)" -ne 0
  cp "$tmp/out" "$tmp/special"
  exits 0 gradient --model "$data" --text "$tmp/text" --special-tokens off --format json
  ok "$words, without" agrees $words
done
differs .label "$tmp/special"
exits 0 gradient --model "$data" --text "$data/t.txt" --format json
json '[.tokens[].text] == ["[CLS]", "good", "movie", "bad", "[SEP]"] and .label == 0'
ok "t.txt" agrees '[CLS]' good movie bad '[SEP]'
exits 0 gradient --model "$data" --text "$data/t2.txt" --special-tokens off --format json
ok 't2.txt, which has them written out' agrees '[CLS]' good movie bad '[SEP]'
finish
