/* The Gram matrix J~ J~^T in double, as LAPACK wants it. */
#ifndef ATTCERT_BOUNDS_BENCH_PEERS_GRAM_MATRIX_H
#define ATTCERT_BOUNDS_BENCH_PEERS_GRAM_MATRIX_H

#include "certify/jacobian/factored_jacobian.h"

/* side = n out_dim; g (side x side, row-major) is the matrix. *error: its rounding error, in the
 * spectral norm. Errors: ATTCERT_RESOURCE. */
attcert_status gram_matrix_init(double **g, int *side, double *error, const factored_jacobian *m, int threads,
                                attcert_error *err);

#endif
