/* y = W x + b, row by row. */
#ifndef ATTCERT_NETWORK_AFFINE_STEP_AFFINE_H
#define ATTCERT_NETWORK_AFFINE_STEP_AFFINE_H

#include "network/network.h"

typedef struct {
  const double *weight, *bias; /* [cols, in] and [cols]; bias NULL: zero */
} affine_weights;

extern const step_kind step_affine; /* of: affine_weights */

/* The number of its value, of `cols` columns; the weights stay the caller's. */
int step_affine_add(network_builder *b, int value, const affine_weights *weights, int cols);

#endif
