#include "kernel/attention_head.h"
#include "kernel/attention_row.h"
#include "kernel/index.h"
#include "kernel/matrix.h"
#include "kernel/vector.h"

void attention_head_forward(const attention_head *head, const double *x) {
  const int n = head->n, d = head->dim, k = head->head_dim;
  affine_rows(head->query, head->query_weight, head->query_bias, x, n, k, d);
  affine_rows(head->key, head->key_weight, head->key_bias, x, n, k, d);
  affine_rows(head->value, head->value_weight, head->value_bias, x, n, k, d);
  for (int i = 0; i < n; i++) {
    const int start = row_offset(i, k, n), reach = attention_head_reach(head, i);
    double *p = head->weights + row_offset(i, n, n);
    attention_weights(p, head->query + start, head->key, head->root, reach, k);
    vector_zero(p + reach, n - reach);
    vector_matrix(head->output + start, p, head->value, reach, k);
  }
}
