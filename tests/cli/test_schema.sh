#!/bin/sh
# Every kind of report in JSON has the keys and types that its schema in src/report/schema says, and no others; so do
# the rows of a data set.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
export OPENBLAS_NUM_THREADS=1
if ! python3 -c 'import jsonschema' 2>/dev/null; then
  echo '[  SKIPPED ] schemas of reports: no python3-jsonschema'
  echo '[  SKIPPED ] 1 test(s).'
  finish
  exit
fi

bert='--model random:bert:16,2,2 --seed 1 --text src/cli/demo.txt --tokens 4'
gpt2='--model random:gpt2:16,2,2 --layer 1 --text src/cli/demo.txt --tokens 4'
llama='--model random:llama:16,2,1,2 --layer 0 --text src/cli/demo.txt --tokens 4'
mkdir "$tmp/reports"
count=0
# What stands in the ball's place: a box of two tokens of two numbers, words for others.
bert_folder pooled '"hidden_act":"gelu",' bert.pooler.dense.weight:2:2 bert.pooler.dense.bias:2 classifier.weight:2:2 \
  classifier.bias:2
npy '2, 2' 0 0.5 1 0.5 >"$tmp/low.npy"
npy '2, 2' 0 2 1 0.5 >"$tmp/high.npy"
echo '2 120 121' >"$tmp/words"
printf 'text,label\ngood,0\nbad,1\nawful,7\n' >"$tmp/texts.csv"

# reports STATUS ARGUMENT...: one more report.
reports() {
  count=$((count + 1))
  expected=$1
  shift
  exits "$expected" "$@" --format json --output "$tmp/reports/$count.json"
}

# shellcheck disable=SC2086 # several words
{
  reports 0 certify $gpt2 --save-input "$tmp/x.npy" --vector-out "$tmp/u.npy"
  reports 0 certify $gpt2 --radius 0.01 --words 1,2 --no-bounds
  reports 0 certify $gpt2 --engine random --seed-of-bits 1 --no-bounds --tolerance 0.1
  reports 0 certify $llama --function block --no-bounds
  reports 0 certify --model random:gpt2:16,2,2 --layer 1 --input "$tmp/x.npy,$tmp/x.npy" --radius 0.01
  reports 0 bounds $gpt2 --radius-of-inputs 10
  reports 1 check $gpt2 --estimate 0.5 --vector "$tmp/u.npy"
  reports 0 worst --model random:gpt2:16,2,2 --layer 1 --heads 0 --mask none --tokens 3 --radius-of-inputs 4
  reports 0 spectrum $gpt2
  reports 0 spectrum --model random:gpt2:16,2,2 --layer 1 --heads 0 --propagation --length 6
  reports 0 predict $bert
  reports 0 predict --model random:gpt2:16,2,2 --text src/cli/demo.txt --tokens 3 --positions all --top 1
  reports 0 gradient $bert --words 2
  reports 0 robust $bert --words 2 --radius 1e-3 --attack 0
  reports 0 robust $bert --words 2 --radius 1e-3 --execution float32 --attack 0
  reports 0 robust $bert --norm inf --radius 1e-4 --attack 0 --certificate "$tmp/certificate"
  reports 1 robust $bert --words 2 --radius 1e4
  reports 0 robust --model "$tmp/pooled" --box "$tmp/low.npy" "$tmp/high.npy"
  reports 0 robust $bert --synonyms "$tmp/words"
  reports 0 robust $bert --synonyms "$tmp/words" --enumerate 1
  reports 1 robust $bert --synonyms "$tmp/words" --label 1
  reports 0 robust $bert --words 2 --radius 1e-3 --plan
  reports 0 verify "$tmp/certificate"
  reports 0 info "$tmp/x.npy"
  reports 0 info random:bert:16,2,2
  for radius in '--radius 1e-4' '--relative 0.1'; do
    count=$((count + 1))
    exits 2 robust --model random:bert:16,2,2 --seed 1 --dataset "$tmp/texts.csv" $radius --attack 10 \
      --output "$tmp/reports/$count.csv" --format json
    cp "$tmp/out" "$tmp/reports/$count.json"
  done
}
# validate FILE...
validate() {
  python3 -B tests/cli/validate_reports.py "$@" >"$tmp/out" 2>"$tmp/err"
  status=$?
}
validate "$tmp"/reports/*.json "$tmp"/reports/*.csv
ok "$count reports" test "$status" -eq 0
ok 'a schema each' test "$(jq -r .schema "$tmp"/reports/*.json | sort -u | wc -l)" -eq "$(ls src/report/schema/*.json | grep -cv common)"
rows=$tmp/reports/$count.csv
ok 'rows and an error' test "$(tail -n +3 "$rows" | cut -d , -f 4 | sort | tr '\n' ' ')" = 'certified error wrong '

# refuses WHAT FILTER: a report that the filter changes is not one.
refuses() {
  jq "$2" "$tmp/reports/1.json" >"$tmp/changed.json"
  validate "$tmp/changed.json"
  ok "refuses $1" test "$status" -eq 1
}
# refuses_rows WHAT SED: so are rows that sed changes.
refuses_rows() {
  sed "$2" "$rows" >"$tmp/changed.csv"
  validate "$tmp/changed.csv"
  ok "refuses $1" test "$status" -eq 1
}
refuses_rows 'a verdict that is none' 's/,certified,/,sure,/'
refuses_rows 'a column more' '2s/$/,more/'
refuses_rows 'a negative radius' '/,certified,/s/certified,/&-/'
refuses_rows 'a key of the header less' '1s/"ball": "sequence", //'
refuses 'a key more' '.more = 1'
refuses 'a key more inside' '.lipschitz.more = 1'
refuses 'a key less' 'del(.engine)'
refuses 'another type' '.lipschitz.lower = "0"'
finish
