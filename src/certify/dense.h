/* The dense engine: upper bound of ||J||_2 from the structured Gram matrix and a Cholesky residual. */
#ifndef ATTCERT_DENSE_H
#define ATTCERT_DENSE_H

#include "certify/midpoint_layer.h"

/* Bytes it takes beyond the midpoint layer: 4 N^2, the diagonal blocks twice (values and absolute values), scratch. */
uint64_t dense_bytes(const attcert_layer *layer, int n);

/* upper >= ||J||_2 = 2^exponent ||J'||:  ||J'|| <= sqrt(lambda_max(G~) + e_G) + ||J' - J~||. sigma: an estimate of ||J~||.
 * Computes m's diagonal blocks when they are missing. Errors: ATTCERT_RESOURCE. */
attcert_status dense_upper(mpfr_t upper, midpoint_layer *m, double sigma, const attcert_options *options,
                           attcert_error *err);

#endif
