/* The Jacobian of an attention layer as an explicit matrix of Arb balls, and its norm: the truth that certificates are
 * held against. Derived by the chain rule from the forward pass, one factor at a time:
 *   ds_ij/dx_l = delta_jl K^T q_i / sqrt(k) + delta_il Q^T k_j / sqrt(k),
 *   dP_i/ds_i  = diag(P_i) - P_i P_i^T,
 *   dy_i       = sum_j v_j dP_ij + sum_j P_ij V dx_j,   df_i = W_O [dy_i^1; ...; dy_i^H]. */
#ifndef ATTCERT_TESTS_SUPPORT_JACOBIAN_ORACLE_H
#define ATTCERT_TESTS_SUPPORT_JACOBIAN_ORACLE_H

#include "attcert.h"
#include <arb_mat.h>

/* jacobian: (n out_dim) x (n d), token-major on both sides; initialised by the caller. */
void jacobian_oracle_matrix(arb_mat_t jacobian, const attcert_layer *layer, const attcert_matrix *x, slong precision);

typedef struct {
  arf_t lower, upper; /* lower <= ||D_X f||_2 <= upper */
  slong precision;    /* bits that were needed */
  bool tight;         /* relative width below 1e-27, or [0, 0]; false when max_precision bits did not suffice */
} norm_oracle;

/* Doubles the precision from 256 bits to at most max_precision until the enclosure is tight. */
void norm_oracle_init(norm_oracle *norm, const attcert_layer *layer, const attcert_matrix *x, slong max_precision);
void norm_oracle_clear(norm_oracle *norm);

#endif
