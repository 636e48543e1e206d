/* The pointwise bound T6, available at any size: O(n^2 k^2 + n k^3 + k^2 d) flops a head, no N x N matrix. */
#ifndef ATTCERT_CERTIFY_ENGINE_POINTWISE_H
#define ATTCERT_CERTIFY_ENGINE_POINTWISE_H

#include "certify/engine/certify_run.h"

#define POINTWISE_BOUND_TEXT "the pointwise bound: valid but loose"

/* This engine's entry in the table of engine.h. */
attcert_status pointwise_bound(certify_run *r, double width);

/* upper >= ||J||_2: for each head
 *   B_h = sqrt( max_j sum_i P_ij alpha_i^2 ) + max_i beta_i,
 *   alpha_i^2 = lambda_max( V V^T + ||g_i||^2 sum_j P_ij (v_j - y_i)(v_j - y_i)^T ),  beta_i = ||F_i||_2,
 * and ||W_O|| sqrt(sum_h B_h^2) for the layer. Errors: ATTCERT_RESOURCE. */
attcert_status pointwise_upper(mpfr_t upper, const attcert_layer *layer, const layer_enclosure *e,
                               const factored_jacobian *m, const attcert_options *options, attcert_error *err);

#endif
