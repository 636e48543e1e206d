#!/bin/sh
# make install: the examples are compiled against what it installed, with pkg-config, and run; bash, zsh and fish
# complete from it; make uninstall leaves nothing.
. tests/cli/harness.sh
. tests/install/prefix.sh

made install PREFIX="$prefix"
ok 'make install' test "$status" -eq 0
for file in bin/attcert include/attcert.h lib/libattcert.a lib/libattcert.so.0 lib/libattcert.so \
  lib/pkgconfig/attcert.pc share/man/man1/attcert.1 share/bash-completion/completions/attcert \
  share/zsh/site-functions/_attcert share/fish/vendor_completions.d/attcert.fish; do
  ok "installs $file" test -s "$prefix/$file"
done
ok 'installs the Python module whole' test "$(find src/python/attcert -name '*.py' 2>/dev/null | wc -l)" -eq \
  "$(find "$prefix/lib" -path '*/dist-packages/attcert/*.py' | wc -l)"
ok 'the man page is one' man -l --warnings "$prefix/share/man/man1/attcert.1" >"$tmp/out" 2>"$tmp/err"
"$prefix/bin/attcert" --version >"$tmp/out" 2>"$tmp/err"
ok 'the program runs' grep -q '^attcert ' "$tmp/out"

# ---- examples, compiled as they say

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"
version=$(pkg-config --modversion attcert)
ok 'pkg-config knows the version' grep -q "\"$version\"" src/attcert.h

# compiled FLAGS EXAMPLE: into $tmp/example, without a warning.
compiled() {
  case $2 in *.cpp) set -- "$1" "$2" "${CXX:-c++}" -std=c++11 ;; *) set -- "$1" "$2" "${CC:-cc}" -std=c99 ;; esac
  # shellcheck disable=SC2046,SC2086 # several flags
  "$3" "$4" -Wall -Wextra -Wpedantic -Werror "$2" $(pkg-config $1 attcert) -o "$tmp/example" >"$tmp/out" 2>"$tmp/err"
}
says() {
  "$tmp/example" >"$tmp/out" 2>"$tmp/err"
  status=$?
  [ "$status" -eq 0 ] && grep -Eq -- "$1" "$tmp/out"
}
for example in src/examples/*.c*; do
  case $example in
  */certify.c) expected='^[0-9.]+ <= \|\|D_X f\|\|_2 <= [0-9.]+$' ;;
  */ball.c) expected='within 0\.01 of X, by T[0-9]+; [0-9.e-]+ at X itself$' ;;
  */robust.c) expected='^class [01] is the answer within 0\.01 of word 1$' ;;
  */check.cpp) expected='^0\.5 is below \[' ;;
  *) expected='an example that this test does not know' ;;
  esac
  ok "$example is short" test "$(wc -l <"$example")" -lt 40
  ok "$example compiles" compiled '--cflags --libs' "$example"
  ok "$example says '$expected'" says "$expected"
done
ok 'an example with the static library compiles' compiled "--static --cflags --libs" src/examples/certify.c
rm -f "$prefix/lib/libattcert.so"
ok 'without the shared library to link' compiled "--static --cflags --libs" src/examples/certify.c
LD_LIBRARY_PATH='' ok 'and runs without it' says '<='

# ---- completion

# SHELL_offers WORD...: what it offers for the last of the words after `attcert`. Of zsh, what is handed to its own
# functions, which choose what begins as the word does.
bash_offers() {
  bash -c '. "$1"; shift; COMP_WORDS=(attcert "$@"); COMP_CWORD=$#; _attcert
    printf "%s\n" "${COMPREPLY[@]}"' bash "$prefix/share/bash-completion/completions/attcert" "$@"
}
zsh_offers() {
  zsh -f -c 'file=$1; shift; words=(attcert "$@"); CURRENT=$#words
    _describe() { compadd -a $2; }
    compadd() { print -rl -- "${(@)${(@P)2}%%:*}" | grep -e "^$words[CURRENT]"; }
    . "$file"' zsh "$prefix/share/zsh/site-functions/_attcert" "$@"
}
fish_offers() {
  fish --no-config -c 'source $argv[1]; complete -C "attcert $argv[2..]"' \
    "$prefix/share/fish/vendor_completions.d/attcert.fish" "$@" | cut -f 1
}
# offered EXPECTED WORD...
offered() {
  expected=$1
  shift
  PATH="$prefix/bin:$PATH" "${shell}_offers" "$@" 2>"$tmp/err" | LC_ALL=C sort | paste -sd ' ' >"$tmp/out"
  test "$(cat "$tmp/out")" = "$expected"
}
skipped=0
for shell in bash zsh fish; do
  if ! command -v "$shell" >/dev/null; then
    echo "[  SKIPPED ] completion: $shell is not installed"
    skipped=$((skipped + 1))
    continue
  fi
  ok "$shell completes commands" offered 'certify check' c
  ok "$shell completes options" offered '--memory-limit' certify --me
  ok "$shell completes the values of choices" offered 'deflated dense' certify --engine d
  ok "$shell completes options of the command at hand" offered '--radius-of-inputs' bounds --radius
done

if [ "$skipped" -gt 0 ]; then echo "[  SKIPPED ] $skipped test(s)."; fi
if command -v python3 >/dev/null; then python3 -m compileall -q "$prefix/lib"; fi # as an import by root does
made uninstall PREFIX="$prefix"
ok 'make uninstall' test "$status" -eq 0
ok 'leaves nothing' test ! -e "$prefix"
finish
