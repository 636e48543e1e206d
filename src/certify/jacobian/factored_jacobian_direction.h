/* A lower bound of the norm from one product with the Jacobian in double. */
#ifndef ATTCERT_CERTIFY_JACOBIAN_FACTORED_JACOBIAN_DIRECTION_H
#define ATTCERT_CERTIFY_JACOBIAN_FACTORED_JACOBIAN_DIRECTION_H

#include "certify/jacobian/jacobian_errors.h"

/* lower <= ||J u|| / ||u||, u (n x d) not 0: with y^ = fl(J~ u) and 2^exponent J' = J,
 *     ||J' u|| >= ||y^|| - ||y^ - J~ u|| - ||J' - J~|| ||u||,
 * the second and the third term bounded by the layer's errors. Errors: ATTCERT_RESOURCE. */
attcert_status factored_jacobian_direction_lower(mpfr_t lower, const factored_jacobian *m,
                                                 const jacobian_errors *errors, const double *u, attcert_error *err);

#endif
