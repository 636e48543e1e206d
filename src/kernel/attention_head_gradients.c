#include "kernel/attention_head.h"
#include "kernel/index.h"
#include "kernel/jacobian_block.h"

void attention_head_gradients(double *g, double *h, const attention_head *head) {
  const int n = head->n, d = head->dim, k = head->head_dim;
  for (int i = 0; i < n; i++) {
    const int vector = row_offset(i, k, n), token = row_offset(i, d, n);
    score_gradient(g + token, head->key_weight, head->query + vector, head->root, k, d);
    score_gradient(h + token, head->query_weight, head->key + vector, head->root, k, d);
  }
}
