#!/bin/sh
# Folders of src/ include each other as tests/structure/includes.txt allows, and are drawn so; planted faults are found.
. tests/cli/harness.sh
tree=$tmp/tree
mkdir -p "$tree/src/low" "$tree/src/high/room"
printf '#include "high/room/b.h"\n#include "low/a.h"\n' >"$tree/src/high/room/b.c"
printf '#include "attcert.h"\n#include <math.h>\n' >"$tree/src/low/a.h"

# found STATUS TEXT TABLE_LINE...: what the check says of the planted tree under this table.
found() {
  fault_status=$1 fault_text=$2
  shift 2
  printf '%s\n' "$@" >"$tmp/table"
  judged "$fault_status" "$fault_text" "$*" sh tests/structure/includes "$tree" "$tmp/table"
}
found 0 '' 'low: .' 'high/room: low'
found 1 'src/high/room/b.c may not include low/a.h' 'low: .'
found 1 'low never includes high: take it off' 'low: . high' 'high/room: low'
found 1 'cycle' 'low: . high/room' 'high/room: low'

sh tests/structure/includes . tests/structure/includes.txt >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'the includes of src/ are those of the table' test "$status" -eq 0

python3 src/docs/rooms >"$tmp/rooms.svg" 2>"$tmp/err"
ok 'their picture is current (src/docs/rooms >src/rooms.svg)' cmp "$tmp/rooms.svg" src/rooms.svg
printf '%s\n' 'low: high' 'high: low' >"$tmp/table"
python3 src/docs/rooms "$tmp/table" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'a circle is not drawn' test "$status" -eq 1
finish
