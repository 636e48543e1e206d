/* The transposed weights of every head as exact numbers: what score gradients are inner products with. */
#ifndef ATTCERT_TRANSPOSED_WEIGHT_H
#define ATTCERT_TRANSPOSED_WEIGHT_H

#include "interval/point_vec.h"

/* out [H][d][k]: entry (h, c, r) is entry (h, r, c) of weight [H][k][d]; the precision of out is at least 53. */
void transposed_weight_load(point *out, const double *weight, int heads, int head_dim, int dim);

#endif
