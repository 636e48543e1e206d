#!/bin/sh
# What a floating-point execution of a classifier costs its certificate: bert-tiny-sst2 (a small stand-in) at its five
# inputs, in exact arithmetic and in four formats.
#   robust.csv           the radius certified for the word at place 1, the margin, the bound of its error in the format
#   robust_executed.csv  executions by PyTorch beside that bound (bounds/programs/executed_margins.py); fails where one
#                        exceeds it. PyTorch is optional: Debian's python3-torch and python3-numpy.
# usage: bounds/experiments/robust.sh quick|full FOLDER
. bounds/lib.sh
model=$models/bert-tiny-sst2
formats='float64 float32 bfloat16 float16'
sentences=$(by_mode 1 '0 1 2 3 4')
question=$(by_mode '--radius 0.01' --search)

piece() { echo "$reports/robust-$mode-$1-$2.json"; }
# Exit status 4, undecided, is an answer too.
certify() {
  if [ -s "$(piece "$1" "$2")" ]; then return; fi
  # shellcheck disable=SC2086,SC2016 # a question of one or two words; the inner shell expands
  later sh -c '"$@" || [ $? -eq 4 ]' sh "$ATTCERT" robust --model "$model" --hidden "$model/input_$1.npy" --words 1 \
    $question --attack 0 --execution "$2" --format json --output "$(piece "$1" "$2")"
}

for sentence in $sentences; do
  for format in exact $formats; do certify "$sentence" "$format"; done
done
run_all

{
  echo '# bert-tiny-sst2, word 1; certified: null where no radius is; error: of the margin at the input in any execution'
  echo input,n,execution,margin,error,certified
  for sentence in $sentences; do
    for format in exact $formats; do
      jq -r '["input_'"$sentence"'", .network.n, .execution.format, .margin[0], .execution.error, .radius_certified] | @csv' \
        "$(piece "$sentence" "$format")" | tr -d '"'
    done
  done
} >"$folder/robust.csv.partial"
mv "$folder/robust.csv.partial" "$folder/robust.csv"

python=$(command -v /usr/bin/python3 || command -v python3 || true)
if [ -z "$python" ] || ! "$python" -c 'import numpy, torch' 2>/dev/null; then
  echo "robust: no executions, PyTorch is not there (apt-get install --no-install-recommends python3-torch python3-numpy)"
  exit 0
fi
{
  echo '# executions by PyTorch; observed: distance of the margin from the exact one; bound: of any execution'
  echo input,execution,variant,executed,observed,bound,ratio
  for sentence in $sentences; do
    # shellcheck disable=SC2046 # one path a format
    "$python" bounds/programs/executed_margins.py "$model" "$model/input_$sentence.npy" \
      $(for format in $formats; do piece "$sentence" "$format"; done)
  done
} >"$folder/robust_executed.csv.partial"
mv "$folder/robust_executed.csv.partial" "$folder/robust_executed.csv"
awk -F , '!/^#/ && $1 != "input" { if ($7 > most) most = $7; rows++ }
  END { printf "robust: %d executions, the largest error %.3g of its bound\n", rows, most }' "$folder/robust_executed.csv"
