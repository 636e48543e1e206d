#!/bin/sh
# proofs/unproved_calls.txt lists the calls of proved functions with preconditions from code that is not proved. After a
# change of either: proofs/unproved_calls record
. tests/cli/harness.sh
python3 proofs/unproved_calls >"$tmp/list" 2>"$tmp/err"
diff proofs/unproved_calls.txt "$tmp/list" >"$tmp/out"
status=$?
ok 'the list of calls is that of the code' test "$status" -eq 0
ok 'it has the lower end of a certificate' grep -q '^src/linalg/eigenvalue:.* interval_get_d_lower ' "$tmp/list"
finish
