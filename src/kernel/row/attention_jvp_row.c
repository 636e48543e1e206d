#include "kernel/linear/arithmetic.h"
#include "kernel/row/attention_row.h"
#include "kernel/linear/index.h"
#include "kernel/linear/vector.h"

/* dy += p (dv + (v - y) ds), one summand of the row. */
/*@ requires side: side(k);
    requires valid: \valid(dy + (0 .. k - 1)) && \valid_read(v + (0 .. k - 1)) && \valid_read(y + (0 .. k - 1)) &&
                    \valid_read(dv + (0 .. k - 1));
    requires separated: \separated(dy + (0 .. k - 1), v + (0 .. k - 1)) &&
                        \separated(dy + (0 .. k - 1), y + (0 .. k - 1)) &&
                        \separated(dy + (0 .. k - 1), dv + (0 .. k - 1));
    terminates \true;
    assigns dy[0 .. k - 1];
    ensures result: \forall integer r; 0 <= r < k ==>
                    dy[r] == \at(dy[r], Pre) + jvp_summand(p, \at(dv[r], Pre), \at(v[r], Pre), \at(y[r], Pre), ds); */
static void add_summand(double *dy, double p, const double *v, const double *y, const double *dv, double ds, int k) {
  /*@ loop invariant range: 0 <= r <= k;
      loop invariant done: \forall integer q; 0 <= q < r ==> dy[q] ==
        \at(dy[q], Pre) + jvp_summand(p, \at(dv[q], Pre), \at(v[q], Pre), \at(y[q], Pre), ds);
      loop invariant rest: \forall integer q; r <= q < k ==> dy[q] == \at(dy[q], Pre);
      loop assigns r, dy[0 .. k - 1];
      loop variant k - r; */
  for (int r = 0; r < k; r++) {
    /*@ assert same: v[r] == \at(v[\at(r, Here)], Pre) && y[r] == \at(y[\at(r, Here)], Pre) &&
                     dv[r] == \at(dv[\at(r, Here)], Pre); */
    const double summand = times(p, dv[r] + times(v[r] - y[r], ds));
    /*@ assert summand: summand == jvp_summand(p, \at(dv[\at(r, Here)], Pre), \at(v[\at(r, Here)], Pre),
                                               \at(y[\at(r, Here)], Pre), ds); */
    dy[r] += summand;
  }
}

void attention_jvp_row(double *dy, const double *p, const double *values, const double *y, const double *dvalues,
                       const double *ds, int n, int k) {
  vector_zero(dy, k);
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant partial: \forall integer r; 0 <= r < k ==>
                              dy[r] == jvp_entry{Pre}(p, values, y, dvalues, ds, k, r, j);
      loop assigns j, dy[0 .. k - 1];
      loop variant n - j; */
  for (int j = 0; j < n; j++) {
    const int start = row_offset(j, k, n);
    /*@ assert inside: \forall integer r; 0 <= r < k ==> 0 <= row(j, k) + r < row(n, k); */
    /*@ assert same_row: \forall integer r; 0 <= r < k ==>
                         values[row(j, k) + r] == \at(values[row(\at(j, Here), k) + r], Pre) &&
                         dvalues[row(j, k) + r] == \at(dvalues[row(\at(j, Here), k) + r], Pre); */
    //@ assert same_output: \forall integer r; 0 <= r < k ==> y[r] == \at(y[r], Pre);
    //@ assert same: p[j] == \at(p[\at(j, Here)], Pre) && ds[j] == \at(ds[\at(j, Here)], Pre);
    /*@ assert same_summand: \forall integer r; 0 <= r < k ==>
      jvp_summand(p[j], dvalues[row(j, k) + r], values[row(j, k) + r], y[r], ds[j]) ==
      jvp_summand(\at(p[\at(j, Here)], Pre), \at(dvalues[row(\at(j, Here), k) + r], Pre),
                  \at(values[row(\at(j, Here), k) + r], Pre), \at(y[r], Pre), \at(ds[\at(j, Here)], Pre)); */
    //@ ghost Before:;
    add_summand(dy, p[j], values + start, y, dvalues + start, ds[j], k);
    /*@ assert added: \forall integer r; 0 <= r < k ==> dy[r] == \at(dy[r], Before) +
      jvp_summand(\at(p[\at(j, Here)], Pre), \at(dvalues[row(\at(j, Here), k) + r], Pre),
                  \at(values[row(\at(j, Here), k) + r], Pre), \at(y[r], Pre), \at(ds[\at(j, Here)], Pre)); */
    /*@ assert next: \forall integer r; 0 <= r < k ==> jvp_entry{Pre}(p, values, y, dvalues, ds, k, r, j + 1) ==
      jvp_entry{Pre}(p, values, y, dvalues, ds, k, r, j) +
      jvp_summand(\at(p[\at(j, Here)], Pre), \at(dvalues[row(\at(j, Here), k) + r], Pre),
                  \at(values[row(\at(j, Here), k) + r], Pre), \at(y[r], Pre), \at(ds[\at(j, Here)], Pre)); */
  }
}
