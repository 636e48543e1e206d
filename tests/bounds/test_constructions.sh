#!/bin/sh
# The programs that build inputs: T3's input reaches T3, tokens stay in the ball, and scaled tokens reach T8's limit.
. tests/cli/harness.sh
start=${BUILD:-build}/bounds/constructions/worst_start
scaled=${BUILD:-build}/bounds/constructions/scaled_input
model=random:gpt2:16,2,2

# built PROGRAM ARGUMENT...: $status, $tmp/out, $tmp/err
built() {
  "$@" >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok "$*" test "$status" -eq 0
}
denied() {
  culprit=$1
  shift
  "$@" >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok "refused: $*" test "$status" -eq 2
  ok "one line that names $culprit" eval '[ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qF -- "$culprit" "$tmp/err"'
  ok 'no file' test ! -e "$tmp/work/x.npy"
}

for seed in 0 1 2; do
  built "$start" $model $seed 1 0 head t3 9 60 "$tmp/t3.npy"
  ok 'says which' grep -q '^T3, ' "$tmp/out"
  exits 0 bounds --model $model --seed $seed --layer 1 --heads 0 --mask none --input "$tmp/t3.npy" --radius-of-inputs 60 --format json
  json '.layer.n == 9 and .lipschitz as $l | .bounds[] | select(.id == "T3") | .lower <= $l.upper and .lower > 0'
  # another A: the same layer, a direction that is not an eigenvector of the head's own
  built "$start" $model $seed 1 0 rows t3 9 60 "$tmp/rows.npy"
  ok 'rows are not the head' eval '! cmp -s "$tmp/t3.npy" "$tmp/rows.npy"'
  exits 0 bounds --model $model --seed $seed --layer 1 --input "$tmp/rows.npy" --radius-of-inputs 60 --format json
done
built "$start" $model 0 1 0 head clusters 9 60 "$tmp/clusters.npy"
exits 0 bounds --model $model --seed 0 --layer 1 --heads 0 --mask none --input "$tmp/clusters.npy" --radius-of-inputs 60 --format json
denied HEAD "$start" $model 0 1 2 head t3 9 60 "$tmp/work/x.npy"
denied 'head or rows' "$start" $model 0 1 0 feet t3 9 60 "$tmp/work/x.npy"
denied N "$start" $model 0 1 0 head t3 1 60 "$tmp/work/x.npy"
denied R "$start" $model 0 1 0 head t3 9 -1 "$tmp/work/x.npy"
denied 'no such input' "$start" $model 0 1 0 head clusters 2 60 "$tmp/work/x.npy"
denied expected "$start" $model

# T8: a random model has seed 0 there
seq 1 100 | tr '\n' ' ' >"$tmp/text"
exits 0 certify --model $model --layer 1 --text "$tmp/text" --tokens 7 --save-input "$tmp/x.npy"
for mask in none causal; do
  built "$scaled" $model 1 0 $mask "$tmp/x.npy" 1 "$tmp/same.npy"
  ok 't = 1 changes nothing' cmp "$tmp/same.npy" "$tmp/x.npy"
  ok "small weights at t = 1: $(cat "$tmp/out")" eval 'test "$(cut -c 1-3 "$tmp/out")" != 1.0'
  built "$scaled" $model 1 0 $mask "$tmp/x.npy" 65536 "$tmp/large.npy"
  ok "weights of one at t = 65536: $(cat "$tmp/out")" grep -q '^1.000000,' "$tmp/out"
  low=$(cut -d , -f 2 "$tmp/out") high=$(cut -d , -f 3 "$tmp/out")
  exits 0 certify --model $model --layer 1 --heads 0 --mask $mask --input "$tmp/large.npy" --format json
  json ".lipschitz | .lower <= $high * 1.000001 and .upper >= $low * 0.999999"
done
denied T "$scaled" $model 1 0 none "$tmp/x.npy" 0 "$tmp/work/x.npy"
denied HEAD "$scaled" $model 1 7 none "$tmp/x.npy" 2 "$tmp/work/x.npy"
denied mask "$scaled" $model 1 0 some "$tmp/x.npy" 2 "$tmp/work/x.npy"
denied "$tmp/gone.npy" "$scaled" $model 1 0 none "$tmp/gone.npy" 2 "$tmp/work/x.npy"
finish
