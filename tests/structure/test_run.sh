#!/bin/sh
# tests/run itself: programs that pass, fail, crash, count nothing, run too long; reports in one piece; side by side; an
# interrupt.
. tests/cli/harness.sh
programs=$tmp/programs
mkdir "$programs"

# program NAME LINE...: a shell test of these lines.
program() {
  name=$1
  shift
  printf '%s\n' "$@" >"$programs/$name.sh"
}
# tests_run JOBS NAME...: runs the programs; $status, $tmp/out and $tmp/err are what it left.
tests_run() {
  jobs=$1
  shift
  for name in "$@"; do
    shift
    set -- "$@" "$programs/$name.sh"
  done
  JOBS=$jobs TEST_TIMEOUT=2 sh tests/run "$@" >"$tmp/out" 2>"$tmp/err"
  status=$?
}
# ends STATUS CLOSING_LINE
ends() {
  ok "exit status $1" test "$status" -eq "$1"
  ok "closes with '$2'" test "$(tail -n 1 "$tmp/out")" = "$2"
}

program passing 'echo "[  PASSED  ] 3 test(s)."'
program skipping 'echo "[  PASSED  ] 1 test(s)."' 'echo "[  SKIPPED ] no data here"' 'echo "[  SKIPPED ] 2 test(s)."'
program failing 'echo what was wrong' 'echo "[  PASSED  ] 4 test(s)."' 'echo "[  FAILED  ] 2 test(s), listed below:"' 'exit 2'
program crashing 'echo last words' 'kill -SEGV $$'
program complaining 'echo "[  PASSED  ] 5 test(s)."' 'exit 99'
program counting_nothing 'echo hello'
program endless 'exec sleep 30'
program killing_its_parent 'kill -KILL $(ps -o ppid= -p $PPID)'

tests_run 2 passing skipping
ends 0 '4 passed, 0 failed, 2 skipped'
prints 'skipped: no data here'

tests_run 2 failing passing
ends 1 '7 passed, 2 failed, 0 skipped'
prints 'what was wrong'
ok 'output of what passed is left out' test "$(grep -c 'PASSED' "$tmp/out")" -eq 1

for name in crashing counting_nothing; do
  tests_run 1 "$name" passing
  ends 1 '3 passed, 1 failed, 0 skipped'
done
tests_run 1 crashing
prints 'last words'
tests_run 1 complaining
ends 1 '5 passed, 1 failed, 0 skipped'
prints 'exit status 99'
tests_run 1 endless
ends 1 '0 passed, 1 failed, 0 skipped'
prints 'exit status 124'
tests_run 2
ends 1 '0 passed, 0 failed, 0 skipped'

# A program that takes the one who counts along is counted as failed, nonetheless.
tests_run 1 passing killing_its_parent
ends 1 '3 passed, 1 failed, 0 skipped'

# One after the other in the order given; side by side, each as it ends, none inside another's report.
program slow 'sleep 1' 'echo "[  PASSED  ] 1 test(s)."'
tests_run 1 slow passing
ok 'in the order given' test "$(grep -o '[a-z]*\.sh' "$tmp/out" | tr '\n' ' ')" = 'slow.sh passing.sh '
tests_run 2 slow passing
ok 'as they end' test "$(grep -o '[a-z]*\.sh' "$tmp/out" | tr '\n' ' ')" = 'passing.sh slow.sh '

# Two programs that write in turns for as long as the other runs.
for name in first second; do
  program $name "for i in 1 2 3 4 5; do echo $name; sleep 0.1; done" 'exit 1'
done
tests_run 2 first second
ends 1 '0 passed, 2 failed, 0 skipped'
ok 'two outputs, each in one piece' test "$(grep -xE 'first|second' "$tmp/out" | uniq | wc -l)" -eq 2

# Programs meet only if both run at once.
program here ": >$tmp/here" "until [ -e $tmp/there ]; do sleep 0.1; done" 'echo "[  PASSED  ] 1 test(s)."'
program there ": >$tmp/there" "until [ -e $tmp/here ]; do sleep 0.1; done" 'echo "[  PASSED  ] 1 test(s)."'
tests_run 2 here there
ends 0 '2 passed, 0 failed, 0 skipped'

# An interrupt reaches the programs, nothing is left running and nothing is left behind.
program interrupted "echo \$\$ >$tmp/pid" 'exec sleep 30'
mkdir "$tmp/temporary"
TMPDIR=$tmp/temporary timeout --signal=INT 1 sh tests/run "$programs/interrupted.sh" >"$tmp/out" 2>"$tmp/err"
ok 'an interrupt ends it' test $? -ne 0
ok 'and the program' test "$(ps -o stat= -p "$(cat "$tmp/pid")" | grep -vc Z)" -eq 0
ok 'no temporary file left' test -z "$(ls -A "$tmp/temporary")"
finish
