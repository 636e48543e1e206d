/* Encloses the spectral norm of a matrix of Arb balls, without any floating-point linear algebra.
 *
 * With G the smaller of A A^T and A^T A, lambda_max(G) = ||A||_2^2 lies between
 *   a Rayleigh quotient w^T G w / w^T w (Courant-Fischer; any w is valid), and
 *   any tau for which Arb's Cholesky proves tau I - G positive definite.
 * The factor of tau I - G is also the next step of inverse iteration for w, so the two ends close in on each other;
 * clustered and repeated eigenvalues do no harm. */
#ifndef ATTCERT_TESTS_SUPPORT_SPECTRAL_ORACLE_H
#define ATTCERT_TESTS_SUPPORT_SPECTRAL_ORACLE_H

#include <arb_mat.h>
#include <stdbool.h>

/* lower <= ||A||_2 <= upper for every matrix A in the balls of a. True when the two agree to 1e-27 (relative); false
 * asks for a again with more bits (the bounds are valid all the same, upper possibly +inf). */
bool spectral_oracle(arf_t lower, arf_t upper, const arb_mat_t a, slong precision);

#endif
