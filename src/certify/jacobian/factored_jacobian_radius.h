/* The diagonal terms F of a factored Jacobian, and what every radius adds up to. */
#ifndef ATTCERT_CERTIFY_JACOBIAN_FACTORED_JACOBIAN_RADIUS_H
#define ATTCERT_CERTIFY_JACOBIAN_FACTORED_JACOBIAN_RADIUS_H

#include "certify/jacobian/factored_jacobian.h"

/* Computes C~_i and the radius of F~_i for all tokens, from w, kappa, rho, Q' and their radii. */
void factored_jacobian_covariances(factored_jacobian *m, int threads);

/* *bound >= ||J' - J~||_2. Errors: ATTCERT_RESOURCE. */
attcert_status factored_jacobian_radius(double *bound, const factored_jacobian *m, attcert_error *err);

#endif
