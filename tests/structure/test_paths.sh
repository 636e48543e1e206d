#!/bin/sh
# Every path named in text, comments and scripts exists (tests/structure/paths); planted ones that do not are found.
. tests/cli/harness.sh
tree=$tmp/tree
mkdir -p "$tree/src/room" "$tree/tests"
: >"$tree/src/room/a.c"
: >"$tree/src/room/b.c"
: >"$tree/src/README.md"

# found STATUS NAME LINE: what is said of a file of that name with this line.
found() {
  printf '%s\n' "$3" >"$tree/src/$2"
  bash tests/structure/paths "$tree" "src/$2" >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok "exit status $1 with '$3'" test "$status" -eq "$1"
}
found 0 text.md 'see src/room/{a,b}.c, `src/*/a.c`, src/room/a, src/room. [A link](room/a.c), [another](https://a.b/src/none).'
found 0 code.c '/* build/src/none.o, $(BUILD)/src/none.o, src/NAME.c */'
found 1 text.md 'see src/room/{a,c}.c'
prints 'src/text.md names src/room/{a,c}.c'
found 1 text.md '[A link](src/room/a.c)'
found 1 code.c '/* src/room/c.c. */'
prints 'names src/room/c.c, which is not there'
found 1 script '# tests/none/*.sh'

git ls-files | grep -vE '(^proofs/(results|wp/(session|cache|failures))|^bounds/(bench/)?results|^tests/structure/test_(paths|includes)\.sh$)' |
  grep -vE '\.(svg|csv|json|npy)$' >"$tmp/files"
# shellcheck disable=SC2046 # a path has no blanks here
bash tests/structure/paths . $(cat "$tmp/files") >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'every path that is named exists' test "$status" -eq 0
finish
