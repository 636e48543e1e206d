#!/bin/sh
# Every function of attcert.h enters the default floating-point environment (src/base/environment.h), or is on the list
# of those that compute nothing; those that enter it are called by tests/fault/test_environment.c in every other one.
. tests/cli/harness.sh
list=tests/structure/ungated.txt
# shellcheck disable=SC2046 # one argument a file
sh tests/structure/gates src/attcert.h $(find src -name '*.c') >"$tmp/ungated" 2>"$tmp/err"
grep -v '^#' "$list" | diff - "$tmp/ungated" >"$tmp/out"
status=$?
ok "what does not enter it computes nothing ($list)" test "$status" -eq 0

grep -oE '^ATTCERT_API .*' src/attcert.h | grep -oE '\battcert_[a-z_0-9]+\(' | tr -d '(' | LC_ALL=C sort -u >"$tmp/exported"
LC_ALL=C comm -23 "$tmp/exported" "$tmp/ungated" >"$tmp/gated"
ok 'many do' test "$(wc -l <"$tmp/gated")" -gt 25
while read -r name; do
  grep -q "$name(" tests/support/environment_calls.c || echo "$name"
done <"$tmp/gated" >"$tmp/out"
ok 'all that enter it are called in other environments' test ! -s "$tmp/out"

# What the list is compared with: a function of each kind.
cat >"$tmp/planted.h" <<'C'
ATTCERT_API int attcert_enters(int x);
ATTCERT_API int attcert_through(int x);
ATTCERT_API int attcert_forgets(int x);
ATTCERT_API int attcert_missing(int x);
C
cat >"$tmp/planted.c" <<'C'
static int gated(int x) {
  environment_enter(&before, err);
  return x;
}

int attcert_enters(int x) {
  environment_enter(&before, err);
  return x;
}

int attcert_through(int x) {
  return gated(x);
}

int attcert_forgets(int x) {
  return x * 2.0;
}
C
sh tests/structure/gates "$tmp/planted.h" "$tmp/planted.c" >"$tmp/out" 2>"$tmp/err"
ok 'one that does not, and one that is not there' \
  test "$(cat "$tmp/out")" = "$(printf 'attcert_forgets\nattcert_missing: no definition')"
finish
