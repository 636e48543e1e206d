#!/bin/sh
# A library that flushes subnormal numbers and rounds upward from the start (flush_to_zero.c, preloaded): the commands
# compute as without it; where BLAS has threads, which keep the environment, they may refuse instead.
. tests/cli/harness.sh
preloaded=${BUILD:-build}/tests/fault/flush_to_zero.so
faulty=${ATTCERT_DATA:-}/faults/ftz_model

ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0
export ASAN_OPTIONS

# The report of the last run without what it cost, into a file.
without_cost() { jq 'del(.. | .seconds?) | del(.peak_memory_bytes, .plan)' "$tmp/out" >"$1"; }

# Both reports with one thread of BLAS: the order of its sums, and so the last digit of an end, depends on the number.
same() { # COMMAND...
  OPENBLAS_NUM_THREADS=1
  export OPENBLAS_NUM_THREADS
  run "$@" --format json
  without_cost "$tmp/expected"
  expected=$status
  LD_PRELOAD=$preloaded
  export LD_PRELOAD
  run "$@" --format json
  unset OPENBLAS_NUM_THREADS
  "$attcert" "$@" --format json >"$tmp/threads" 2>"$tmp/threads.err"
  threads=$?
  unset LD_PRELOAD
  without_cost "$tmp/report"
  ok "the same exit status: $*" test "$status" -eq "$expected"
  ok "the same report: $*" cmp -s "$tmp/report" "$tmp/expected"
  if [ "$threads" -eq 5 ]; then
    ok "refused for BLAS: $*" grep -q '^attcert: BLAS: ' "$tmp/threads.err"
  else
    ok "or the same with threads: $*" test "$threads" -eq "$expected"
  fi
}

layer='--model random:bert:16,2,1 --layer 0 --seed 3 --text src/cli/demo.txt --tokens 6'
# shellcheck disable=SC2086 # the shorthand above is several words
{
  same certify $layer
  same certify $layer --engine mpfr --no-bounds
  same bounds $layer
  same spectrum $layer
}
same gradient --model random:bert:8,2,1 --seed 4 --text src/cli/demo.txt --tokens 4
same predict --model random:bert:8,2,1 --seed 4 --text src/cli/demo.txt --tokens 4
same robust --model random:bert:8,2,1 --seed 4 --text src/cli/demo.txt --tokens 4 --radius 1e-6
if [ -f "$faulty/config.json" ]; then
  same gradient --model "$faulty" --hidden "$faulty/h.npy"
  same predict --model "$faulty" --hidden "$faulty/h.npy"
  same robust --model "$faulty" --hidden "$faulty/h.npy" --radius 1e-3
else
  echo '[  SKIPPED ] a network of subnormal products: ATTCERT_DATA names no folder that holds faults/ftz_model'
fi
finish
