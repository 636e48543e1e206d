/* The memory of a factor, which the proofs know by its contracts only. */
#include "linalg/integer_cholesky_memory.h"

#include "base/arrays.h"

#include <stdlib.h>

attcert_status integer_cholesky_init(integer_cholesky *f, size_t n, size_t digits, attcert_error *err) {
  f->failed = n;
  f->squares = fixed_matrix_init(&f->l, n, n, digits, 0) ? calloc(n, sizeof(mpfr_t)) : NULL;
  if (f->squares == NULL) {
    fixed_matrix_clear(&f->l);
    return array_out_of_memory(err, fixed_matrix_bytes(n, n, digits), "the Cholesky factor of side %zu in fixed point",
                               n);
  }
  for (size_t i = 0; i < n; i++) mpfr_init2(f->squares[i], 64);
  return ATTCERT_OK;
}

void integer_cholesky_clear(integer_cholesky *f) {
  for (size_t i = 0; i < f->l.rows; i++) mpfr_clear(f->squares[i]);
  free(f->squares);
  fixed_matrix_clear(&f->l);
}
