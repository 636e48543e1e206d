/* The dense engine: upper bound of ||J||_2 from the structured Gram matrix and a Cholesky residual. */
#ifndef ATTCERT_DENSE_H
#define ATTCERT_DENSE_H

#include "certify/jacobian/factored_jacobian.h"
#include "linalg/panel_store.h"

/* Bytes it takes beyond the factored Jacobian, in the process that takes most: `fixed` for the layer's factors in
 * absolute value, the Gram matrix's products and a panel in transit, plus panels: `all` of them, 4 N^2 / processes, or
 * with a scratch folder at least one. UINT64_MAX beyond counting. */
typedef struct {
  uint64_t fixed, least_panels, all_panels;
} dense_memory;

dense_memory dense_memory_of(const attcert_layer *layer, int n, const attcert_options *options);

/* upper >= ||J||_2 = 2^exponent ||J'||:  ||J'|| <= sqrt(lambda_max(G~) + e_G) + ||J' - J~||. sigma: an estimate of ||J~||.
 * Collective in a group. Errors: ATTCERT_RESOURCE. */
attcert_status dense_upper(mpfr_t upper, const factored_jacobian *m, double sigma, const panel_storage *storage,
                           const attcert_options *options, attcert_error *err);

#endif
