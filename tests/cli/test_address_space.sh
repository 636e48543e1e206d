#!/bin/sh
# A limit of the address space (ulimit -v) below what BLAS's buffers need: one line and exit status 3, where OpenBLAS
# would ask for them for ever. The sanitizers reserve more than any such limit.
. tests/cli/harness.sh
export OPENBLAS_NUM_THREADS=1
layer='--model random:gpt2:16,2,2 --layer 1 --text src/cli/demo.txt --tokens 4 --no-bounds --format json'

limited() { # KIB ARGUMENT...
  (
    ulimit -v "$1" && shift && exec timeout 60 "$attcert" "$@" >"$tmp/out" 2>"$tmp/err"
  )
  status=$?
}

if readelf -W --dyn-syms "$attcert" | grep -q __asan_init; then
  echo '[  SKIPPED ] a limit of the address space: sanitizers reserve more'
  echo '[  SKIPPED ] 1 test(s).'
  finish
fi
# shellcheck disable=SC2086 # the shorthand is several words
{
  for kib in 70000 80000 100000 120000 150000; do
    limited $kib certify $layer
    ok "ulimit -v $kib: refused" test "$status" -eq 3
    ok "ulimit -v $kib: says why" one_line_naming 'the address space is limited to'
    ok "ulimit -v $kib: prints nothing" test ! -s "$tmp/out"
  done
  # OpenBLAS takes its buffers at the first product (0.3.21), or when it is loaded (0.3.29): it ends at every limit.
  for threads in 1 2; do
    kib=60000
    while [ $kib -lt 600000 ]; do
      OPENBLAS_NUM_THREADS=$threads limited $kib certify $layer
      ok "ulimit -v $kib, $threads threads: ends" test "$status" -eq 0 -o "$status" -eq 3
      kib=$((kib + 30000))
    done
  done
  limited 400000 certify $layer
  ok 'ulimit -v 400000: enough' test "$status" -eq 0
  json '.lipschitz.relative_width < 1e-9'
}
finish
