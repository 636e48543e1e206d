/* The Jacobian J~ as an explicit matrix of doubles: its columns are its products with the unit vectors. */
#ifndef ATTCERT_BOUNDS_BENCH_PEERS_JACOBIAN_COLUMNS_H
#define ATTCERT_BOUNDS_BENCH_PEERS_JACOBIAN_COLUMNS_H

#include "certify/jacobian/factored_jacobian.h"

typedef struct {
  int rows, columns; /* n out_dim, n d */
  double *values;    /* column-major */
} jacobian_columns;

/* jacobian_columns_clear is due in any case. Errors: ATTCERT_RESOURCE. */
attcert_status jacobian_columns_init(jacobian_columns *a, const factored_jacobian *m, attcert_error *err);
void jacobian_columns_clear(jacobian_columns *a);

#endif
