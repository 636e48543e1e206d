#!/bin/sh
# tests/structure/hidden_code.txt lists the code that the compiler and the proofs do not both see, with reasons; a block
# more, or more in one that is listed, is noticed. What belongs there is what tests/structure/hidden_code prints.
. tests/cli/harness.sh
python3 tests/structure/hidden_code >"$tmp/found" 2>"$tmp/err"
status=$?
ok 'looks at the sources' test "$status" -eq 0
grep -v '^#' tests/structure/hidden_code.txt | cut -d ' ' -f 1,2 | diff - "$tmp/found" >"$tmp/out"
status=$?
ok 'hidden code is listed' test "$status" -eq 0
ok 'each with its reason' sh -c '! grep -v "^#" "$0" | grep -vE "^[^ ]+ [^ ]+ .{10}"' tests/structure/hidden_code.txt

# notices TEXT PATH: code of standard input, in a file of that path, is printed as TEXT, a regular expression.
notices() {
  mkdir -p "$tmp/tree/$(dirname "$2")"
  cat >"$tmp/tree/$2"
  python3 tests/structure/hidden_code "$tmp/tree" >"$tmp/out" 2>"$tmp/err"
  status=$?
  if [ -n "$1" ]; then
    ok "notices $1" grep -qx "$1" "$tmp/out"
  else
    ok 'notices nothing' test ! -s "$tmp/out"
  fi
  rm -r "$tmp/tree"
}
notices 'src/linalg/gram_bound.c [0-9a-f]*' src/linalg/gram_bound.c <<'END'
int ends(double *x) {
#ifndef __FRAMAC__
  x[0] = 2.0 * x[0];
#endif
  return 0;
}
END
notices 'src/linalg/gram_bound.c [0-9a-f]*' src/linalg/gram_bound.c <<'END'
#  if defined(__GNUC__)
#define upper lower
#endif
END
notices 'src/linalg/gram_bound.h [0-9a-f]*' src/linalg/gram_bound.h <<'END'
#ifndef ATTCERT_LINALG_A_H
#define ATTCERT_LINALG_A_H
#ifdef __FRAMAC__
#include "matrix/sum.acsl"
#define upper lower
#endif
#endif
END
notices 'spec/libc_model/math.h header' spec/libc_model/math.h </dev/null
notices 'spec/matrix/sum.acsl code' spec/matrix/sum.acsl <<'END'
#ifndef SPEC_MATRIX_A_ACSL
#define SPEC_MATRIX_A_ACSL
#define upper lower
#endif
END
notices '' src/linalg/gram_bound.h <<'END'
/* A header. */
#ifndef ATTCERT_LINALG_A_H
#define ATTCERT_LINALG_A_H
#ifdef __FRAMAC__
#include <gmp.h>

#include "matrix/sum.acsl"
#endif
/*@ assigns \nothing; */
int a(void);
#endif
END
notices '' spec/matrix/sum.acsl <<'END'
#ifndef SPEC_MATRIX_A_ACSL
#define SPEC_MATRIX_A_ACSL
#include "matrix/dot.acsl"
/*@ predicate a(integer i) = i == 0; */
#endif
END
finish
