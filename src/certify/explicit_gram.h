/* The Gram matrix of an explicit Jacobian in MPFR, and its certified largest eigenvalue: nothing from BLAS or LAPACK.
 *
 * p-bit arithmetic, u = 2^-p, gamma_m = m u / (1 - m u): an inner product of length m is off by at most
 * gamma_m sum |a_i b_i| (Higham, section 3.1). Numbers that leave MPFR's exponent range are below 2^-2^61, far below any radius. */
#ifndef ATTCERT_EXPLICIT_GRAM_H
#define ATTCERT_EXPLICIT_GRAM_H

#include "certify/explicit_jacobian.h"

/* ||G~ - A A^T||_2 <= error for A = the Jacobian's midpoints or their transpose, whichever has fewer rows.
 * Packed lower triangle: entry (i, j), j <= i, at i (i + 1) / 2 + j. */
typedef struct {
  int n;
  mpfr_prec_t precision;
  point *g;
  mpfr_t error; /* gamma_cols ||A||_F^2 >= || gamma |A| |A|^T ||_F, rounded up */
} explicit_gram;

uint64_t explicit_gram_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

attcert_status explicit_gram_init(explicit_gram *g, const explicit_jacobian *j, mpfr_prec_t precision,
                                  const attcert_options *options, attcert_error *err);
void explicit_gram_clear(explicit_gram *g);

/* upper >= lambda_max(A A^T), error included. guess: an estimate from below (its lower bound, say); slack: the first relative
 * distance of tau^2 from it, raised while the factorisation M = tau^2 I - G~ = L L^T fails. With R~ = fl(M - L L^T),
 *   lambda_max <= tau^2 + ||R~||_F + gamma_{n+2} (||M||_F + ||L||_F^2) + error. */
attcert_status explicit_gram_upper(mpfr_t upper, const explicit_gram *g, mpfr_srcptr guess, double slack,
                                   const attcert_options *options, attcert_error *err);

/* a (n x n, row-major, full) := 2^-*exponent G~ in double, entries at most 1 in magnitude;
 * *error >= || a - 2^-*exponent A A^T ||_2. */
void explicit_gram_to_double(double *a, long *exponent, double *error, const explicit_gram *g);

#endif
