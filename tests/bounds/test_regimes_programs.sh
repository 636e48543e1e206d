#!/bin/sh
# The programs of the experiments regimes, layernorm, paper_variants and heads as commands: their tables, and what they
# refuse.
# shellcheck disable=SC2016 # awk expands, not the shell
. tests/cli/harness.sh
export OPENBLAS_NUM_THREADS=1
programs=${BUILD:-build}/bounds/programs
text=src/cli/demo.txt

# program STATUS NAME ARGUMENT...: the run ends with that status.
program() {
  expected=$1 name=$2
  shift 2
  "$programs/$name" "$@" >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok "$name $*" test "$status" -eq "$expected"
}
# refuses CULPRIT NAME ARGUMENT...: exit status 2, one line that names the culprit, no file left.
refuses() {
  culprit=$1
  shift
  program 2 "$@"
  ok "one line naming '$culprit'" grep -qF -- "$culprit" "$tmp/err"
  ok 'one line' test "$(wc -l <"$tmp/err")" -eq 1
  ok 'no file left' test -z "$(ls -A "$tmp/work")"
}
# table FILE ROWS: that many rows under the names, as many fields in each, and nothing that contradicts the theory.
table() {
  ok "$2 rows" test "$(wc -l <"$1")" -eq $(($2 + 1))
  ok 'equal rows' test "$(awk -F, '{ print NF }' "$1" | sort -u | wc -l)" -eq 1
  ok 'holds' awk -f bounds/check.awk "$1"
}
# field FILE COLUMN FILTER: the column, in the rows that pass awk's filter; at[NAME] is the number of a column.
field() {
  awk -F, -v column="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } '"$3"' { print $at[column] }' "$1"
}

# heads and regimes
program 0 write_head negative "$tmp/negative"
program 0 write_head random 2 4 1 "$tmp/random"
program 0 write_head signs 4 3 0.5 "$tmp/signs"
exits 0 spectrum --weights "$tmp/signs" --format json
json '.heads[0] | .trace == [1, 1] and .trace_of_square == [1, 1] and [.eigenvalues[].multiplicity] == [3, 1]'
exits 0 info "$tmp/random"
program 0 regimes "$tmp/r.csv" "$tmp/negative" none 2 20 3 2 3 40
table "$tmp/r.csv" 3
ok 'T3 is verified' test -n "$(field "$tmp/r.csv" T3 '$at["n"] == 40')"
ok 'an ascent up to 3 tokens' test -n "$(field "$tmp/r.csv" ascent '$at["n"] == 3')"
ok 'and none beyond' test -z "$(field "$tmp/r.csv" ascent '$at["n"] == 40')"
# the bounds are attcert's, up to the rounding of their decimals
exits 0 worst --weights "$tmp/negative" --tokens 3 --radius-of-inputs 2 --steps 5 --starts 0 --format json
for bound in T1 T2 T4 T9; do
  theirs=$(jq -r ".bounds[] | select(.id == \"$bound\") | .upper" "$tmp/out")
  ours=$(field "$tmp/r.csv" "$bound" '$at["n"] == 3')
  ok "$bound is attcert's" awk -v a="$theirs" -v b="$ours" 'BEGIN { exit !(b >= a * (1 - 1e-15) && b <= a * (1 + 1e-15)) }'
done
program 0 regimes "$tmp/c.csv" "$tmp/random" causal 1 5 0 5 500
table "$tmp/c.csv" 2
ok 'T5 under the mask' test -n "$(field "$tmp/c.csv" T5 '$at["n"] == 5')"

refuses 'expected OUTPUT' regimes "$tmp/work/x.csv"
refuses 'mask: expected none or causal' regimes "$tmp/work/x.csv" "$tmp/random" some 1 5 0 5
refuses 'R: expected a positive number' regimes "$tmp/work/x.csv" "$tmp/random" none -1 5 0 5
refuses 'N: expected an integer from 1 up' regimes "$tmp/work/x.csv" "$tmp/random" none 1 5 0 5 0
refuses "$tmp/absent" regimes "$tmp/work/x.csv" "$tmp/absent" none 1 5 0 5
refuses 'SEED: expected an integer from 0 up' write_head random 2 4 x "$tmp/work/x"
refuses "expected 'negative FILE'" write_head other "$tmp/work/x"

# models
program 0 layernorm "$tmp/l.csv" random:gpt2:8,2,3 1 "$text" 0 4
table "$tmp/l.csv" 4
program 0 layernorm "$tmp/l.csv" random:bert:8,2,3 2 "$text" 0 3
table "$tmp/l.csv" 4
program 0 paper_variants "$tmp/v.csv" random:gpt2:8,2,3 1 "$text" 0 4
table "$tmp/v.csv" 12 # plain and unmasked; plain, sliced and three drawings of two heads
program 0 paper_variants "$tmp/v.csv" random:bert:8,2,3 0 "$text" 0 4
table "$tmp/v.csv" 4 # plain, masked, self, block

for kind in plain rotary norm norm+rotary cap window; do
  program 0 head_variants "$tmp/h.csv" $kind random:gpt2:8,2,3 1 "$text" 0 4 1 16
  table "$tmp/h.csv" 4 # two inputs, two factors
done

refuses 'expected layer 1' layernorm "$tmp/work/x.csv" random:bert:8,2,3 0 "$text" 0 4
refuses 'LAYER: expected an integer' layernorm "$tmp/work/x.csv" random:bert:8,2,3 one "$text" 0 4
refuses 'N: expected an integer from 1 up' paper_variants "$tmp/work/x.csv" random:bert:8,2,3 0 "$text" 0 0
refuses "$tmp/absent" paper_variants "$tmp/work/x.csv" random:bert:8,2,3 0 "$tmp/absent" 0 4
refuses 'expected OUTPUT MODEL LAYER SOURCE OFFSET N' paper_variants
refuses 'expected plain|rotary|norm|norm+rotary|cap|window' head_variants "$tmp/work/x.csv" other random:gpt2:8,2,3 1 "$text" 0 4 1
refuses 'T: expected a positive number' head_variants "$tmp/work/x.csv" cap random:gpt2:8,2,3 1 "$text" 0 4 -1
refuses 'expected OUTPUT KIND MODEL LAYER SOURCE OFFSET N T...' head_variants "$tmp/work/x.csv" cap
finish
