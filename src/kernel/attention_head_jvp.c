/* dy_i = sum_j P_ij V dx_j + sum_j P_ij (v_j - y_i)(g_i . dx_j + h_j . dx_i), evaluated as in spec/jvp.acsl. */
#include "kernel/attention_head.h"
#include "kernel/attention_row.h"
#include "kernel/index.h"
#include "kernel/matrix.h"

void attention_head_jvp(double *dy, const attention_head *head, const double *dx, double *scratch) {
  const int n = head->n, d = head->dim, k = head->head_dim, vectors = row_offset(n, k, n);
  double *dquery = scratch, *dkey = dquery + vectors, *dvalue = dkey + vectors, *ds = dvalue + vectors;
  affine_rows(dquery, head->query_weight, NULL, dx, n, k, d);
  affine_rows(dkey, head->key_weight, NULL, dx, n, k, d);
  affine_rows(dvalue, head->value_weight, NULL, dx, n, k, d);
  for (int i = 0; i < n; i++) {
    const int start = row_offset(i, k, n), reach = attention_head_reach(head, i);
    attention_score_differentials(ds, head->query + start, dquery + start, head->key, dkey, head->root, reach, k);
    attention_jvp_row(dy + start, head->weights + row_offset(i, n, n), head->value, head->output + start, dvalue, ds,
                      reach, k);
  }
}
