#!/bin/sh
# What make says: a line for each command, the whole command with V=1, nothing with -s; a compiler's error in full.
. tests/cli/harness.sh
mkdir "$tmp/tree"
cp Makefile "$tmp/tree"
for part in $(sed -n 's/^include //p' Makefile); do install -D -m 644 "$part" "$tmp/tree/$part"; done
low=src/base
mkdir -p "$tmp/tree/$low" "$tmp/tree/src/cli" "$tmp/tree/src/api"
echo 'int one(void); int one(void) { return 1; }' >"$tmp/tree/$low/one.c"
echo 'int main(void) { return 0; }' >"$tmp/tree/src/cli/main.c"
echo '{ local: *; };' >"$tmp/tree/src/api/attcert.map"

# makes ARGUMENT...: in the tree, where nothing is built yet.
makes() {
  rm -rf "$tmp/tree/build"
  env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -C "$tmp/tree" --no-print-directory CC="${CC:-gcc}" BUILD=build MODULES=base \
    LDLIBS= SANITIZE= V= "$@" >"$tmp/out" 2>"$tmp/err"
  status=$?
}
makes all
ok 'succeeds' test "$status" -eq 0
ok 'a line for each command' test "$(LC_ALL=C sort "$tmp/out" | paste -sd ';')" = \
  "AR build/libattcert.a;CC $low/one.c;CC src/cli/main.c;LD build/attcert;LD build/libattcert.so.0"
makes all V=1
ok 'V=1 succeeds' test "$status" -eq 0
prints "-MMD -MP -c $low/one.c -o build/$low/one.o"
prints '-o build/attcert'
ok 'instead of the short lines' test "$(grep -c '^CC ' "$tmp/out")" -eq 0
makes -s all
ok 'with -s it succeeds' test "$status" -eq 0
ok 'and says nothing' test ! -s "$tmp/out"
ok 'but builds' test -x "$tmp/tree/build/attcert"
makes -j2 all
ok 'several jobs: a line for each command' test "$(wc -l <"$tmp/out")" -eq 5

echo 'int two(void) { return one; }' >"$tmp/tree/$low/two.c"
makes -k all
ok 'a mistake stops it' test "$status" -ne 0
ok "the compiler's message is there" grep -q "^$low/two.c:1:.* error: " "$tmp/err"
ok 'make names the file' grep -q "build/$low/two.o.* Error 1" "$tmp/err"

# The project's own rules, in all its parts: no command that compiles, links or archives without its short line.
env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -n V= BUILD="$tmp/none" all tests "$tmp/none/tests/fuzz/fuzz_reader" \
  >"$tmp/commands" 2>"$tmp/err"
status=$?
grep -E "^[^ ;]*(gcc|cc|clang|ar|ld) " "$tmp/commands" >"$tmp/out"
ok 'make -n' test "$status" -eq 0
ok 'says many commands' test "$(grep -cE "^echo '(CC|AR|LD) " "$tmp/commands")" -gt 400
ok 'none without a short line' test ! -s "$tmp/out"
finish
