/* Products of intervals and matrices by BLAS, without a rounding in it: K. Ozaki, T. Ogita, S. Oishi, S. Rump,
 * Error-free transformations of matrix multiplication, Numerical Algorithms 59, 2012. */
#ifndef ATTCERT_NETWORK_AFFINE_AFFINE_SLICES_H
#define ATTCERT_NETWORK_AFFINE_AFFINE_SLICES_H

#include "network/step_enclosure.h"

/* y := x W^T, W of y->cols x x->cols doubles. scratch->product_bits > 0: as many of each row of x count.
 *
 * Numbers are cut into integers of beta bits (affine_cut.h). With K of a weight and D of an input,
 *     w_ca = 2^e_c sum_(k < K) s_k 2^-(k+1)beta + rest_ca,
 *     x_ia = 2^f_i (sum_(l < D) z_l 2^-(l+1)beta + 2^-D beta tau_ia),
 *     y_ic = 2^(e_c + f_i) (sum_d 2^-(d+2)beta P_d + 2^-D beta sum_a (2^-e_c (w - rest)_ca) tau_ia)
 *            + sum_a rest_ca x_ia,
 * P_d = sum over k + l = d and a of s_k z_l. 2 beta + log2(K m) <= 53 makes each of these sums of m products exact, in
 * any order, with or without FMA: the P_d are added as integers, the second term is a radius, and the third one, few
 * numbers that are much smaller than the largest of their row, is added in intervals. Errors: ATTCERT_RESOURCE. */
attcert_status affine_slices_multiply(const step_enclosure *y, const step_enclosure *x, const double *weight,
                                      step_scratch *scratch, attcert_error *err);

#endif
