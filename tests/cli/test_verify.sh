#!/bin/sh
# Certificates of `robust`, and `verify`: the answer proved again; another file, radius, class, question or key noticed.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
npy '3, 2' 0 1 1 0.5 2 -1 >"$tmp/x.npy"
npy '3, 2' 0 1 1 0.5 2 0.5 >"$tmp/other.npy"
x="--hidden $tmp/x.npy" c=$tmp/c.json
names='"id2label":{"0":"bad","1":"so so","2":"good"},'
pooler='bert.pooler.dense.weight:2:2 bert.pooler.dense.bias:2' classifier='classifier.weight:3:2 classifier.bias:3'
# shellcheck disable=SC2086 # several tensors
{
  bert_folder sequence "\"architectures\":[\"BertForSequenceClassification\"],$names" $pooler $classifier
  bert_folder several "\"problem_type\":\"multi_label_classification\",$names" $pooler $classifier
}
random='--model random:bert:16,2,2 --seed 1 --text src/cli/demo.txt --tokens 6 --words 2' text='--model random:bert:16,2,2 --text src/cli/demo.txt --tokens 6'

# certified ARGUMENT...: robust certifies, with a certificate $c of what the schema says; verify proves it again.
certified() {
  exits 0 robust "$@" --attack 0 --certificate "$c" --format json
  radius=$(jq .radius_certified "$tmp/out")
  ok 'the keys of the schema' jq -e --slurpfile schema src/cli/certificate/certificate_schema.json \
    '$schema[0] as $s | keys == ($s.properties | keys) and (keys - $s.required == ["found"])
      and (.files | all(keys == ["path", "role", "sha256"]))' "$c"
  exits 0 verify "$c" --format json
  json ".schema == \"attcert/verify/1\" and .verified and .margin_on_ball[0] > 0 and .radius_certified == $radius"
  json "$(jq -c '.margin' "$c") == .margin_on_ball and (.label | . == null or . == $(jq '.class' "$c"))"
}

# changed FILTER: the certificate with jq's filter applied.
changed() {
  jq "$1" "$c" >"$tmp/changed.json"
}

# shellcheck disable=SC2086 # the shorthands above are several words
{
  certified $random --search
  ok 'no search is left in the question' test -z "$(jq -r '.question[]' "$c" | grep -e '--search' -e '--attack')"
  exits 0 verify "$c"
  prints 'certified  '
  prints 'it is the same for every input whose rows differ in the words named'
  changed '.question[-1] = "1000"'
  exits 4 verify "$tmp/changed.json"
  prints 'undecided  the bound does not show it at 1.00000e+03'
  ok 'no rival' grep -qx 'label      [01]' "$tmp/out"

  # what was searched: numbers that are others, or none, prove nothing else
  certified --model random:bert:16,2,2 --seed 2 --text src/cli/demo.txt --tokens 4 --ball entry --search
  ok 'slopes were searched' jq -e '.found.differences | length > 0 and all(.slopes | length > 0)' "$c"
  changed 'del(.found)'
  exits 0 verify "$tmp/changed.json"
  for numbers in AAAA CAfw ////; do
    changed ".found.differences[].slopes |= (.[:-4] | gsub(\"....\"; \"$numbers\")) + .[-4:]"
    exits 0 verify "$tmp/changed.json"
    changed ".found.differences[].slopes |= (.[:-4] | gsub(\"....\"; \"$numbers\")) + .[-4:] | .question[-1] = \"1000\""
    exits 4 verify "$tmp/changed.json"
  done
  changed '.found.differences[].slopes = "AAAAAAAAAAA="'
  exits 0 verify "$tmp/changed.json"
  changed '.found.differences[0].splits = "//8=" | .found.narrowed = true'
  exits 0 verify "$tmp/changed.json"
  changed '.found.differences[0].slopes = "AAA="'
  rejects 'base64 of whole numbers' verify "$tmp/changed.json"
  changed '.found.differences[0].slopes = "no*"'
  rejects 'base64 of whole numbers' verify "$tmp/changed.json"
  changed '.found.differences[0].more = 1'
  rejects 'differences, each of a class' verify "$tmp/changed.json"
  changed '.found.narrowed = 1'
  rejects "'narrowed', true or false" verify "$tmp/changed.json"

  # every way to ask is in the question
  certified --model "$tmp/sequence" $x --radius 1e-3 --ball entry --label good
  certified --model "$tmp/sequence" $x --radius 1e-4 --execution float32 --ulp 8 --words 0,2
  exits 0 verify "$c" --format json
  json '.execution == "float32" and .executed.ulp == 8 and .words == [0, 2]'
  exits 0 verify "$c"
  prints 'execution  float32, functions within 8 ulp'

  certified --model "$tmp/sequence" --box "$tmp/x.npy" "$tmp/x.npy"
  ok 'a box has no radius' jq -e '.question[-3:] == ["--box", "'"$tmp/x.npy"'", "'"$tmp/x.npy"'"]' "$c"
  exits 0 verify "$c"
  prints 'certified  no input of the box changes the answer'
  certified --model "$tmp/sequence" $x --radius 1e-3 --norm 1

  # other bytes, other places
  cp "$tmp/x.npy" "$tmp/moved.npy"
  exits 0 verify "$c" --hidden "$tmp/moved.npy"
  rejects 'the hidden has SHA-256' verify "$c" --hidden "$tmp/other.npy"
  rejects '--text: ' verify "$c" --text src/cli/demo.txt
  mv "$tmp/sequence" "$tmp/elsewhere"
  rejects "$tmp/sequence" verify "$c"
  exits 0 verify "$c" --model "$tmp/elsewhere"
  printf ' ' >>"$tmp/elsewhere/config.json"
  rejects 'config.json: the model has SHA-256' verify "$c" --model "$tmp/elsewhere"
  mv "$tmp/elsewhere" "$tmp/sequence"
  changed '.files = []'
  rejects "0 'files'" verify "$tmp/changed.json"

  # the file itself
  certified --model "$tmp/several" $x --radius 1e-4
  changed '.class = 1'
  rejects "'class' is 1" verify "$tmp/changed.json"
  changed '.class = 77'
  rejects "'class' is 77" verify "$tmp/changed.json"
  changed '.more = 1'
  rejects "the key 'more' is unknown" verify "$tmp/changed.json"
  changed '.schema = "attcert/certificate/2"'
  rejects 'the schema attcert/certificate/1' verify "$tmp/changed.json"
  changed '.question = 3'
  rejects "'question'" verify "$tmp/changed.json"
  changed '.question += [3]'
  rejects "texts in 'question'" verify "$tmp/changed.json"
  changed '.question += ["--help"]'
  rejects 'no --help' verify "$tmp/changed.json"
  changed '.question |= .[:-2]'
  rejects 'question: no radius is named' verify "$tmp/changed.json"
  changed '.question[-2:] = ["--search"]'
  rejects 'question: expected --radius' verify "$tmp/changed.json"
  changed '.question += ["--layer", "1"]'
  rejects "question: robust does not take the option '--layer'" verify "$tmp/changed.json"
  rejects 'expected CERTIFICATE' verify
  rejects 'both name' robust --model "$tmp/several" $x --radius 1e-4 --certificate "$tmp/work/result"
  rejects '--synonyms and --certificate' robust $text --synonyms src/cli/demo.txt --certificate "$tmp/work/c.json"
  rejects 'which --hidden reads' robust --model "$tmp/several" $x --radius 1e-4 --certificate "$tmp/x.npy"
  exits 2 verify "$c" --output "$c"
  ok 'the certificate is not overwritten' one_line_naming 'which the command reads'

  # nothing certified, no certificate
  rm "$c"
  exits 4 robust --model "$tmp/several" $x --radius 100 --attack 0 --certificate "$c"
  ok 'no certificate' test ! -e "$c"
}
finish
