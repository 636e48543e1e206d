#include "kernel/head/attention_head_row.h"
#include "kernel/linear/index.h"
#include "kernel/row/jacobian_block.h"
#include "kernel/linear/vector.h"

/* The diagonal block: P_ii (V + (v_i - y) g^T) + sum_{j in N(i)} P_ij (v_j - y) h_j^T; a is row i of attention. */
/*@ requires row: row_sides(a) && row_readable(a) && side(d) && 0 <= i < a.n;
    requires valid: \valid(block + (0 .. row(a.k, d) - 1));
    requires readable: \valid_read(value_weight + (0 .. row(a.k, d) - 1)) && \valid_read(g + (0 .. d - 1)) &&
                       \valid_read(h + (0 .. row(a.n, d) - 1));
    requires outside: row_outside(a, block, row(a.k, d));
    requires separated: \separated(block + (0 .. row(a.k, d) - 1), value_weight + (0 .. row(a.k, d) - 1)) &&
                        \separated(block + (0 .. row(a.k, d) - 1), g + (0 .. d - 1)) &&
                        \separated(block + (0 .. row(a.k, d) - 1), h + (0 .. row(a.n, d) - 1));
    terminates \true;
    assigns block[0 .. row(a.k, d) - 1];
    ensures result: \forall integer r, c; 0 <= r < a.k ==> 0 <= c < d ==> block[row(r, d) + c] ==
      jacobian_entry{Pre}(value_weight, a.values + row(i, a.k), a.output, g, \at(a.weights[i], Pre), d, r, c) +
      covariance{Pre}(a.weights, a.values, a.output, h, a.k, d, r, c, a.n); */
static void diagonal_block(double *block, attention_row_view a, int i, const double *value_weight, const double *g,
                           const double *h, int d) {
  jacobian_block(block, a.weights[i], value_weight, a.values + row_offset(i, a.k, a.n), a.output, g, a.k, d);
  //@ ghost First:;
  //@ assert values: \forall integer t, r; 0 <= t < a.n ==> 0 <= r < a.k ==> 0 <= row(t, a.k) + r < row(a.n, a.k);
  //@ assert tokens: \forall integer t, c; 0 <= t < a.n ==> 0 <= c < d ==> 0 <= row(t, d) + c < row(a.n, d);
  //@ assert same_weights: \forall integer t; 0 <= t < a.n ==> a.weights[t] == \at(a.weights[t], Pre);
  //@ assert same_output: \forall integer r; 0 <= r < a.k ==> a.output[r] == \at(a.output[r], Pre);
  /*@ assert same_values: \forall integer t, r; 0 <= t < a.n ==> 0 <= r < a.k ==>
                          a.values[row(t, a.k) + r] == \at(a.values[row(t, a.k) + r], Pre); */
  /*@ assert same_gradients: \forall integer t, c; 0 <= t < a.n ==> 0 <= c < d ==>
                             h[row(t, d) + c] == \at(h[row(t, d) + c], Pre); */
  /*@ assert same: \forall integer r, c; 0 <= r < a.k ==> 0 <= c < d ==>
        covariance{First}(a.weights, a.values, a.output, h, a.k, d, r, c, a.n) ==
        covariance{Pre}(a.weights, a.values, a.output, h, a.k, d, r, c, a.n); */
  covariance_add(block, a, h, d);
}

void attention_head_jacobian_block(double *block, const attention_head *head, const double *g, const double *h, int i,
                                   int l) {
  const int n = head->n, d = head->dim, k = head->head_dim;
  const attention_row_view a = attention_head_row(head, i);
  const double *g_i = g + row_offset(i, d, n);
  //@ assert positions: \forall integer j; a.weights[j] == head->weights[row(i, n) + j];
  //@ assert cell: 0 <= row(i, n) + l < row(n, n);
  //@ ghost Before:;
  //@ assert values: 0 <= row(a.n, k) <= row(n, k);
  //@ assert tokens: 0 <= row(a.n, d) <= row(n, d);
  if (l >= a.n)
    vector_zero(block, row_offset(k, d, k));
  else if (l != i)
    jacobian_block(block, a.weights[l], head->value_weight, a.values + row_offset(l, k, n), a.output, g_i, k, d);
  else
    diagonal_block(block, a, i, head->value_weight, g_i, h, d);
  //@ assert kept: head->weights[row(i, n) + l] == \at(a.weights[l], Before);
  /*@ assert diagonal: l == i ==> \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==> block[row(r, d) + c] ==
        jacobian_entry{Before}(head->value_weight, head->value + row(i, k), head->output + row(i, k), g + row(i, d),
                               \at(a.weights[i], Before), d, r, c) +
        covariance{Before}(head->weights + row(i, n), head->value, head->output + row(i, k), h, k, d, r, c, a.n); */
}
