/* Room for a Cholesky factor in integers. */
#ifndef ATTCERT_INTEGER_CHOLESKY_MEMORY_H
#define ATTCERT_INTEGER_CHOLESKY_MEMORY_H

#include "linalg/integer_cholesky.h"

/*@ // What had room before is none of f's.
    predicate factor_apart{L}(integer_cholesky *f, integer n) =
      (\forall mpfr_srcptr x; \valid_read{L}(x) ==> \separated(x, \at(f->squares, Here) + (0 .. n - 1)));
*/

/* Room for a factor of side n whose entries have `digits` digits; false when memory runs out. */
bool integer_cholesky_init(integer_cholesky *f, size_t n, size_t digits);
void integer_cholesky_clear(integer_cholesky *f);

#endif
