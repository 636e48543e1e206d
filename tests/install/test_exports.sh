#!/bin/sh
# The shared library exports the functions that attcert.h declares, and nothing else, whoever else is linked to it.
. tests/cli/harness.sh
library=${BUILD:-build}/libattcert.so

# shellcheck disable=SC2016 # awk's fields
nm -D --defined-only "$library" 2>"$tmp/err" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort >"$tmp/exported"
grep -oE '^ATTCERT_API .*' src/attcert.h | grep -oE '\battcert_[a-z_0-9]+\(' | tr -d '(' | LC_ALL=C sort >"$tmp/declared"
diff "$tmp/declared" "$tmp/exported" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'exported is what attcert.h declares' test "$status" -eq 0
ok 'and these are many' test "$(wc -l <"$tmp/exported")" -gt 70
ok 'each begins with attcert_' test "$(grep -vc '^attcert_' "$tmp/exported")" -eq 0
ok 'every declaration is marked' test -z "$(grep -E '^[a-z].*\battcert_[a-z_0-9]+\(' src/attcert.h | grep -v '^typedef')"
readelf -d "$library" >"$tmp/out" 2>"$tmp/err"
ok 'its soname' grep -q 'SONAME.*\[libattcert\.so\.0\]' "$tmp/out"
ok 'which a file has' test -f "${library%/*}/libattcert.so.0"

# A program's own functions of the names that the library has inside leave certificates as they are.
printf '%s\n' '#include "attcert.h"' '#include <stdio.h>' '#include <stdlib.h>' \
  'void interval_add(void); void interval_mul(void); void parallel_for(void);' \
  'void interval_add(void) { abort(); }' 'void interval_mul(void) { abort(); }' 'void parallel_for(void) { abort(); }' \
  'int main(void) { double w = 2, x[2] = {1, 3}, a, b; attcert_problem *p = attcert_problem_new();' \
  'const char *const n[] = {"query.weight", "key.weight", "value.weight"};' \
  'for (int i = 0; i < 3; i++) attcert_problem_set_array(p, n[i], &w, 1, 1, NULL);' \
  'attcert_problem_set_array(p, "input", x, 2, 1, NULL);' \
  'if (attcert_enclose(&a, &b, p, NULL, NULL) != ATTCERT_OK || !(a > 0 && b >= a)) return 1;' \
  'attcert_problem_free(p); return 0; }' >"$tmp/own.c"
interposed() { # FILE LIBRARY...: built and run
  # shellcheck disable=SC2086 # several libraries
  ${CC:-cc} -Isrc -rdynamic "$tmp/own.c" -o "$tmp/own" "$@" >"$tmp/out" 2>"$tmp/err" &&
    LD_LIBRARY_PATH=${BUILD:-build} "$tmp/own" >"$tmp/out" 2>"$tmp/err"
}
if ! readelf -W --dyn-syms "$library" | grep -Eq '__(asan|tsan)_init'; then
  ok 'own names beside the shared library' interposed "$library"
  # shellcheck disable=SC2046 # several libraries
  ok 'own names beside the installed static library' interposed "${BUILD:-build}/install/libattcert.a" \
    $(sed -n 's/^LDLIBS *:= //p' Makefile)
fi
finish
