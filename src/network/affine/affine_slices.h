/* Products of intervals and matrices by BLAS, without a rounding in it: K. Ozaki, T. Ogita, S. Oishi, S. Rump,
 * Error-free transformations of matrix multiplication, Numerical Algorithms 59, 2012. */
#ifndef ATTCERT_NETWORK_AFFINE_AFFINE_SLICES_H
#define ATTCERT_NETWORK_AFFINE_AFFINE_SLICES_H

#include "network/step_enclosure.h"

/* y := x W^T, W of y->cols x x->cols doubles.
 *
 * A row is cut into slices, the s-th one of integers times 2^(e - s beta), 2^e at least its largest number, each
 * integer at most 2^beta in magnitude: 2 beta + log2 m <= 53 makes every sum of m products of two slices exact, in any
 * order, with or without FMA, but for underflow. Three slices of W and four of x,
 * of which the interval's middle is two doubles, each cut at the same places, leave
 *     |W_ca - sum| <= 2^(e_c - 3 beta - 1),     |x_ia - sum| <= t_ia,
 * t_ia what is beyond the last slice and the interval's radius, so that an entry is within
 *     sum_a |W_ca| t_ia + 2^(e_c - 3 beta - 1) sum_a (|x_ia| + t_ia)
 * of the sum of twelve exact products, which intervals add up. Errors: ATTCERT_RESOURCE. */
attcert_status affine_slices_multiply(const step_enclosure *y, const step_enclosure *x, const double *weight,
                                      step_scratch *scratch, attcert_error *err);

#endif
