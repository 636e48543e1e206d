#!/bin/sh
# Files of src/ need each other in circles as tests/structure/circles.txt says, with reasons, and no others; no static
# function has the name of a public one. Planted faults are found.
. tests/cli/harness.sh
tree=$tmp/tree
mkdir -p "$tree/src/room"
printf '#include "room/b.h"\n' >"$tree/src/room/a.c"
printf '#include "room/c.h"\n' >"$tree/src/room/b.h"
: >"$tree/src/room/c.h"

# circles STATUS TEXT TABLE_LINE...: what is said of the planted tree under this table.
circles() {
  fault_status=$1 fault_text=$2
  shift 2
  printf '%s\n' "$@" >"$tmp/table"
  judged "$fault_status" "$fault_text" "$*" python3 tests/structure/circles "$tree" "$tmp/table"
}
circles 0 '' '# none'
circles 1 'room: a b is no circle: take it off' 'room: a b | a reason'
printf '#include "room/a.h"\n' >"$tree/src/room/c.c" # c.h is needed by b.h, so c.c closes the circle
circles 1 'a circle of includes, room: a b c' '# none'
circles 1 'a circle of includes, room: a b c' 'room: a b | a reason'
circles 1 'room: a b c has no reason' 'room: a b c'
circles 0 '' 'room: a b c | a reason'

python3 tests/structure/circles . tests/structure/circles.txt >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'the circles of src/ are those of the table' test "$status" -eq 0

# namesakes STATUS TEXT: what is said of the planted tree.
namesakes() {
  judged "$1" "${2-}" 'these functions' python3 tests/structure/namesakes "$tree"
}
printf '/* static int half(int a) */\nint half(int a);\nstatic inline int twice(int a) {\n  return 2 * a;\n}\n' >"$tree/src/room/c.h"
printf 'static int third(int a) {\n  return half(a);\n}\n' >"$tree/src/room/a.c"
namesakes 0
printf 'static int *half(\n    int a) {\n  return a;\n}\n' >"$tree/src/room/b.c"
namesakes 1 'room/b.c: static half, which'
printf 'static int twice(int a) {\n  return a;\n}\n' >"$tree/src/room/b.c"
namesakes 1 'room/b.c: static twice, which'
printf 'int third(int a) {\n  return a;\n}\n' >"$tree/src/room/b.c"
namesakes 1 'room/a.c: static third, which'

# Proved under this name.
echo 'src/certify/enclosure/direction_norm.c: static divide, which src/kernel/linear/arithmetic.h has, too' >"$tmp/known"
python3 tests/structure/namesakes . >"$tmp/found" 2>"$tmp/err"
diff "$tmp/known" "$tmp/found" >"$tmp/out"
status=$?
ok 'no static function of src/ is the namesake of a public one' test "$status" -eq 0
finish
