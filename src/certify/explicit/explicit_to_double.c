#include "certify/explicit/explicit_gram.h"
#include "linalg/rounding/binary_exponent.h"
#include "linalg/rounding/rounding.h"

#include <math.h>

/* Bits of the largest entry; 0 for the zero matrix. */
static size_t largest_bits(const explicit_gram *g) {
  size_t largest = 0;
  mpz_t x;
  mpz_init(x);
  for (size_t i = 0; i < g->g.rows; i++) {
    fixed_matrix_get(x, &g->g, i, 0);
    const size_t bits = mpz_sgn(x) == 0 ? 0 : mpz_sizeinbase(x, 2);
    if (bits > largest) largest = bits;
  }
  mpz_clear(x);
  return largest;
}

void explicit_gram_to_double(double *a, long *exponent, double *error, const explicit_gram *g) {
  const size_t bits = largest_bits(g);
  *exponent = bits == 0 ? 0 : g->g.exponent + (long)bits;
  mpz_t integer;
  mpfr_t t;
  mpz_init(integer);
  mpfr_init2(t, 53);
  double squares = 0.0;
  for (int i = 0; i < g->n; i++) {
    for (int j = 0; j <= i; j++) {
      fixed_matrix_get(integer, &g->g, explicit_gram_index(i, j), 0);
      mpfr_set_z_2exp(t, integer, -(long)bits, MPFR_RNDN);
      const double x = mpfr_get_d(t, MPFR_RNDN);
      a[(size_t)i * (size_t)g->n + (size_t)j] = a[(size_t)j * (size_t)g->n + (size_t)i] = x;
      squares += (i == j ? 1.0 : 2.0) * x * x;
    }
  }
  const double count = (double)g->n * (double)g->n;
  const double norm = round_up_nonnegative(sqrt(round_up_nonnegative(squares, count + 1.0)), 1.0);
  mpfr_mul_2si(t, g->error, -*exponent, MPFR_RNDU);
  /* to nearest: u |x| an entry, or the underflow unit */
  *error =
      round_up_nonnegative(norm * UNIT_ROUNDOFF * 1.0000001 + count * UNDERFLOW_UNIT + mpfr_get_d(t, MPFR_RNDU), 4.0);
  mpfr_clear(t);
  mpz_clear(integer);
}

void explicit_jacobian_to_double(double *a, long *exponent, const explicit_jacobian *j) {
  const size_t count = (size_t)j->rows * (size_t)j->cols;
  long largest = EXPONENT_OF_ZERO;
  for (size_t i = 0; i < count; i++) largest = exponent_max(largest, exponent_of_endpoint(j->mid[i].v));
  *exponent = largest == EXPONENT_OF_ZERO ? 0 : largest;
  mpfr_t t;
  mpfr_init2(t, 53);
  for (size_t i = 0; i < count; i++) {
    mpfr_mul_2si(t, j->mid[i].v, -*exponent, MPFR_RNDN);
    a[i] = mpfr_get_d(t, MPFR_RNDN);
  }
  mpfr_clear(t);
}
