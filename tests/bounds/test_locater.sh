#!/bin/sh
# The experiment locater: what its training writes is what attcert reads, and the traces that it penalises are those of
# W; interrupted, or ended early and gone on with, it has the same result; a quick run end to end. Skipped without
# PyTorch or the texts.
. tests/cli/harness.sh
texts=${ATTCERT_DATA:-}/text

# ---- curves ----------------------------------------------------------------------------------------------------------

names='rate,penalty,strength,mean,seed,step,input,perplexity'
for name in eigenvalue_mean eigenvalue_variance frobenius entropy_mean; do
  names=$names,${name}_lower,${name}_upper
done
{
  echo '# a comment, with commas'
  echo "$names,lower,upper,T6,T9"
  echo '1,none,0,,0,0,0,90,-1,-0.5,1,1,1,1,1,1,5,6,7,9'
  echo '1,none,0,,1,0,0,70,-2,-1.5,1,1,1,1,2,2,3,4,8,9'
  echo '1,none,0,,0,5,0,10,-2,-1.5,1,1,1,1,2,2,3,4,8,9'
} >"$tmp/locater.csv"
awk -f bounds/locater/curves.awk "$tmp/locater.csv" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'a row a step' test "$(grep -vc '^#' "$tmp/out")" -eq 3
prints '1,none,0,,0,2,80,70,90,-1.25,-2,-0.5,1,1,1,1,1,1,1.5,1,2,4.5,3,6,7.5,7,8,9,9,9'
prints '1,none,0,,5,1,10,10,10,-1.75,-2,-1.5,'

# ---- without PyTorch -------------------------------------------------------------------------------------------------

mkdir "$tmp/none"
echo 'raise ImportError' >"$tmp/none/torch.py"
PYTHONPATH=$tmp/none ATTCERT=$attcert ATTCERT_DATA=${ATTCERT_DATA:-$tmp} \
  sh bounds/experiments/locater.sh quick "$tmp/empty" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'ends in order' test $status -eq 0
prints 'nothing trained, PyTorch is not there'
ok 'and writes no table' test ! -e "$tmp/empty/locater.csv"

# ---- what needs PyTorch ----------------------------------------------------------------------------------------------

# skip WHY: the rest is one skipped test.
skip() {
  echo "[  SKIPPED ] $1"
  echo '[  SKIPPED ] 1 test(s).'
  finish
}
python=$(sh src/python/interpreter numpy torch) || skip 'training: no PyTorch (python3-torch, python3-numpy)'
for split in valid test; do
  [ -f "$texts/wikitext2_$split.txt" ] || skip "training: no $texts/wikitext2_$split.txt"
done

# train FOLDER CHECKPOINTS
train() {
  "$python" -B bounds/locater/train.py --train "$texts/wikitext2_valid.txt" --validate "$texts/wikitext2_test.txt" \
    --folder "$1" --checkpoints "$2" --rate 1e-2 --penalty entries --strength 1 --seed 3 --vocabulary 50 --windows 64 \
    --inputs 2 >"$tmp/out" 2>"$tmp/err"
  status=$?
}
# same FOLDER: what attcert reads, and the table, byte by byte.
same() {
  for file in progress.csv layer-0.safetensors layer-3.safetensors layer-5.safetensors input-5-0.npy input-5-1.npy; do
    ok "$file is the same" cmp "$tmp/whole/$file" "$1/$file"
  done
}
train "$tmp/whole" 0,3,5
ok 'trains' test $status -eq 0
# A folder in the place of a file that the second checkpoint writes.
mkdir -p "$tmp/stopped/input-3-1.npy.partial"
train "$tmp/stopped" 0,3,5
ok 'stopped by a file that cannot be written' test $status -ne 0
ok 'no table yet' test ! -e "$tmp/stopped/progress.csv"
rmdir "$tmp/stopped/input-3-1.npy.partial"
train "$tmp/stopped" 0,3,5
ok 'goes on' test $status -eq 0
same "$tmp/stopped"
train "$tmp/longer" 0,3
ok 'ends early' test "$(tail -n 1 "$tmp/longer/progress.csv" | cut -d , -f 1)" -eq 3
train "$tmp/longer" 0,3,5
same "$tmp/longer"
train "$tmp/direct" 0,5
ok 'checkpoints do not change the training' cmp "$tmp/whole/layer-5.safetensors" "$tmp/direct/layer-5.safetensors"
train "$tmp/direct" 0,3,5
ok 'a checkpoint that was passed: refused' test $status -ne 0 -a ! -e "$tmp/direct/layer-3.safetensors"
train "$tmp/bad" 3,5
ok 'checkpoints that do not begin with 0: refused' test $status -eq 2 -a ! -e "$tmp/bad"

run info "$tmp/whole/layer-5.safetensors"
ok 'attcert reads the layer' test $status -eq 0
prints query.weight

# traced FOLDER STEP: attcert's enclosures contain the exact traces, and the training's are those but for roundings.
traced() {
  exits 0 spectrum --weights "$1/layer-$2.safetensors" --format json --output "$tmp/spectrum.json"
  "$python" -B tests/bounds/locater_spectrum.py "$1/layer-$2.safetensors" "$tmp/spectrum.json" "$1/progress.csv" "$2" \
    >"$tmp/out" 2>"$tmp/err"
  ok "traces at step $2" test $? -eq 0
}
traced "$tmp/whole" 0
traced "$tmp/whole" 5

# ---- a quick run -----------------------------------------------------------------------------------------------------

ATTCERT_DATA=$ATTCERT_DATA BUILD=${BUILD:-build} sh bounds/run quick "$tmp/quick" locater >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'bounds/run quick' test $status -eq 0
prints 'locater.csv: 6 rows, lower <= upper'
for figure in locater-1e-3 locater-constant; do ok "$figure.svg" grep -q '</svg>' "$tmp/quick/$figure.svg"; done

# value PENALTY STEP COLUMN: of locater.csv.
value() {
  awk -F , -v penalty="$1" -v step="$2" -v name="$3" '
    /^#/ { next }
    !columns { columns = NF; for (i = 1; i <= NF; i++) column[$i] = i; next }
    $2 == penalty && $column["step"] == step { print $column[name] }' "$tmp/quick/locater.csv"
}
below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 < b + 0) }'; }
for name in layer-0.safetensors input-0-0.npy; do
  ok "one beginning: $name" test "$(cat "$tmp"/quick/inputs/locater-*/$name | wc -c)" -gt 60000 -a \
    "$(cksum "$tmp"/quick/inputs/locater-*/$name | cut -d ' ' -f 1 | sort -u | wc -l)" -eq 1
done
ok 'the variance that is penalised is smaller' \
  below "$(value eigenvalues 12 eigenvalue_variance_upper)" "$(value none 12 eigenvalue_variance_lower)"
ok 'the norm that is penalised is smaller' \
  below "$(value entries 12 frobenius_upper)" "$(value none 12 frobenius_lower)"
ok 'the mean is drawn to 0.1' \
  below "$(value none 12 eigenvalue_mean_upper)" "$(value entries 12 eigenvalue_mean_lower)"
ok 'the perplexity falls' below "$(value none 12 perplexity)" "$(value none 0 perplexity)"
# Row i has i weights: its entropy is at most ln i.
ok 'entropies below the mean of ln i' awk -F , '
  BEGIN { for (i = 2; i <= 64; i++) most += log(i) / 64 }
  /^#/ { next }
  !columns { columns = NF; for (i = 1; i <= NF; i++) column[$i] = i; next }
  { rows++; low = $column["entropy_mean_lower"]; high = $column["entropy_mean_upper"] }
  low < 0 || low > high || low > most { bad = 1 }
  END { exit bad || rows != 6 }' "$tmp/quick/locater.csv"
cp "$tmp/quick/locater.csv" "$tmp/first.csv"
sh bounds/run quick "$tmp/quick" locater >"$tmp/out" 2>"$tmp/err"
ok 'again: nothing is computed' eval '! grep -q "trainings\|certificates" "$tmp/out"'
ok 'again: the same table' cmp "$tmp/first.csv" "$tmp/quick/locater.csv"
finish
