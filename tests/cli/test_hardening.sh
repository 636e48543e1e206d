#!/bin/sh
# What the compiler and the linker were asked for, in the built files: stack protector, FORTIFY, read-only relocations
# bound at start, position-independent code. Sanitizers replace FORTIFY.
. tests/cli/harness.sh
build=${BUILD:-build}

# has FILE OPTIONS PATTERN: readelf with these options shows a line that the pattern matches.
has() {
  # shellcheck disable=SC2086 # several options
  readelf -W $2 "$1" 2>"$tmp/err" >"$tmp/out" && grep -Eq "$3" "$tmp/out"
}

for file in "$build/attcert" "$build/libattcert.so"; do
  ok "$file: position-independent" has "$file" -h 'Type: +DYN'
  ok "$file: relocations read-only" has "$file" -l 'GNU_RELRO'
  ok "$file: bound at start" has "$file" -d 'FLAGS.*NOW'
  ok "$file: no executable stack" has "$file" -l 'GNU_STACK.* RW '
  ok "$file: stack protector" has "$file" --dyn-syms '__stack_chk_fail'
  if has "$file" --dyn-syms '__asan_init'; then continue; fi
  ok "$file: checked string functions" has "$file" --dyn-syms '__snprintf_chk|__vsnprintf_chk'
done
ok "$build/attcert: an executable" has "$build/attcert" -d 'FLAGS_1.*PIE'
finish
