#!/bin/sh
# Which heads of the trained models localise, and what their eigenspectra say: a row a head and input.
#   localisation.csv        enclosed by attcert: mean and variance of the eigenvalues of W = Q^T K, ||W||_F, ||W||_2,
#                           the mean entropy of a row of attention, the largest weight; the head's own local constant
#                           and the theory's bounds. uniform: the mean entropy of uniform rows, mean_i ln |N(i)|
#   localisation_ranks.csv  Spearman's rank correlation over the heads of each model, of all inputs' means, with
#                           entropy / uniform and with the certified constant
#   localisation_bounds.csv bounds that know ||W||_F beside T4, in double precision; where Debian's python3-numpy is
# usage: bounds/experiments/localisation.sh quick|full FOLDER
. bounds/lib.sh
python=$(sh src/python/interpreter numpy || true)
enclosed='eigenvalue_mean eigenvalue_variance frobenius norm entropy_mean largest_weight'

# head_at MODEL LAYER HEAD INPUT ARGUMENT...: its spectrum and its constant at an input.
head_at() {
  key=$1,$2,$3,$4
  saved=$inputs/localisation-$1-$2-$4.npy
  shift 4
  echo "$key" >>"$scratch/heads"
  report "$key" certify "$@" --tolerance 1e-6
  if [ -n "$python" ] && [ ! -s "$saved" ]; then
    "$ATTCERT" certify "$@" --engine pointwise --no-bounds --save-input "$saved" >/dev/null
  fi
  remember "spectrum:$key" "$@"
  if [ ! -s "$path" ]; then later "$ATTCERT" spectrum "$@" --format json --output "$path"; fi
}
# decoder MODEL N: Alice from two places on.
decoder() {
  known_text alice "$1"
  for layer in $(by_mode 3 '0 1 2 3'); do
    for head in $(by_mode '0 1' '0 1 2 3'); do
      for offset in $(by_mode 600 '600 6000 60000'); do
        head_at "$1" "$layer" "$head" "$offset" --model "$models/$1" --layer "$layer" --heads "$head" \
          --text "$inputs/alice_$1.txt" --offset "$offset" --tokens "$2"
      done
    done
  done
}
encoder() {
  for layer in $(by_mode 1 '0 1'); do
    for head in 0 1; do
      for sentence in $(by_mode 0 '0 1 2 3 4'); do
        head_at bert-tiny-sst2 "$layer" "$head" "$sentence" --model "$models/bert-tiny-sst2" --layer "$layer" --heads "$head" \
          --hidden "$models/bert-tiny-sst2/input_$sentence.npy"
      done
    done
  done
}
encoder
if [ "$mode" = full ]; then decoder char-gpt 32; fi
decoder mini-gpt "$(by_mode 12 32)"
run_reports

# n and the mean entropy of uniform rows, which have |N(i)| keys: n, or i under the causal mask.
uniform() {
  jq -r '.layer | (if .mask == "causal" then [range(1; .n + 1) | log] | add / length else .n | log end) as $uniform |
    "\(.n),\($uniform)"' "$1"
}
ends=$(for name in $enclosed; do printf ',%s_lower,%s_upper' "$name" "$name"; done)
csv_begin localisation.csv "model,layer,head,input,n,uniform$ends" \
  'heads alone, without the output projection; input: where in Alice, or which sentence'
while read -r key; do
  spectrum=$(report_path "spectrum:$key")
  csv_row "$key" "$key,$(uniform "$spectrum"),$(awk -v columns="$enclosed" -f bounds/locater/spectrum_row.awk "$spectrum")"
done <"$scratch/heads"
csv_end
awk -f bounds/localisation_ranks.awk "$folder/localisation.csv" >"$scratch/ranks"
mv "$scratch/ranks" "$folder/localisation_ranks.csv"
if [ -n "$python" ]; then
  echo model,layer,head,input,symmetric_over_norm,T4,frobenius,averaged >"$scratch/bounds"
  while IFS=, read -r model layer head input; do
    bounds=$("$python" -B bounds/programs/averaged_gradients.py "$models/$model" "$layer" "$head" \
      "$inputs/localisation-$model-$layer-$input.npy")
    echo "$model,$layer,$head,$input,$bounds" >>"$scratch/bounds"
  done <"$scratch/heads"
  mv "$scratch/bounds" "$folder/localisation_bounds.csv"
fi
figure localisation
