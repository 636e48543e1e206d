/* Block (i, l) of the Jacobian of one head, J_il = P_il (V + (v_l - y_i) g_i^T) + delta_il C_i, a k x d matrix. */
#ifndef ATTCERT_KERNEL_ROW_JACOBIAN_BLOCK_H
#define ATTCERT_KERNEL_ROW_JACOBIAN_BLOCK_H

#include "kernel/row/attention_row.h"

#ifdef __FRAMAC__
#include "attention/jacobian.acsl"
#endif

/* g = W^T z / root, W is k x d: with W = K, z = q_i the gradient g_i of the score s_ij in x_j; with W = Q, z = k_j its
 * gradient h_j in x_i. */
/*@ requires sides: side(k) && side(d);
    requires root: 0.0 < root;
    requires valid: \valid(g + (0 .. d - 1)) && \valid_read(z + (0 .. k - 1));
    requires valid_weights: \valid_read(w + (0 .. row(k, d) - 1));
    requires separated: \separated(g + (0 .. d - 1), z + (0 .. k - 1));
    requires separated_weights: \separated(g + (0 .. d - 1), w + (0 .. row(k, d) - 1));
    terminates \true;
    assigns g[0 .. d - 1];
    ensures result: \forall integer c; 0 <= c < d ==> g[c] == score_gradient{Pre}(w, z, root, k, d, c); */
void score_gradient(double *g, const double *w, const double *z, double root, int k, int d);

/* block = p (V + (v - y) g^T), with p = P_il, v = v_l, y = y_i, g = g_i. */
/*@ requires sides: side(k) && side(d);
    requires valid: \valid(block + (0 .. row(k, d) - 1));
    requires valid_weights: \valid_read(value_weight + (0 .. row(k, d) - 1));
    requires valid_vectors: \valid_read(v + (0 .. k - 1)) && \valid_read(y + (0 .. k - 1)) &&
                            \valid_read(g + (0 .. d - 1));
    requires separated: \separated(block + (0 .. row(k, d) - 1), value_weight + (0 .. row(k, d) - 1));
    requires separated_vectors: \separated(block + (0 .. row(k, d) - 1), v + (0 .. k - 1)) &&
                                \separated(block + (0 .. row(k, d) - 1), y + (0 .. k - 1)) &&
                                \separated(block + (0 .. row(k, d) - 1), g + (0 .. d - 1));
    terminates \true;
    assigns block[0 .. row(k, d) - 1];
    ensures result: \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
                    block[row(r, d) + c] == jacobian_entry{Pre}(value_weight, v, y, g, p, d, r, c); */
void jacobian_block(double *block, double p, const double *value_weight, const double *v, const double *y,
                    const double *g, int k, int d);

/* block += C_i = sum_{j < n} P_ij (v_j - y_i) h_j^T for row i of attention; the rows of h are h_j (n x d). */
/*@ requires row: row_sides(a) && row_readable(a) && side(d) && \valid_read(h + (0 .. row(a.n, d) - 1));
    requires valid: \valid(block + (0 .. row(a.k, d) - 1));
    requires outside: row_outside(a, block, row(a.k, d));
    requires separated: \separated(block + (0 .. row(a.k, d) - 1), h + (0 .. row(a.n, d) - 1));
    terminates \true;
    assigns block[0 .. row(a.k, d) - 1];
    ensures result: \forall integer r, c; 0 <= r < a.k ==> 0 <= c < d ==> block[row(r, d) + c] ==
      \at(block[row(r, d) + c], Pre) + covariance{Pre}(a.weights, a.values, a.output, h, a.k, d, r, c, a.n); */
void covariance_add(double *block, attention_row_view a, const double *h, int d);

#endif
