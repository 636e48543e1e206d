#!/bin/sh
# The two regimes: the certified worst input found in B_R^n and the theory's bounds, n up to 10^4, for two heads with
# ||A|| = ||V|| = 1 and R = 0.5, 1, 2, 4 (so that z = ||A|| R^2 = 0.25, 1, 4, 16), without a mask and under the causal
# one.
#   regimes.csv, regimes-HEAD-MASK.svg (a panel for each R), regimes-ratio.svg (smallest upper bound / certified)
. bounds/lib.sh
programs=$BUILD/bounds/programs
heads='negative random'
masks='none causal'
radii='0.5 1 2 4'
lengths=$(by_mode '2 3 4 8 16 32 64 256 1000 10000' \
  '2 3 4 5 6 8 11 16 23 32 45 64 90 128 181 256 362 512 724 1000 1500 2000 3000 4000 6000 8000 10000')
steps=$(by_mode 100 2000)
ascent=$(by_mode 4 64)

"$programs/write_head" negative "$inputs/regimes-negative.safetensors"
"$programs/write_head" random 2 4 1 "$inputs/regimes-random.safetensors"

piece() { echo "$reports/regimes-$1-$2-$3-$steps-$ascent-$(echo "$lengths" | cksum | tr ' ' -).csv"; }
each_piece() {
  for head in $heads; do
    for mask in $masks; do
      for radius in $radii; do "$1" "$head" "$mask" "$radius"; done
    done
  done
}

compute() {
  if [ -s "$(piece "$@")" ]; then return; fi
  # shellcheck disable=SC2086 # the lengths are several words
  later "$programs/regimes" "$(piece "$@")" "$inputs/regimes-$1.safetensors" "$2" "$3" "$steps" "$ascent" $lengths
}
each_piece compute
run_all

collect() { awk -v head="$1" 'NR > 1 { print head "," $0 }' "$(piece "$@")"; }
{
  echo '# lower <= Lip(f | B_R^n) <= upper for one head; clusters and ascent are the certified values of two searches'
  echo "head,$(head -n 1 "$(piece negative none 1)")"
  each_piece collect
} >"$scratch/regimes.csv"
mv "$scratch/regimes.csv" "$folder/regimes.csv"

for head in $heads; do
  for mask in $masks; do figure regimes "head='$head'; mask='$mask'"; mv "$folder/regimes.svg" "$folder/regimes-$head-$mask.svg"; done
done
figure regimes-ratio
