#!/bin/sh
# Every file of the specification includes what it uses, or says after which header it stands (tests/structure/spec),
# and spec/reference.md has it in its list; planted faults are noticed. What a file says of Frama-C is so.
. tests/cli/harness.sh
tree=$tmp/tree room=room
spec=spec/$room src=src/$room
mkdir -p "$tree/$spec" "$tree/$src"
cat >"$tree/$spec/base.acsl" <<'END'
/* What others build on. */
#ifndef SPEC_ROOM_BASE_ACSL
#define SPEC_ROOM_BASE_ACSL
/*@ axiomatic Base {
      type thing;
      logic integer most;
      logic real size{L}(thing x, double *p) reads *p;
    }
    predicate small{L}(thing x, double *p) = size(x, p) <= 1.0; */
#endif
END
cat >"$tree/$src/box.h" <<'END'
#include "room/base.acsl"
/*@ predicate closed(integer box) = box == 0; */
END
# looked STATUS TEXT...: at a file of these lines.
looked() {
  expected=$1
  shift
  printf '%s\n' "$@" >"$tree/$spec/planted.acsl"
  python3 tests/structure/spec "$tree" >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok "exit status $expected with $*" test "$status" -eq "$expected"
}
included='#include "room/base.acsl"'
looked 0 "$included" '/*@ predicate fine{L}(thing x, double *p) = small(x, p) && most == 0; */'
looked 0 '/* small(x) and most are what comments may speak of. */' '// size(x)' \
  '/*@ predicate fine(real small) = small == 0.0; */'
looked 1 '/*@ predicate bad{L}(double *p) = \forall real x; small{L}(x, p); */'
prints "$spec/planted.acsl uses small of $spec/base.acsl, and does not include it"
looked 1 '//@ predicate bad(integer n) = n <= most;'
prints "uses most of $spec/base.acsl"
looked 1 '/*@ predicate bad(thing x) = x == x; */'
prints "uses thing of $spec/base.acsl"
closed='/*@ predicate fine{L}(thing x, double *p) = closed(0) && small(x, p); */'
looked 1 "$included" "$closed"
prints "uses closed of $src/box.h"
looked 0 '/* A title. To be included after room/box.h. */' "$closed"
looked 0 '/* A title.' ' *' ' * To be included after' ' * room/box.h has declared boxes. */' '#ifndef GUARD' "$closed"
looked 1 '/* A title. To be included after box.h. */' "$closed"
prints "$spec/planted.acsl is to be included after box.h, which is not there"

python3 tests/structure/spec . >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'every file includes what it uses' test "$status" -eq 0
git ls-files -- spec | sed -n 's|.*/\(.*\)\.acsl$|\1|p' | sort >"$tmp/files"
sed -n '/^## Every file/,/^## What a proof/p' spec/reference.md | grep '^|' | cut -d'|' -f2 | grep -oE '[a-z_]+' |
  sort >"$tmp/listed"
comm -23 "$tmp/files" "$tmp/listed" >"$tmp/out"
ok 'spec/reference.md lists every file' test ! -s "$tmp/out"

if ! command -v frama-c >/dev/null || ! command -v why3 >/dev/null || ! command -v cvc4 >/dev/null; then
  echo '[  SKIPPED ] Frama-C, Why3 or CVC4 is not installed'
  echo '[  SKIPPED ] 1 test(s).'
  finish
fi
# A file that speaks of numbers of MPFR alone.
printf '#include <%s.h>\n#include "theorems/%s.acsl"\n' mpfr matrix_norm >"$tmp/norm.c"
sh proofs/frama_c "$tmp/norm.c" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'Frama-C reads matrix_norm.acsl' test "$status" -eq 0

# Why there is `vanishes` (spec/arithmetic/product.acsl).
cat >"$tmp/zeros.c" <<'END'
#include "arithmetic/product.acsl"
/*@ requires 0 <= n && \valid(out + (0 .. n - 1));
    assigns out[0 .. n - 1];
    ensures equal: \forall integer t; 0 <= t < n ==> out[t] == 0.0;
    ensures vanishing: \forall integer t; 0 <= t < n ==> vanishes(out[t]); */
void zeros(double *out, int n) {
  /*@ loop invariant place: 0 <= t <= n;
      loop invariant done: \forall integer q; 0 <= q < t ==> vanishes(out[q]);
      loop assigns t, out[0 .. n - 1]; */
  for (int t = 0; t < n; t++) out[t] = 0.0;
}
END
export WHY3CONFIG="$tmp/why3.conf"
sh proofs/wp/provers "$WHY3CONFIG"
sh proofs/frama_c "$tmp/zeros.c" -wp -wp-model Typed+Real -wp-prover cvc4 -wp-cache none -wp-prop equal,vanishing \
  >"$tmp/out" 2>"$tmp/err"
grep -A1 'ensures_equal : Failed' "$tmp/out" | grep -q 'Type mismatch between real and int'
status=$?
ok 'x == 0.0 does not reach the provers' test "$status" -eq 0
grep 'ensures_vanishing :' "$tmp/out" | grep -vq Failed
status=$?
ok 'vanishes(x) does' test "$status" -eq 0
finish
