#!/bin/sh
# E4: the same inputs with and without the causal mask: mask.csv, a row an input. One of the two is the model's own mask, whose rows
# growth_*.csv has; the other one is swept here, into mask_MODEL_LAYER_MASK.csv.
# usage: bounds/experiments/mask.sh quick|full FOLDER
. bounds/lib.sh

# other MODEL LAYER OWN OTHER: growth's sweep on Alice again, with its lengths, under the other mask.
other() {
  own=$folder/growth_$1_$2_alice.csv
  [ -f "$own" ] || { echo "mask: $own is missing, expected the experiment growth before" >&2; exit 2; }
  sequences=$(sed -n '1s/.*"sequences": \([0-9]*\).*/\1/p' "$own")
  lengths=$(awk -F , '!/^[#n]/ { print $1 }' "$own" | sort -nu | tr '\n' ' ')
  case $1 in random-*) plain_text alice ;; *) known_text alice "$1" ;; esac
  case $1 in
    random-gpt2) set -- "$@" --model random:gpt2 --tokenizer "$tokenizers/vocab.bpe" --text "$inputs/alice.txt" --memory-limit 700M ;;
    random-bert) set -- "$@" --model random:bert --tokenizer "$tokenizers/bert-base-uncased-vocab.txt" --text "$inputs/alice.txt" --memory-limit 700M ;;
    *) set -- "$@" --model "$models/$1" --text "$inputs/alice_$1.txt" --engine dense ;;
  esac
  name=$1 layer=$2 own=$3 mask=$4
  shift 4
  later sh bounds/sweep_lengths "$lengths" "$folder/mask_${name}_${layer}_$mask.csv" --layer "$layer" --mask "$mask" \
    --sequences "$sequences" --no-bounds "$@"
  echo "$name $layer $own $mask" >>"$scratch/pairs"
}

# join MODEL LAYER OWN OTHER: the rows of the two sweeps side by side, and masked / unmasked, from both ends.
join_masks() {
  awk -F , -v model="$1" -v layer="$2" -v own="$3" '
    /^#/ { next }
    /^n,/ { file++; delete column; for (i = 1; i <= NF; i++) column[$i] = i; next }
    { key = $1 "," $2 }
    file == 1 { lower[key] = $column["lower"]; upper[key] = $column["upper"]; next }
    key in lower {
      a = lower[key]; b = upper[key]; c = $column["lower"]; d = $column["upper"]
      if (own == "none") { t = a; a = c; c = t; t = b; b = d; d = t }
      printf "%s,%s,%s,%s,%s,%s,%s,%.6f,%.6f\n", model, layer, key, a, b, c, d, a / d, b / c
    }' "$folder/growth_$1_$2_alice.csv" "$folder/mask_$1_$2_$4.csv"
}

: >"$scratch/pairs"
other random-gpt2 6 causal none
other random-bert 6 none causal
for layer in $(by_mode '0 3' '0 1 2 3'); do
  other char-gpt "$layer" causal none
  other mini-gpt "$layer" causal none
done
run_all
{
  echo 'model,layer,n,sequence,causal_lower,causal_upper,none_lower,none_upper,ratio_lower,ratio_upper'
  while read -r model layer own mask; do join_masks "$model" "$layer" "$own" "$mask"; done <"$scratch/pairs"
} >"$folder/mask.csv.partial"
mv "$folder/mask.csv.partial" "$folder/mask.csv"
