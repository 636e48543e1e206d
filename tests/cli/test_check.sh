#!/bin/sh
# check: verdicts inside, below and above with their exit statuses; a vector certified on its own.
. tests/cli/harness.sh
. tests/cli/fixtures.sh
layer 0 0 0 0 0 0 0 0 2 0 0 2 >"$tmp/two" # ||J|| = 2 whatever X is
npy '3, 2' 1 0 0 1 0.5 2 >"$tmp/x.npy"
npy '3, 2' 1 0 1 0 1 0 >"$tmp/u.npy"  # J u = (V e_1, V e_1, V e_1): ||J u|| / ||u|| = 2
npy '3, 2' 1 0 -1 0 0 0 >"$tmp/v.npy" # in the kernel of J
npy '3, 2' 0 0 0 0 0 0 >"$tmp/null.npy"
npy '2, 2' 1 0 1 0 >"$tmp/short.npy"
check="check --weights $tmp/two --input $tmp/x.npy"

# shellcheck disable=SC2086 # $check is several words
{
  for value in 2 2.0 0x1p+1 0.2e1; do
    exits 0 $check --estimate $value --format json
    json '.schema == "attcert/check/1" and .check.verdict == "inside" and .check.consistent'
  done
  exits 1 $check --estimate 1.999 --format json
  json '.check.verdict == "below" and (.check.consistent | not) and .check.relative_gap > 4.9e-4 and .check.relative_gap < 5.1e-4'
  exits 1 $check --estimate 2.001 --format json
  json '.check.verdict == "above" and .check.relative_gap > 4.9e-4 and .check.relative_gap < 5.1e-4'
  exits 0 $check --estimate 2.001 --slack 1e-3 --format json
  json '.check.verdict == "above" and .check.consistent'

  exits 0 $check --estimate 2
  prints 'inside the enclosure'
  exits 1 $check --estimate 1.999
  prints 'below the lower end'
  exits 1 $check --estimate 2.001
  prints 'above the upper end'
  prints 'in exact arithmetic'

  # The ends that a report prints are rounded outward: consistent, and no digit further.
  layer 1 0 0 1 0.5 0 0 2 1 2 0.5 1 >"$tmp/irrational"
  other="check --weights $tmp/irrational --input $tmp/x.npy"
  exits 1 $other --estimate 1
  lower=$(sed -n 's/^enclosure  \([^ ]*\) .*/\1/p' "$tmp/out")
  upper=$(sed -n 's/^enclosure .* \([^ ]*\)$/\1/p' "$tmp/out")
  for value in "$lower" "$upper"; do
    exits 0 $other --estimate "$value"
    prints 'consistent within the printed digits'
    exits 0 $other --estimate "$value" --format json
    json '.check.verdict != "inside" and .check.within_printed_digits and .check.consistent'
  done
  below=$(echo "$lower" | awk '{ print substr($0, 1, 16) "00" substr($0, 19) }')
  exits 1 $other --estimate "$below" --format json
  json '.check.verdict == "below" and (.check.within_printed_digits | not)'

  # What a format's rounding explains is said, and allowed for when that format is named.
  exits 1 $check --estimate 2.0000002
  prints "within float32's rounding of this norm"
  prints 'verdict    refuted, but --dtype float32 allows for its rounding'
  exits 1 $check --estimate 1.9999999 --format json
  json '.check | .verdict == "below" and .within_rounding_of == "float32" and .dtype == null and .slack == 0'
  exits 0 $check --estimate 1.9999999 --dtype float32 --format json
  json '.check | .verdict == "below" and .consistent and .dtype == "float32" and .slack > 1e-7 and .slack < 1e-6'
  exits 0 $check --estimate 1.99999999999999956 --dtype float64
  prints "what float64's rounding explains"
  for value in 1.999 2.001; do
    exits 1 $check --estimate $value --dtype float32
    exits 0 $check --estimate $value --dtype bfloat16
  done
  exits 1 $check --estimate 1.9999999 --dtype float64
  exits 1 $check --estimate 1 --format json
  json '.check.within_rounding_of == null'
  rejects '--slack and --dtype contradict each other' $check --estimate 2 --slack 1e-6 --dtype float32
  rejects '--dtype' $check --estimate 2 --dtype int8

  exits 0 $check --estimate 2 --vector "$tmp/u.npy" --format json
  json '.check.vector | .lower <= 2 and 2 <= .upper and .upper - .lower < 1e-12'
  exits 0 $check --estimate 2 --vector "$tmp/v.npy" --format json
  json '.check.vector | .lower == 0 and .upper < 1e-12'
  rejects "$tmp/short.npy" $check --estimate 2 --vector "$tmp/short.npy"
  rejects 'zero' $check --estimate 2 --vector "$tmp/null.npy"
}
finish
