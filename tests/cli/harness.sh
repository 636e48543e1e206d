# Assertions for the command line; sourced by tests/cli/test_*.sh, which run from the root of the project and end with
# `finish`. Works in a folder of its own, $tmp, removed at the end.
# shellcheck shell=sh disable=SC2034
set -u
attcert=${BUILD:-build}/attcert
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/work" # files the commands under test may write
passed=0 failed=0

# run ARGUMENT...: runs attcert; $status, $tmp/out and $tmp/err are what it left.
run() {
  "$attcert" "$@" >"$tmp/out" 2>"$tmp/err"
  status=$?
}

# ok NAME COMMAND...: counts whether the command succeeds; on failure shows what the last run left.
ok() {
  assertion=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "[  FAILED  ] $assertion: $*"
    echo "exit status ${status-}, standard error and output of the last run:"
    cat "$tmp/err" "$tmp/out"
  fi
} 2>&1

# exits STATUS ARGUMENT...: the run ends with that status.
exits() {
  expected=$1
  shift
  run "$@"
  ok "attcert $*" test "$status" -eq "$expected"
}

# One line on standard error, beginning with "attcert: " and holding $1.
one_line_naming() {
  [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q '^attcert: ' "$tmp/err" && grep -qF -- "$1" "$tmp/err"
}

# rejects CULPRIT ARGUMENT...: exit status 2, one line on standard error that names the culprit, nothing on standard
# output, no file left behind.
rejects() {
  culprit=$1
  shift
  exits 2 "$@" --output "$tmp/work/result"
  ok "one line naming '$culprit' ($*)" one_line_naming "$culprit"
  ok "silent on standard output ($*)" test ! -s "$tmp/out"
  ok "no file left ($*)" test -z "$(ls -A "$tmp/work")"
}

# prints TEXT: the last run printed it on standard output.
prints() {
  ok "prints '$1'" grep -qF -- "$1" "$tmp/out"
}

# judged STATUS TEXT WHAT COMMAND...: a check, tried on WHAT, ends with that status and says TEXT, or nothing where it
# passes.
judged() {
  expected=$1 text=$2 what=$3
  shift 3
  "$@" >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok "exit status $expected with $what" test "$status" -eq "$expected"
  if [ "$expected" -eq 0 ]; then ok 'says nothing' test ! -s "$tmp/out"; else prints "$text"; fi
}

# json FILTER: jq's filter holds on the last run's standard output.
holds() {
  jq -e "$1" "$tmp/out" >/dev/null
}
json() {
  ok "json $1" holds "$1"
}

finish() {
  echo "[  PASSED  ] $passed test(s)."
  [ "$failed" -eq 0 ] && exit 0
  echo "[  FAILED  ] $failed test(s)."
  exit 1
}
