/* LayerNorm of one token x in R^d,
 *
 *   LN(x) = gamma * z + beta,  z = (x - mean(x)) / s,  s = sqrt(var(x) + eps),  var(x) = |x - mean(x)|^2 / d. */
#ifndef ATTCERT_LAYERNORM_H
#define ATTCERT_LAYERNORM_H

/* out (n x d) = LN of each row of x (n x d); gamma and beta in R^d, eps > 0. out may be x. */
void layernorm_rows(double *out, const double *x, int n, int d, const double *gamma, const double *beta, double eps);

#endif
