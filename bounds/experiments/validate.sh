#!/bin/sh
# E9: a faster tool as a client: the published power iteration, by PyTorch in float32 and float64, beside enclosures of
# the same layers at the same inputs: validate.csv, a row a start. Needs python3-torch and python3-numpy.
# usage: bounds/experiments/validate.sh quick|full FOLDER
. bounds/lib.sh
if ! python=$(sh src/python/interpreter numpy torch); then
  echo "validate: nothing done, PyTorch is not there (apt-get install --no-install-recommends python3-torch python3-numpy)"
  exit 0
fi
export PYTHONPATH="$PWD/src/python" ATTCERT_LIBRARY="$BUILD/libattcert.so.0"

# rows MODEL LAYER INPUT RULE STARTS: kept in a file of their own, so that an interrupted run goes on.
rows() {
  path=$reports/validate-$(printf '%s ' "$@" | cksum | tr ' ' -).csv
  echo "$path" >>"$scratch/paths"
  if [ ! -s "$path" ]; then later_into "$path" "$python" tests/clients/power_iteration.py "$@"; fi
}
# The input of layer 1 is what layer 0 makes of the sentence.
sentence_input() {
  file=$inputs/validate_sentence_$1_$2.npy
  "$ATTCERT" certify --model "$models/bert-tiny-sst2" --layer "$2" --hidden "$models/bert-tiny-sst2/input_$1.npy" --engine pointwise \
    --no-bounds --save-input "$file" >/dev/null
  echo "$file"
}

starts=$(by_mode 1 5)
for layer in $(by_mode 0 '0 1'); do
  for sentence in $(by_mode 1 '0 1 2 3 4'); do
    rows "$models/bert-tiny-sst2" "$layer" "$(sentence_input "$sentence" "$layer")" bert "$starts"
  done
done
for model in $(by_mode mini-gpt 'char-gpt mini-gpt'); do
  for layer in $(by_mode 1 '0 1 2 3'); do
    for offset in $(by_mode 0 '0 500 1000'); do
      rows "$models/$model" "$layer" "$(text_input "$model" "$layer" "$(by_mode 8 32)" "$offset")" gpt2 "$starts"
    done
  done
done
if [ "$mode" = full ]; then
  rows random:bert 0 10 bert "$starts"
  rows random:bert 0 10 random "$starts"
fi
run_all
{
  echo '# estimates of the published power iteration by PyTorch, and enclosures of the same numbers'
  echo 'model,layer,n,rule,start,format,steps,stopped,iterated,lower,upper,below'
  xargs cat <"$scratch/paths"
} >"$scratch/validate.csv"
mv "$scratch/validate.csv" "$folder/validate.csv"
awk -F , '!/^#/ && $1 != "model" { rows++; if ($12 > 1e-6) a++; if ($12 > 1e-3) b++; if ($12 > 0.1) c++ }
  END { printf "validate: %d estimates, below the certified lower end by more than 1e-6: %d, 1e-3: %d, 1e-1: %d\n", rows, a, b, c }' \
  "$folder/validate.csv"
