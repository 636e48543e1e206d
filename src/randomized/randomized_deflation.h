/* One direction taken out of a symmetric matrix, so that what is left has a smaller largest eigenvalue, of which a
 * rougher bound will do: fewer steps from random starts.
 *
 * Let A = G - sigma v v^T with sigma > 0 and any vector v, r = A v, nu >= ||v||, a >= max(0, <v, r>), rho >= ||r||, and
 * let no eigenvalue of A be above mu. If lam > max(mu, 0) and
 *
 *     sigma (nu^2 + (a + rho^2 / (lam - mu)) / lam) <= lam,                                             (deflated_end)
 *
 * no eigenvalue of G is above lam (theorem direction_out in proofs/coq/direction_out.v).
 *
 * What v is not, an eigenvector, enters as rho^2, so that a few steps of one start make a v that serves. */
#ifndef ATTCERT_RANDOMIZED_RANDOMIZED_DEFLATION_H
#define ATTCERT_RANDOMIZED_RANDOMIZED_DEFLATION_H

#include <stddef.h>

typedef struct {
  double *v; /* of `length` entries; the caller's */
  size_t length;
  double sigma;                     /* 0: nothing is taken out, A = G */
  double square, product, residual; /* nu^2, a and rho of the above */
} randomized_deflation;

/* image := fl(image - sigma v <v, w>); the result is off by at most what is returned; size >= ||w||. */
double randomized_deflation_subtract(const randomized_deflation *d, double *image, const double *w, double size);

/* sigma, about the Rayleigh quotient of d->v, and the bounds, from `image`, which is G v to within error ||v||, and is
 * overwritten. sigma is 0 where that is not positive, or v no unit vector or nearly so. */
void randomized_deflation_find(randomized_deflation *d, double *image, double error);

/* No eigenvalue of G is above this, if none of A is above mu; about the least such number. +inf: none is known. */
double randomized_deflation_end(const randomized_deflation *d, double mu);

/* About the largest mu with an end of at most lam; -inf: there is none. */
double randomized_deflation_mu(const randomized_deflation *d, double lam);

#endif
