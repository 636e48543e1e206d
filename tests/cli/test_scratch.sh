#!/bin/sh
# certify --scratch: the same enclosure within less memory than the matrix takes, nothing left in the folder whatever
# ends the run, and a full disk is found out before the work starts.
. tests/cli/harness.sh
# N = 48 * 128 = 6,144: the triangle takes 151 MiB.
big='--model random:bert:128,4,1 --seed 3 --layer 0 --text src/cli/demo.txt --tokens 48 --engine dense --no-bounds'
mkdir "$tmp/scratch"
# The sanitizers' own memory counts in the peak of a program built with them.
instrumented() { ldd "$attcert" | grep -q libasan; }
empty() { test -z "$(ls -A "$tmp/scratch")"; }

# shellcheck disable=SC2086 # the shorthand above is several words
{
  exits 0 certify $big --format json
  enclosure=$(jq -c '.lipschitz | [.lower_hex, .upper_hex]' "$tmp/out")
  json '.peak_memory_bytes > 151 * 1048576'
  json '.plan | contains("scratch") | not'

  exits 3 certify $big --memory-limit 130M
  ok 'says how much is needed' one_line_naming 'bytes'
  ok 'and what would help' one_line_naming 'expected more memory, a folder for it (--scratch), or --engine auto'

  exits 0 certify $big --memory-limit 130M --scratch "$tmp/scratch" --format json
  ok 'the same enclosure to the last bit' test "$(jq -c '.lipschitz | [.lower_hex, .upper_hex]' "$tmp/out")" = "$enclosure"
  instrumented || json '.peak_memory_bytes <= 130 * 1048576'
  json '.plan | test("[2-9] windows, a scratch file of 0.15 GiB, up to [0-9.]* GiB read")'
  ok 'nothing left' empty

  # enough memory: the folder is not used
  exits 0 certify $big --scratch "$tmp/scratch" --memory-limit 4G --tolerance 1e-6 --format json
  json '.plan | contains("windows") | not'

  # a disk of 64 MiB
  (
    trap '' XFSZ
    ulimit -f 131072
    exec "$attcert" certify $big --memory-limit 130M --scratch "$tmp/scratch"
  ) >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok 'out of disk' test "$status" -eq 3
  ok 'says so' one_line_naming 'bytes that are needed'
  ok 'nothing left' empty

  # killed half-way
  "$attcert" certify $big --memory-limit 130M --scratch "$tmp/scratch" >"$tmp/out" 2>"$tmp/err" &
  sleep 0.5
  kill -9 $!
  wait $! 2>/dev/null
  ok 'nothing left' empty
}

# the table of bounds/scaling.md: every way to run says the same
sh bounds/scaling 8 >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'bounds/scaling' test "$status" -eq 0
ok 'a row each' test "$(grep -c '^\(alone\|scratch\|two\) *1024 ' "$tmp/out")" -ge 2
ok 'one upper end' test "$(awk 'NR > 1 { print substr($7, 1, 14) }' "$tmp/out" | sort -u | wc -l)" -eq 1
finish
