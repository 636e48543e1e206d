/* The Gram matrix of an explicit Jacobian and its certified largest eigenvalue, in integers: nothing from BLAS or
 * LAPACK.
 *
 * A is the matrix of the Jacobian's midpoints or its transpose, whichever has fewer rows; A~ = A - D is A rounded to
 * multiples of one power of two 2^e. G~ = A~ A~^T has integer entries in units of 2^(2e) and is computed exactly
 * (integer_gram.h); so are the Cholesky factor of tau^2 I - G~ and its remainder (integer_cholesky.h). What was rounded
 * is D: with c entries off by at most 2^(e-1),
 *   ||D||_F <= 2^(e-1) sqrt(c),   ||G~ - A A^T||_2 <= (2 ||A||_F + ||D||_F) ||D||_F      (gram_rounding.h).
 * The bits are chosen from the size: with 2^(x-1) <= max |a_ij| < 2^x and A m x k,
 *   e <= x - 2 - p - log2(m sqrt(k))  gives  ||D||_F <= 2^(-2-p) ||A||_2 / sqrt(m) and an error below 2^-p ||A||_2^2,
 * as ||A||_F <= sqrt(m) ||A||_2 and 2^(x-1) <= ||A||_2. */
#ifndef ATTCERT_EXPLICIT_GRAM_H
#define ATTCERT_EXPLICIT_GRAM_H

#include "certify/jacobian/explicit_jacobian.h"
#include "linalg/fixed_matrix.h"

enum { EXPLICIT_GRAM_PRECISION = 64 /* p: below what the 53 bits of a certificate's ends can show */ };

/* ||G~ - A A^T||_2 <= error. Entry (i, j), j <= i, is integer (explicit_gram_index(i, j), 0) of g. */
typedef struct {
  int n;
  fixed_matrix g; /* an even number of digits: half of them hold A~, and L */
  mpfr_t error;   /* 64 bits */
} explicit_gram;

static inline size_t explicit_gram_index(int i, int j) {
  return (size_t)i * ((size_t)i + 1) / 2 + (size_t)j;
}

/* Bytes of the Gram matrix and of A~; the factor comes when A~ is gone, and is no larger. */
uint64_t explicit_gram_bytes(const attcert_layer *layer, int n);

/* error <= 2^-p ||A||_2^2. Errors: ATTCERT_RESOURCE; ATTCERT_FAULT when an entry is not what it can be. */
attcert_status explicit_gram_init(explicit_gram *g, const explicit_jacobian *j, const attcert_options *options,
                                  attcert_error *err);
void explicit_gram_clear(explicit_gram *g);

/* Makes an estimate of lambda_max(A A^T), of any quality, from w[n], not 0, with w^T G~ w >= tau^2 w^T w as far as
 * roundings go: tau^2 I - G~ has no Cholesky factor. Errors: ATTCERT_RESOURCE. */
typedef struct {
  attcert_status (*improve)(void *context, mpfr_ptr guess, const double *w, attcert_error *err);
  void *context;
} explicit_gram_guess;

/* upper >= lambda_max(A A^T), error included. guess: an estimate from below (its lower bound, say); slack: the first
 * relative distance of tau^2 from it. While tau^2 I - G~ has no Cholesky factor, a better guess (NULL: none) is taken a
 * few times, then the slack raised. With t = ceil(tau^2 / 2^(2e))
 * and the remainder R = t I - 2^(-2e) G~ - L L^T,
 *   lambda_max <= tau^2 + 2^(2e) + 2^(2e) ||R||_F + error      (Coq: `explicit_eigenvalue`, `explicit_norm`). */
attcert_status explicit_gram_upper(mpfr_t upper, const explicit_gram *g, mpfr_srcptr guess, double slack,
                                   const explicit_gram_guess *better, const attcert_options *options,
                                   attcert_error *err);

/* a (n x n, row-major, full) := 2^-*exponent G~ in double, entries at most 1 in magnitude;
 * *error >= || a - 2^-*exponent A A^T ||_2. */
void explicit_gram_to_double(double *a, long *exponent, double *error, const explicit_gram *g);

#endif
