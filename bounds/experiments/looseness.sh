#!/bin/sh
# E7: how loose each bound is at real inputs: looseness.csv, the median of bound / certified upper end over the longest
# sequences that growth_*.csv certifies to 2 %, for each model, layer and text.
# usage: bounds/experiments/looseness.sh quick|full FOLDER
. bounds/lib.sh
bounds='T1 T2 T4 T5 T6 T7 T9'
[ -f "$folder/growth_fits.csv" ] ||
  { echo "looseness: $folder/growth_fits.csv is missing, expected the experiment growth before" >&2; exit 2; }
{
  echo "model,layer,text,n,rows,$(for bound in $bounds; do echo "${bound}_over_upper"; done | paste -s -d ,)"
  for csv in "$folder"/growth_*_*_*.csv; do
    base=$(basename "$csv" .csv)
    medians=$(awk -v bounds="$bounds" -f bounds/median.awk "$csv")
    if [ -n "$medians" ]; then echo "$(echo "${base#growth_}" | tr _ ,),$medians"; fi
  done
} >"$folder/looseness.csv.partial"
mv "$folder/looseness.csv.partial" "$folder/looseness.csv"
figure looseness
