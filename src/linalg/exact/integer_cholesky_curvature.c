#include "linalg/exact/integer_cholesky_curvature.h"

#include <string.h>

bool integer_cholesky_curvature(double *w, const integer_cholesky *f) {
  const size_t n = f->l.rows, c = f->failed;
  if (c == n) return false;
  mpz_t x;
  mpz_init(x);
  memset(w, 0, n * sizeof *w);
  for (size_t i = c + 1; i-- > 0;) {
    fixed_matrix_get(x, &f->l, i, i);
    w[i] = i == c ? 1.0 : -w[i] / mpz_get_d(x);
    for (size_t j = 0; j < i; j++) {
      fixed_matrix_get(x, &f->l, i, j);
      w[j] += mpz_get_d(x) * w[i];
    }
  }
  mpz_clear(x);
  return true;
}
