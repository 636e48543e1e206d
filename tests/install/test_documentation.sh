#!/bin/sh
# Doxygen on attcert.h alone: everything in it is documented, and it finds nothing to warn of; a function without a
# comment is an error.
. tests/cli/harness.sh
if ! command -v doxygen >/dev/null; then
  echo '[  SKIPPED ] doxygen is not installed'
  echo '[  SKIPPED ] 1 test(s).'
  finish
fi

# documented HEADER: doxygen's exit status, its pages in $tmp/doc.
documented() {
  { cat src/api/Doxyfile && echo "INPUT = $1" && echo "OUTPUT_DIRECTORY = $tmp/doc"; } |
    doxygen - >"$tmp/out" 2>"$tmp/err"
}
ok 'no warning' documented src/attcert.h
ok 'and none printed' test ! -s "$tmp/err"
for name in $(grep -oE '^ATTCERT_API .*' src/attcert.h | grep -oE '\battcert_[a-z_]+\(' | tr -d '('); do
  ok "$name has a page" grep -qF ">$name<" "$tmp/doc/html/attcert_8h.html"
done

awk '/^ATTCERT_API double attcert_result_lower/ { previous = "" } NR > 1 { print previous } { previous = $0 }
  END { print previous }' src/attcert.h >"$tmp/attcert.h"
ok 'a function without a comment is noticed' test "$(documented "$tmp/attcert.h"; echo $?)" -ne 0
ok 'by name' grep -q 'attcert_result_lower' "$tmp/err"
finish
