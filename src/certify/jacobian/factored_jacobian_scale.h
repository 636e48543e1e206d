/* The powers of two by which the numbers of a factored Jacobian are divided, so that they are at most 2 in magnitude
 * and as large as they can be: chosen from binary exponents (binary_exponent.h), the same way for both constructors. */
#ifndef ATTCERT_CERTIFY_JACOBIAN_FACTORED_JACOBIAN_SCALE_H
#define ATTCERT_CERTIFY_JACOBIAN_FACTORED_JACOBIAN_SCALE_H

#include "certify/jacobian/factored_jacobian.h"

/* Fills scale and rho of one token of a head. gradient: exponent of g_i, factored: of kappa and Q together. */
void factored_jacobian_scale_token(factored_jacobian *m, size_t token, long gradient, long factored);

/* Fills shift, V', W' and the exponent of J, and says whether J = 0. row_exponent [H][n][k]: of max_j |w_ij,r| 2^scale.
 * Errors: ATTCERT_RESOURCE. */
attcert_status factored_jacobian_scale_channels(factored_jacobian *m, const attcert_layer *layer,
                                                const long *row_exponent, attcert_error *err);

#endif
