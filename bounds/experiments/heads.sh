#!/bin/sh
# The same weights under heads of several kinds (rotary positions, norms of queries and keys, capped scores, a window):
# certified constants of tokens t x_i against t, and the theory's bounds on the ball that holds them.
#   heads.csv (its columns: bounds/programs/head_variants.c), heads.svg
# usage: bounds/experiments/heads.sh quick|full FOLDER
. bounds/lib.sh
n=$(by_mode 4 12)
factors=$(by_mode '1 16' '0.0625 0.125 0.25 0.5 1 2 4 8 16 32 64')
known_text alice mini-gpt

piece() { echo "$reports/heads-$1.csv"; }
kinds='plain rotary norm norm+rotary cap window'
for kind in $kinds; do
  if [ -s "$(piece "$kind")" ]; then continue; fi
  # shellcheck disable=SC2086 # several factors
  later "$BUILD/bounds/programs/head_variants" "$(piece "$kind")" "$kind" "$models/mini-gpt" 3 "$inputs/alice_mini-gpt.txt" 600 "$n" $factors
done
run_all
{
  echo '# lower <= ||D f|| <= upper at t times the input; R: the ball around 0 of T1, T2, T4, T5 and T9; T6, T7 at the input'
  head -n 1 "$(piece plain)"
  for kind in $kinds; do tail -n +2 "$(piece "$kind")"; done
} >"$scratch/heads.csv"
mv "$scratch/heads.csv" "$folder/heads.csv"
figure heads
