#!/bin/sh
# From a certificate to a figure in bounds/README.md: rows from reports, fits, medians, prefixes of .npy files, the
# README's tables.
. tests/cli/harness.sh
model='--model random:gpt2:16,2,1 --layer 0'
seq 1 200 | tr '\n' ' ' >"$tmp/text"
columns=lower,upper,relative_width,estimate,engine,T1,T2,T3,T4,T5,T6,T7,T9,T10

# shellcheck disable=SC2086 # $model is several words
{
  # a report's row has the fields that a sweep writes for the same tokens
  exits 0 sweep $model --text "$tmp/text" --n 2:10:2 --sequences 2 --output "$tmp/sweep.csv"
  cp "$tmp/out" "$tmp/summary"
  exits 0 certify $model --text "$tmp/text" --tokens 6 --offset 6 --format json --output "$tmp/report.json" --save-input "$tmp/x.npy"
  row=$(awk -v columns=$columns -f bounds/report_row.awk "$tmp/report.json")
  ok "the row of a sweep: $row" test "$row" = "$(grep '^6,2,' "$tmp/sweep.csv" | cut -d , -f 5-18)"
  exits 0 certify $model --heads 1 --mask none --input "$tmp/x.npy" --format json --output "$tmp/head.json"
  row=$(awk -v columns=T3,T5 -f bounds/report_row.awk "$tmp/head.json")
  ok "T3's lower bound, and no T5: $row" test "$row" = "$(jq -r '.bounds[] | select(.id == "T3").lower' "$tmp/head.json" |
    awk '{ printf "%.16e,", $1 }')"
  sed 's/"upper": [^,]*/"upper": null/; s/"upper_hex": "[^"]*"/"upper_hex": "inf"/' "$tmp/report.json" >"$tmp/infinite.json"
  row=$(awk -v columns=upper -f bounds/report_row.awk "$tmp/infinite.json")
  ok 'an infinite upper end' test "$row" = inf
  echo '{}' >"$tmp/none.json"
  ok 'no certificate: fails' eval '! awk -v columns=lower -f bounds/report_row.awk "$tmp/none.json" 2>"$tmp/err"'

  # the fit is that of the sweep's summary
  fit=$(awk -f bounds/fit.awk "$tmp/sweep.csv")
  ok "rows and lengths: $fit" test "$(echo "$fit" | cut -d , -f 1-3)" = 10,2,10
  law=$(echo "$fit" | awk -F , '{ printf "%.3g %.3g", $4, $5 }')
  ok "the power law $law" test "$law" = "$(sed -n 's/^fit .*~ \([^ ]*\) n^\([^,]*\),.*/\1 \2/p' "$tmp/summary" |
    awk '{ printf "%.3g %.3g", $1, $2 }')"

  # the beginning of an input
  exits 0 certify $model --text "$tmp/text" --tokens 4 --offset 6 --save-input "$tmp/four.npy"
  sh bounds/npy_prefix 4 "$tmp/x.npy" "$tmp/prefix.npy"
  ok 'the first rows, byte by byte' cmp "$tmp/prefix.npy" "$tmp/four.npy"
  ok 'how many rows' test "$(sh bounds/npy_prefix "$tmp/x.npy")" -eq 6
  for n in 0 7 -1; do
    sh bounds/npy_prefix $n "$tmp/x.npy" "$tmp/work/none.npy" 2>"$tmp/err"
    ok "$n rows: refused" test $? -eq 2 -a ! -e "$tmp/work/none.npy"
  done
}

# medians over the longest tight rows
{
  echo 'n,lower,upper,T1,T2'
  echo '4,1,1,100,'
  for t in 3 9 5 8; do echo "6,2,2,$t,"; done
  echo '8,1,2,1000,'
} >"$tmp/growth.csv"
medians=$(awk -v bounds='T1 T2' -f bounds/median.awk "$tmp/growth.csv")
ok "median of 3 5 8 9 over 2: $medians" test "$medians" = 6,4,3.25,

# bounds/run refuses what it cannot run, with one line, before it writes anything
refuses() {
  culprit=$1
  shift
  ATTCERT_DATA=$data BUILD=${BUILD:-build} sh bounds/run "$@" >"$tmp/out" 2>"$tmp/err"
  ok "bounds/run $*: exit status 2" test $? -eq 2
  ok "one line that names $culprit" eval '[ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qF -- "$culprit" "$tmp/err"'
  ok 'no folder' test ! -e "$tmp/results"
}
mkdir -p "$tmp/data/models"
data=$tmp/data
refuses 'quick or full' slow "$tmp/results"
refuses 'quick|full FOLDER' quick
refuses "'magic'" quick "$tmp/results" magic
data=$tmp/nowhere
refuses 'no folder models' quick "$tmp/results"

# the tables of the README are those of the results, its figures and links exist, its experiments and scripts too
sh bounds/tables check >"$tmp/out" 2>"$tmp/err"
ok 'bounds/README.md has the tables of bounds/results' test $? -eq 0
sh bounds/check bounds/results >"$tmp/out" 2>"$tmp/err"
ok 'the results agree with the theory' test $? -eq 0
grep -oE '\]\([^)]*\)' bounds/README.md | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^https://' >"$tmp/links"
while IFS= read -r link; do ok "README links to $link" test -e "bounds/$link"; done <"$tmp/links"
for figure in bounds/results/*.svg; do
  ok "$figure is UTF-8, as browsers demand" iconv -f UTF-8 -t UTF-8 -o "$tmp/out" "$figure"
done
for script in bounds/experiments/*.sh; do
  ok "README names $script" grep -q "\`$(basename "$script" .sh)\`" bounds/README.md
done
finish
