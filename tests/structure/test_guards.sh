#!/bin/sh
# Header guards are paths (tests/structure/guards); planted faults are found.
. tests/cli/harness.sh
tree=$tmp/tree
mkdir -p "$tree/src/low" "$tree/tests/support"

# header PATH IFNDEF DEFINE
header() { printf '/* Text. */\n#ifndef %s\n#define %s\n\n#endif\n' "$2" "$3" >"$tree/$1"; }
# guards: what is said of the planted tree, which is no checkout
guards() { (cd "$tree" && GIT_DIR=/nonexistent sh "$OLDPWD/tests/structure/guards" .) >"$tmp/out" 2>"$tmp/err"; }

header src/attcert.h ATTCERT_H ATTCERT_H
header src/low/a.h ATTCERT_LOW_A_H ATTCERT_LOW_A_H
header tests/support/a.h ATTCERT_TESTS_SUPPORT_A_H ATTCERT_TESTS_SUPPORT_A_H
guards
ok 'says nothing' test ! -s "$tmp/out"
header src/low/a.h ATTCERT_A_H ATTCERT_A_H
guards
prints 'src/low/a.h: guard ATTCERT_A_H, expected ATTCERT_LOW_A_H'
header src/low/a.h ATTCERT_LOW_A_H ATTCERT_LOW_B_H
guards
prints 'src/low/a.h: guard ATTCERT_LOW_A_H'
printf '/* Text. */\n' >"$tree/src/low/a.h"
guards
prints 'src/low/a.h: guard , expected'

sh tests/structure/guards . >"$tmp/out" 2>"$tmp/err"
ok 'the guards of all headers are their paths' test ! -s "$tmp/out"
finish
