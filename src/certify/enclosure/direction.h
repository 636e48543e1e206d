/* The certified lower bound: ||J u|| / ||u|| for a given direction u, in intervals. Any u is valid; a better one is
 * tighter. */
#ifndef ATTCERT_DIRECTION_H
#define ATTCERT_DIRECTION_H

#include "certify/enclosure/layer_enclosure.h"

/* ratio contains ||J u||_2 / ||u||_2 for u (n x d, finite, not zero), by the directional derivative
 *   dq_i = Q u_i, dk_j = K u_j, dv_j = V u_j,  ds_ij = (q_i . dk_j + dq_i . k_j) / sqrt(k),
 *   dy_i = sum_j P_ij (dv_j + (v_j - y_i) ds_ij),  (J u)_i = W_O dy_i.
 * Errors: ATTCERT_RESOURCE. */
attcert_status direction_enclosure(interval *ratio, const attcert_layer *layer, const layer_enclosure *e,
                                   const double *u, int threads, attcert_error *err);

/* The width is at most 2^-50 of the lower end: more bits would not be seen in double. */
bool direction_is_narrow(const interval *ratio);

/* Bytes that direction_enclosure takes. */
uint64_t direction_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

#endif
