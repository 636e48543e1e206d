/* dx_l += Q^T dq_l + K^T dk_l + V^T dv_l with the cotangents of spec/vjp.acsl; row i contributes t_i (x) q_i to dk and
 * P_i (x) c_i to dv. */
#include "kernel/attention_head.h"
#include "kernel/attention_row.h"
#include "kernel/index.h"
#include "kernel/matrix.h"
#include "kernel/vector.h"

void attention_head_vjp_add(double *dx, const attention_head *head, const double *c, double *scratch) {
  const int n = head->n, d = head->dim, k = head->head_dim, vectors = row_offset(n, k, n);
  double *dquery = scratch, *dkey = dquery + vectors, *dvalue = dkey + vectors, *t = dvalue + vectors;
  vector_zero(dkey, vectors);
  vector_zero(dvalue, vectors);
  for (int i = 0; i < n; i++) {
    const int start = row_offset(i, k, n), reach = attention_head_reach(head, i);
    const double *p = head->weights + row_offset(i, n, n);
    attention_score_cotangents(t, p, head->value, head->output + start, c + start, head->root, reach, k);
    vector_matrix(dquery + start, t, head->key, reach, k);
    rank_one_add(dkey, t, head->query + start, reach, k);
    rank_one_add(dvalue, p, c + start, reach, k);
  }
  for (int l = 0; l < n; l++) {
    const int start = row_offset(l, k, n);
    double *dx_l = dx + row_offset(l, d, n);
    vector_matrix_add(dx_l, dquery + start, head->query_weight, k, d);
    vector_matrix_add(dx_l, dkey + start, head->key_weight, k, d);
    vector_matrix_add(dx_l, dvalue + start, head->value_weight, k, d);
  }
}
