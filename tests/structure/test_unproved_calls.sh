#!/bin/sh
# proofs/unproved_calls.txt lists the calls of proved functions with preconditions from code that is not proved. After a
# change of either: proofs/unproved_calls record. No proof establishes there what these functions ask for, so that
# proofs/gates/preconditions.txt has it: make proofs-assumed.
. tests/cli/harness.sh
python3 proofs/unproved_calls >"$tmp/list" 2>"$tmp/err"
diff proofs/unproved_calls.txt "$tmp/list" >"$tmp/out"
status=$?
ok 'the list of calls is that of the code' test "$status" -eq 0
ok 'it has the lower end of a certificate' grep -q '^src/linalg/eigenvalue:.* interval_get_d_lower ' "$tmp/list"
grep -v '^#' "$tmp/list" | sed 's/^[^:]*: //' | tr ' ' '\n' | sort -u >"$tmp/called"
grep -v '^[ #]' proofs/gates/preconditions.txt | sort -u >"$tmp/recorded"
comm -23 "$tmp/called" "$tmp/recorded" >"$tmp/out"
ok 'the preconditions of each are recorded' test ! -s "$tmp/out"
finish
