#!/bin/sh
# The experiment localisation: rank correlations against known ones, and the bounds that know ||W||_F against certified
# constants.
. tests/cli/harness.sh
models=${ATTCERT_DATA:-}/models

# ---- rank correlations -----------------------------------------------------------------------------------------------

# Entropy falls as ||W||_F rises, in two inputs' mean, and rises with |tr W| / d but for one exchange: 1 - 6 * 2 / 60 =
# 0.8. Variances with a tie have the ranks 1, 2.5, 2.5 and 4, hence the correlation -4.5 / sqrt(22.5); variance / mean^2
# has the ranks 1, 3, 2, 4 where the entropy has 4, 3, 2, 1: 1 - 6 * 18 / 60 = -0.8.
{
  echo '# made for the test'
  echo "model,layer,head,input,uniform,eigenvalue_mean_lower,eigenvalue_mean_upper,eigenvalue_variance_lower,\
eigenvalue_variance_upper,frobenius_lower,frobenius_upper,entropy_mean_lower,entropy_mean_upper,upper"
  echo a,0,0,0,2,-4,-4,1,1,1,1,2,2,5
  echo a,0,0,1,2,-4,-4,1,1,1,1,1.8,1.8,7
  echo a,0,1,0,2,2,2,2,2,2,2,1.7,1.7,8
  echo a,0,2,0,1,3,3,2,2,3,3,0.6,0.6,9
  echo a,0,3,0,2,1,1,3,3,4,4,0.2,0.2,10
} >"$tmp/localisation.csv"
awk -f bounds/localisation_ranks.awk "$tmp/localisation.csv" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'ends in order' test $status -eq 0
prints 'a,4,0.80,-0.95,-1.00,-0.80,-0.80,0.95,1.00,0.80'
prints 'all,4,0.80,-0.95,-1.00,-0.80,-0.80,0.95,1.00,0.80'

# ---- the experiment --------------------------------------------------------------------------------------------------

skip() {
  echo "[  SKIPPED ] $1"
  echo '[  SKIPPED ] 1 test(s).'
  finish
}
[ -d "$models/mini-gpt" ] || skip 'localisation: no models in ATTCERT_DATA'
BUILD=${BUILD:-build} sh bounds/run quick "$tmp/quick" localisation >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'ends in order' test $status -eq 0
prints 'localisation.csv: 4 rows, lower <= upper'
ok 'localisation.svg' grep -q '</svg>' "$tmp/quick/localisation.svg"
# No row has more entropy than uniform ones; the norms of W are in order.
# shellcheck disable=SC2016 # awk's
ok 'entropies and norms' awk -F , '
  /^#/ { next }
  !rows++ { for (i = 1; i <= NF; i++) column[$i] = i; next }
  $column["entropy_mean_upper"] > $column["uniform"] * (1 + 1e-12) { bad = 1 }
  $column["norm_lower"] > $column["frobenius_upper"] { bad = 1 }
  END { exit bad || rows != 5 }' "$tmp/quick/localisation.csv"

sh src/python/interpreter numpy >"$tmp/python" 2>"$tmp/err" || skip 'bounds in double: no NumPy (python3-numpy)'
# All three bound the constant, and T4 with a larger norm is larger.
# shellcheck disable=SC2016
ok 'bounds in double above the certified constant' awk -F , '
  /^#/ { next }
  $1 == "model" { for (i = 1; i <= NF; i++) column[$i] = i; next }
  NR != FNR { upper = 1e300; for (i = 6; i <= 8; i++) if ($i < upper) upper = $i
              if (!(lower[$1, $2, $3, $4] <= upper && lower[$1, $2, $3, $4] > 0 && $6 <= $7)) bad = 1
              rows++; next }
  { lower[$1, $2, $3, $4] = $column["lower"] }
  END { exit bad || rows != 4 }' "$tmp/quick/localisation.csv" "$tmp/quick/localisation_bounds.csv"
finish
