#!/bin/sh
# A BLAS that computes wrongly (wrong_blas.c, preloaded): what rests on it gives no result, exit status 5; what does not
# is as before.
. tests/cli/harness.sh
preloaded=${BUILD:-build}/tests/fault/wrong_blas.so
export OPENBLAS_NUM_THREADS=1

# with FAULT COMMAND...: under that fault. An address sanitizer wants to be loaded first, and need not be.
with() {
  WRONG_BLAS=$1
  export WRONG_BLAS
  shift
  LD_PRELOAD=$preloaded ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0 "$@"
  unset WRONG_BLAS
}

faults() { # FAULT WORDS ARGUMENT...: no result and one line
  fault=$1 words=$2
  shift 2
  with "$fault" run "$@"
  ok "$fault: attcert $* gives no result" test "$status" -eq 5
  ok "$fault: says so" one_line_naming "$words"
  ok "$fault: prints nothing" test ! -s "$tmp/out"
}

layer='--model random:bert:16,2,1 --layer 0 --seed 3 --text src/cli/demo.txt --tokens 6 --format json'
network='--model random:bert:8,2,1 --seed 4 --text src/cli/demo.txt --tokens 4'
# shellcheck disable=SC2086 # the shorthands above are several words
{
  with none run certify $layer --engine dense --no-bounds
  ok 'the preloaded library alone changes nothing' test "$status" -eq 0
  json '.engine == "dense" and .lipschitz.relative_width < 1e-9'
  for routine in dgemm dgemv ddot dsyrk dsymm dtrsm; do
    for kind in off float; do
      for engine in dense deflated pointwise; do
        faults $routine:$kind "BLAS: $routine" certify $layer --engine $engine --no-bounds
      done
      faults $routine:$kind "BLAS: $routine" bounds $layer
      faults $routine:$kind "BLAS: $routine" certify $layer --engine mpfr --no-bounds --radius 1.7976931348623157e308
      faults $routine:$kind "BLAS: $routine" robust $network --radius 1e-6 --attack 0
      faults $routine:$kind "BLAS: $routine" spectrum --model random:bert:8,2,1 --seed 4 --layer 0
    done
  done

  # mpfr rests on none of them: the same norm lies in both enclosures
  run certify $layer --engine mpfr --no-bounds
  lower=$(jq .lipschitz.lower "$tmp/out") upper=$(jq .lipschitz.upper "$tmp/out")
  for routine in dgemm dgemv ddot dtrsm; do
    for kind in off float; do
      with $routine:$kind run certify $layer --engine mpfr --no-bounds
      ok "$routine:$kind: mpfr goes on" test "$status" -eq 0
      json ".lipschitz | .lower <= .upper and .lower <= $upper and .upper >= $lower"
    done
  done

  # beyond the probe: an upper end below the lower one is not printed, and no row of a sweep is
  faults dgemm:other 'contradict each other' certify $layer --engine dense --no-bounds
  with dgemm:other run sweep --model random:bert:16,2,1 --layer 0 --seed 3 --text src/cli/demo.txt --n 6 --sequences 1 \
    --engine dense --no-bounds --output "$tmp/work/rows"
  ok 'a sweep gives no result' test "$status" -eq 5
  ok 'no row' test "$(grep -c '^[0-9]' "$tmp/work/rows")" -eq 0
}
finish
