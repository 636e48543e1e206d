#include "kernel/linear/arithmetic.h"
#include "kernel/row/attention_row.h"
#include "kernel/linear/index.h"
#include "kernel/linear/vector.h"

void attention_score_differentials(double *ds, const double *q, const double *dq, const double *keys,
                                   const double *dkeys, double root, int n, int k) {
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant done: \forall integer t; 0 <= t < j ==>
                           ds[t] == score_differential{Pre}(q, dq, keys, dkeys, root, k, t);
      loop assigns j, ds[0 .. n - 1];
      loop variant n - j; */
  for (int j = 0; j < n; j++) {
    const int start = row_offset(j, k, n);
    const double by_key = vector_dot(q, dkeys + start, k), by_query = vector_dot(dq, keys + start, k);
    //@ assert by_key: by_key == dot{Pre}(q, dkeys + row(j, k), k);
    //@ assert by_query: by_query == dot{Pre}(dq, keys + row(j, k), k);
    const double value = divide(by_key + by_query, root);
    //@ assert value: value == score_differential{Pre}(q, dq, keys, dkeys, root, k, j);
    ds[j] = value;
  }
}
