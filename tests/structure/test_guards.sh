#!/bin/sh
# Header guards are paths (tests/structure/guards); planted faults are found.
. tests/cli/harness.sh
tree=$tmp/tree
mkdir -p "$tree/src/base" "$tree/tests/support"

# header PATH IFNDEF DEFINE
header() { printf '/* Text. */\n#ifndef %s\n#define %s\n\n#endif\n' "$2" "$3" >"$tree/$1"; }
# guards: what is said of the planted tree, which is no checkout
guards() { (cd "$tree" && GIT_DIR=/nonexistent sh "$OLDPWD/tests/structure/guards" .) >"$tmp/out" 2>"$tmp/err"; }

header src/attcert.h ATTCERT_H ATTCERT_H
header src/base/arrays.h ATTCERT_BASE_ARRAYS_H ATTCERT_BASE_ARRAYS_H
header tests/support/arb_head.h ATTCERT_TESTS_SUPPORT_ARB_HEAD_H ATTCERT_TESTS_SUPPORT_ARB_HEAD_H
guards
ok 'says nothing' test ! -s "$tmp/out"
header src/base/arrays.h ATTCERT_ARRAYS_H ATTCERT_ARRAYS_H
guards
prints 'src/base/arrays.h: guard ATTCERT_ARRAYS_H, expected ATTCERT_BASE_ARRAYS_H'
header src/base/arrays.h ATTCERT_BASE_ARRAYS_H ATTCERT_BASE_ARRAY_H
guards
prints 'src/base/arrays.h: guard ATTCERT_BASE_ARRAYS_H'
printf '/* Text. */\n' >"$tree/src/base/arrays.h"
guards
prints 'src/base/arrays.h: guard , expected'

sh tests/structure/guards . >"$tmp/out" 2>"$tmp/err"
ok 'the guards of all headers are their paths' test ! -s "$tmp/out"
finish
