#!/bin/sh
# .ci/run itself, with sections that only say their name: what is printed last, the exit status, and what is left
# running.
. tests/cli/harness.sh
unset MAKEFLAGS MAKELEVEL # of a make that runs this test
tree=$tmp/tree
mkdir -p "$tree/.ci" "$tree/tests/bare"
cp .ci/run "$tree/.ci/run"
echo 'echo setup $1' >"$tree/.ci/setup"
cat >"$tree/Makefile" <<'END'
.PHONY: $(MAKECMDGOALS)
format-check tidy demo mpi teach all tests run-tests run-unit-tests:
	@echo ran $@; test $@ != "$(FAILS)"
test:
	@echo ran $@; echo '7 passed, 0 failed, 0 skipped'
proofs-replay:
	@echo $$PPID >pid; echo begins to prove; sleep $(PROVES_FOR); echo proved; test $@ != "$(FAILS)"
END
cat >"$tree/tests/bare/run" <<'END'
#!/bin/sh
echo $$ >bare_pid
echo begins on a bare "$1"
sleep "$PROVES_FOR"
echo ran bare
test bare != "$FAILS"
END
chmod +x "$tree/tests/bare/run"
# ci SECONDS [TARGET]: with proofs and a bare machine that take so long; TARGET fails.
ci() {
  (cd "$tree" && PROVES_FOR=$1 FAILS=${2:-} bash .ci/run) >"$tmp/out" 2>"$tmp/err"
  status=$?
}
last_line_has() { tail -n 1 "$tmp/out" | grep -q "$1"; }
closes_with() { ok "the last line has '$1'" last_line_has "$1"; }
line_of() { grep -n "$1" "$tmp/out" | cut -d : -f 1; }

for seconds in 0 3; do
  ci $seconds
  ok 'succeeds' test "$status" -eq 0
  closes_with '^7 passed, 0 failed, 0 skipped$'
  ok 'the proofs in one piece' test "$(line_of '^proved')" -eq $(($(line_of '^begins to prove') + 1))
  ok 'the bare machine, too' test "$(line_of '^ran bare')" -eq $(($(line_of '^begins on a bare bookworm') + 1))
  for target in format-check tidy demo mpi test teach all tests run-tests run-unit-tests; do prints "ran $target"; done
done

begin=$(date +%s)
ci 100 teach
ok 'a section that fails stops it' test "$status" -ne 0
ok 'at once' test $(($(date +%s) - begin)) -lt 60
closes_with 'ran teach'
# The signal takes effect within a while that only the machine's load decides.
for kind in pid bare_pid; do
  waited=0
  while kill -0 "$(cat "$tree/$kind")" 2>/dev/null && [ $waited -lt 20 ]; do
    sleep 0.5
    waited=$((waited + 1))
  done
  ok "what ran beside is not left running: $kind" test -z "$(ps -o pid= -p "$(cat "$tree/$kind")")"
done

ci 0 proofs-replay
ok 'proofs that fail stop it' test "$status" -ne 0
closes_with 'proofs-replay.*Error'
ci 3 proofs-replay
ok 'proofs that fail after the rest, too' test "$status" -ne 0
closes_with 'proofs-replay.*Error'
for seconds in 0 3; do
  ci $seconds bare
  ok "a bare machine's failure after $seconds s stops it" test "$status" -ne 0
  closes_with 'ran bare'
done
finish
