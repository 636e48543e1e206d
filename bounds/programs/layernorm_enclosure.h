/* LayerNorm of one token, and the products with its Jacobian, in intervals (kernel/layernorm/layernorm.h has the
 * formulas):
 *   LN(x) = gamma z + beta,  z = (x - mean) / s,  s = sqrt(var + eps),
 *   D LN = diag(gamma) / s (I - 1 1^T / d - z z^T / d).
 * gamma, beta and eps are exactly the doubles given. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_LAYERNORM_ENCLOSURE_H
#define ATTCERT_BOUNDS_PROGRAMS_LAYERNORM_ENCLOSURE_H

#include "attcert.h"
#include "interval/interval_vec.h"

typedef struct {
  int dim;
  double *gamma, *beta; /* d each */
  double epsilon;
} layernorm;

attcert_status layernorm_init(layernorm *ln, int dim, double epsilon, attcert_error *err); /* zeros */
void layernorm_clear(layernorm *ln);

/* A double >= sqrt(d) max |gamma| + ||beta||: every output of LN is within this of 0, because ||z||^2 <= d. */
double layernorm_radius(const layernorm *ln);

/* LN at n tokens. */
typedef struct {
  int n, dim;
  mpfr_prec_t precision;
  interval *gamma; /* [d] */
  interval *z;     /* [n][d] */
  interval *scale; /* [n]: s */
  interval *out;   /* [n][d]: LN(x) */
} layernorm_enclosure;

/* x: n x d intervals. Errors: ATTCERT_RESOURCE. */
attcert_status layernorm_enclosure_init(layernorm_enclosure *e, const layernorm *ln, const interval *x, int n,
                                        mpfr_prec_t precision, attcert_error *err);
void layernorm_enclosure_clear(layernorm_enclosure *e);

/* v (d) := D LN v at token i, or (D LN)^T v. */
void layernorm_enclosure_apply(interval *v, const layernorm_enclosure *e, int i, bool transpose, interval_scratch *ws);

/* norm >= the largest ||D LN|| of the tokens: at most max |gamma| / s, as I - 1 1^T / d - z z^T / d has its eigenvalues
 * in [0, 1]. */
void layernorm_enclosure_norm(mpfr_t norm, const layernorm_enclosure *e);

#endif
