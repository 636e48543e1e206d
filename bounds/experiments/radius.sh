#!/bin/sh
# E6: tokens t x_i of growing length: the local Lipschitz constant of a head alone at t X, against t, and its limit by
# T8. Sentences and text that the models have read; head 0 of a layer, without a mask and under the causal one.
# usage: bounds/experiments/radius.sh quick|full FOLDER
. bounds/lib.sh
scaled_input=$BUILD/bounds/constructions/scaled_input
factors=$(by_mode '0.0625 0.25 1 4 16 64' '0.03125 0.0625 0.125 0.25 0.5 1 1.5 2 3 4 6 8 12 16 24 32 48 64 128 256 512 1024')

# head_at MODEL LAYER HEAD MASK X.npy: all factors.
head_at() {
  for t in $factors; do
    key=$1,$2,$3,$4,$t
    file=$inputs/radius_$(echo "$key" | tr , _).npy
    echo "$key,$("$scaled_input" "$models/$1" "$2" "$3" "$4" "$5" "$t" "$file")" >>"$scratch/rows"
    report "$key" certify --model "$models/$1" --layer "$2" --heads "$3" --mask "$4" --input "$file" --engine dense
  done
}

: >"$scratch/rows"
for mask in none causal; do
  head_at char-gpt 3 0 $mask "$(text_input char-gpt 3 24 600)"
  head_at mini-gpt 3 0 $mask "$(text_input mini-gpt 3 24 600)"
  head_at bert-tiny-sst2 0 0 $mask "$models/bert-tiny-sst2/input_0.npy"
done
run_reports

csv_begin radius.csv model,layer,head,mask,t,mean_largest_weight,limit_lower,limit_upper 'heads at t X; limit: T8, t to infinity'
while IFS=, read -r model layer head mask t rest; do
  csv_row "$model,$layer,$head,$mask,$t" "$model,$layer,$head,$mask,$t,$rest"
done <"$scratch/rows"
csv_end

# At the largest t the softmax has saturated: the certified ends are at the limit.
awk -F , -v t="$(echo "$factors" | tr " " "\n" | tail -n 1)" '
  $5 == t && $7 != "" && ($9 > $8 * (1 + 1e-6) || $10 < $7 * (1 - 1e-6)) {
    printf "radius: %s layer %s, mask %s, t = %s: [%s, %s] is not near the limit %s\n", $1, $2, $4, t, $9, $10, $7
    missed = 1
  }
  END { exit missed }' "$csv"
figure radius
