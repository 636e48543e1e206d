/* The Jacobian as an explicit matrix of MPFR midpoints with one radius: for the engine mpfr, small N only. */
#ifndef ATTCERT_EXPLICIT_JACOBIAN_H
#define ATTCERT_EXPLICIT_JACOBIAN_H

#include "certify/enclosure/layer_enclosure.h"
#include "interval/point_vec.h"

/* ||J - mid||_2 <= radius (64 bits, rounded up). mid is rows x cols, row-major, at the enclosure's precision. */
typedef struct {
  int rows, cols; /* n out_dim, n d */
  point *mid;
  mpfr_t radius;
} explicit_jacobian;

uint64_t explicit_jacobian_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

/* J_il = sum_h P_il W_h V_h + W_h w_il g_i^T + delta_il sum_j W_h w_ij h_j^T with w_ij = P_ij (v_j - y_i), in
 * intervals, W_O applied first so that heads which cancel do so before any rounding to double. Errors:
 * ATTCERT_RESOURCE. */
attcert_status explicit_jacobian_init(explicit_jacobian *j, const attcert_layer *layer, const layer_enclosure *e,
                                      int threads, attcert_error *err);
void explicit_jacobian_clear(explicit_jacobian *j);

/* 2^-*exponent mid in double, largest entry in [1/2, 1); *exponent = 0 and zeros for the zero matrix. */
void explicit_jacobian_to_double(double *a, long *exponent, const explicit_jacobian *j);

#endif
