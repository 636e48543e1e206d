#include "kernel/linear/arithmetic.h"
#include "kernel/row/attention_row.h"
#include "kernel/linear/index.h"
#include "kernel/linear/vector.h"

void attention_scores(double *s, const double *q, const double *keys, double root, int n, int k) {
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant done: \forall integer t; 0 <= t < j ==> s[t] == score{Pre}(q, keys, root, k, t);
      loop assigns j, s[0 .. n - 1];
      loop variant n - j; */
  for (int j = 0; j < n; j++) {
    const double value = divide(vector_dot(q, keys + row_offset(j, k, n), k), root);
    //@ assert value: value == score{Pre}(q, keys, root, k, j);
    s[j] = value;
  }
}
