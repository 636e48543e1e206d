/* A lower bound of the norm from one product with the Jacobian in double. */
#ifndef ATTCERT_ROUNDED_DIRECTION_H
#define ATTCERT_ROUNDED_DIRECTION_H

#include "certify/midpoint_layer.h"

/* lower <= ||J u|| / ||u||, u (n x d) not 0: with y^ = fl(J~ u) and 2^exponent J' = J,
 *     ||J' u|| >= ||y^|| - ||y^ - J~ u|| - ||J' - J~|| ||u||,
 * the second term bounded a priori (structured_jacobian_product_error), the third by midpoint_layer_radius. Errors: ATTCERT_RESOURCE. */
attcert_status rounded_direction_lower(mpfr_t lower, const midpoint_layer *m, const double *u, attcert_error *err);

#endif
