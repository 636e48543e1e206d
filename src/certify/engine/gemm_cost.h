/* Expected times of matrix products in double, for the plan. */
#ifndef ATTCERT_CERTIFY_ENGINE_GEMM_COST_H
#define ATTCERT_CERTIFY_ENGINE_GEMM_COST_H

#include "attcert.h"

/* Flops of the blocks of the Gram matrix J~ J~^T (block_gram.h), of side n out_dim. */
double gemm_gram_flops(const attcert_layer *layer, int n);

/* Seconds for so many flops on matrices of this side, at the rate of a GEMM: measured here when the answer is worth the
 * milliseconds, otherwise taken for 2e10 a second. */
double gemm_seconds(double flops, double side);

#endif
