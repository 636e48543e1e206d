#include "kernel/head/attention_head.h"
#include "kernel/linear/index.h"
#include "kernel/row/jacobian_block.h"
#include "kernel/linear/vector.h"

/* The diagonal block: P_ii (V + (v_i - y) g^T) + sum_{j < reach} P_ij (v_j - y) h_j^T, where p is row i of P. */
/*@ requires sides: side(reach) && side(k) && side(d) && 0 <= i < reach;
    requires valid: \valid(block + (0 .. row(k, d) - 1));
    requires valid_weights: \valid_read(value_weight + (0 .. row(k, d) - 1));
    requires valid_vectors: \valid_read(p + (0 .. reach - 1)) && \valid_read(y + (0 .. k - 1)) &&
                            \valid_read(g + (0 .. d - 1));
    requires valid_rows: \valid_read(values + (0 .. row(reach, k) - 1)) && \valid_read(h + (0 .. row(reach, d) - 1));
    requires separated: \separated(block + (0 .. row(k, d) - 1), value_weight + (0 .. row(k, d) - 1));
    requires separated_vectors: \separated(block + (0 .. row(k, d) - 1), p + (0 .. reach - 1)) &&
                                \separated(block + (0 .. row(k, d) - 1), y + (0 .. k - 1)) &&
                                \separated(block + (0 .. row(k, d) - 1), g + (0 .. d - 1));
    requires separated_rows: \separated(block + (0 .. row(k, d) - 1), values + (0 .. row(reach, k) - 1)) &&
                             \separated(block + (0 .. row(k, d) - 1), h + (0 .. row(reach, d) - 1));
    terminates \true;
    assigns block[0 .. row(k, d) - 1];
    ensures result: \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==> block[row(r, d) + c] ==
                    jacobian_entry{Pre}(value_weight, values + row(i, k), y, g, \at(p[i], Pre), d, r, c) +
                    covariance{Pre}(p, values, y, h, k, d, r, c, reach); */
static void diagonal_block(double *block, const double *p, int i, const double *value_weight, const double *values,
                           const double *y, const double *g, const double *h, int reach, int k, int d) {
  jacobian_block(block, p[i], value_weight, values + row_offset(i, k, reach), y, g, k, d);
  //@ ghost First:;
  //@ assert values: \forall integer t, r; 0 <= t < reach ==> 0 <= r < k ==> 0 <= row(t, k) + r < row(reach, k);
  //@ assert tokens: \forall integer t, c; 0 <= t < reach ==> 0 <= c < d ==> 0 <= row(t, d) + c < row(reach, d);
  //@ assert same_weights: \forall integer t; 0 <= t < reach ==> p[t] == \at(p[t], Pre);
  //@ assert same_output: \forall integer r; 0 <= r < k ==> y[r] == \at(y[r], Pre);
  /*@ assert same_values: \forall integer t, r; 0 <= t < reach ==> 0 <= r < k ==>
                          values[row(t, k) + r] == \at(values[row(t, k) + r], Pre); */
  /*@ assert same_gradients: \forall integer t, c; 0 <= t < reach ==> 0 <= c < d ==>
                             h[row(t, d) + c] == \at(h[row(t, d) + c], Pre); */
  /*@ assert same: \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
    covariance{First}(p, values, y, h, k, d, r, c, reach) == covariance{Pre}(p, values, y, h, k, d, r, c, reach); */
  covariance_add(block, p, values, y, h, reach, k, d);
}

void attention_head_jacobian_block(double *block, const attention_head *head, const double *g, const double *h, int i,
                                   int l) {
  const int n = head->n, d = head->dim, k = head->head_dim, reach = attention_head_reach(head, i);
  const double *p = head->weights + row_offset(i, n, n), *y = head->output + row_offset(i, k, n);
  const double *g_i = g + row_offset(i, d, n);
  //@ assert values: 0 <= row(reach, k) <= row(n, k);
  //@ assert tokens: 0 <= row(reach, d) <= row(n, d);
  if (l >= reach)
    vector_zero(block, row_offset(k, d, k));
  else if (l != i)
    jacobian_block(block, p[l], head->value_weight, head->value + row_offset(l, k, n), y, g_i, k, d);
  else
    diagonal_block(block, p, i, head->value_weight, head->value, y, g_i, h, reach, k, d);
}
