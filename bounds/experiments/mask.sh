#!/bin/sh
# E4: the same inputs with and without the causal mask: mask.csv, a row an input. One of the two is the model's own
# mask, whose rows growth_*.csv has; the other one is swept here, into mask_MODEL_LAYER_MASK.csv.
# usage: bounds/experiments/mask.sh quick|full FOLDER
. bounds/lib.sh

# other MODEL LAYER OWN OTHER OWN.csv ARGUMENT...: the sweep OWN.csv, made under the mask OWN, again under the mask
# OTHER.
other() {
  name=$1 layer=$2 own=$3 mask=$4 csv=$5
  shift 5
  [ -f "$csv" ] || { echo "mask: $csv is missing, expected the experiment growth before" >&2; exit 2; }
  sequences=$(sed -n '1s/.*"sequences": \([0-9]*\).*/\1/p' "$csv")
  lengths=$(awk -F , '!/^[#n]/ { print $1 }' "$csv" | sort -nu | tr '\n' ' ')
  later sh bounds/sweep_lengths "$lengths" "$folder/mask_${name}_${layer}_$mask.csv" --layer "$layer" --mask "$mask" \
    --sequences "$sequences" --no-bounds "$@"
  echo "$name $layer $own $mask $csv" >>"$scratch/pairs"
}
random() {
  other "random-$1" "$2" "$3" "$4" "$folder/growth_random-$1_$2_alice-tight.csv" --model "random:$1" \
    --tokenizer "$tokenizers/$5" --text "$inputs/alice.txt" --engine deflated --memory-limit 4G
}
decoder() {
  known_text alice "$1"
  other "$1" "$2" causal none "$folder/growth_$1_$2_alice.csv" --model "$models/$1" --text "$inputs/alice_$1.txt" --engine dense
}

# join_masks MODEL LAYER OWN OTHER OWN.csv: the rows of both sweeps side by side, and what masked / unmasked lies
# between, to six decimals.
join_masks() {
  awk -F , -v model="$1" -v layer="$2" -v own="$3" '
    /^#/ { next }
    /^n,/ { file++; for (i = 1; i <= NF; i++) column[$i] = i; next }
    { key = $1 "," $2 }
    file == 1 { lower[key] = $column["lower"]; upper[key] = $column["upper"]; next }
    key in lower {
      causal = lower[key] "," upper[key]
      none = $column["lower"] "," $column["upper"]
      if (own == "none") { other = causal; causal = none; none = other }
      split(causal, a, ","); split(none, b, ",")
      printf "%s,%s,%s,%s,%s,%.6f,%.6f\n", model, layer, key, causal, none, a[1] / b[2], a[2] / b[1]
    }' "$5" "$folder/mask_$1_$2_$4.csv"
}

plain_text alice
: >"$scratch/pairs"
random gpt2 6 causal none vocab.bpe
random bert 6 none causal bert-base-uncased-vocab.txt
for layer in 0 3; do
  decoder char-gpt $layer
  decoder mini-gpt $layer
done
run_all
{
  echo 'model,layer,n,sequence,causal_lower,causal_upper,none_lower,none_upper,ratio_lower,ratio_upper'
  # shellcheck disable=SC2086 # five words
  while read -r line; do join_masks $line; done <"$scratch/pairs"
} >"$folder/mask.csv.partial"
mv "$folder/mask.csv.partial" "$folder/mask.csv"
figure mask
