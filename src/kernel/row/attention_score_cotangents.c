#include "kernel/linear/arithmetic.h"
#include "kernel/row/attention_row.h"
#include "kernel/linear/index.h"

/* (v - y) . c */
/*@ requires side: side(k);
    requires valid: \valid_read(v + (0 .. k - 1)) && \valid_read(y + (0 .. k - 1)) && \valid_read(c + (0 .. k - 1));
    terminates \true;
    assigns \nothing;
    ensures result: \result == deviation{Pre}(v, y, c, k); */
static double deviation_along(const double *v, const double *y, const double *c, int k) {
  double s = 0.0;
  /*@ loop invariant range: 0 <= r <= k;
      loop invariant partial: s == deviation{Pre}(v, y, c, r);
      loop assigns r, s;
      loop variant k - r; */
  for (int r = 0; r < k; r++) s += (v[r] - y[r]) * c[r];
  return s;
}

void attention_score_cotangents(double *t, const double *p, const double *values, const double *y, const double *c,
                                double root, int n, int k) {
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant done: \forall integer l; 0 <= l < j ==>
                           t[l] == score_cotangent{Pre}(p, values, y, c, root, k, l);
      loop assigns j, t[0 .. n - 1];
      loop variant n - j; */
  for (int j = 0; j < n; j++) {
    /*@ assert inside: \forall integer r; 0 <= r < k ==> 0 <= row(j, k) + r < row(n, k); */
    /*@ assert same_row: \forall integer r; 0 <= r < k ==>
                         values[row(j, k) + r] == \at(values[row(\at(j, Here), k) + r], Pre); */
    //@ assert same_vectors: \forall integer r; 0 <= r < k ==> y[r] == \at(y[r], Pre);
    //@ assert same_cotangent: \forall integer r; 0 <= r < k ==> c[r] == \at(c[r], Pre);
    const double along = deviation_along(values + row_offset(j, k, n), y, c, k);
    //@ assert along: along == deviation{Pre}(values + row(j, k), y, c, k);
    //@ assert same: p[j] == \at(p[\at(j, Here)], Pre);
    t[j] = divide(times(p[j], along), root);
    //@ assert entry: t[j] == score_cotangent{Pre}(p, values, y, c, root, k, j);
  }
}
