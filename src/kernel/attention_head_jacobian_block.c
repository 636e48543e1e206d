#include "kernel/attention_head.h"
#include "kernel/index.h"
#include "kernel/jacobian_block.h"
#include "kernel/vector.h"

void attention_head_jacobian_block(double *block, const attention_head *head, const double *g, const double *h, int i,
                                   int l) {
  const int n = head->n, d = head->dim, k = head->head_dim, reach = attention_head_reach(head, i);
  if (l >= reach) {
    vector_zero(block, row_offset(k, d, k));
    return;
  }
  const double *p = head->weights + row_offset(i, n, n), *y = head->output + row_offset(i, k, n);
  jacobian_block(block, p[l], head->value_weight, head->value + row_offset(l, k, n), y, g + row_offset(i, d, n), k, d);
  if (l == i) covariance_add(block, p, head->value, y, h, reach, k, d);
}
