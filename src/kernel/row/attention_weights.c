#include "kernel/row/attention_row.h"
#include "kernel/row/softmax.h"

void attention_weights(double *p, const double *q, const double *keys, double root, int n, int k) {
  attention_scores(p, q, keys, root, n, k);
  //@ assert total: sum_exp(p, n) == sum_exp_scores{Pre}(q, keys, root, k, n);
  softmax_row(p, n);
}
