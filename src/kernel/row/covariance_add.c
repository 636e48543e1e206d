#include "kernel/linear/arithmetic.h"
#include "kernel/linear/index.h"
#include "kernel/row/jacobian_block.h"
#include "kernel/linear/vector.h"

/* Row r of the block has received its row of C_i between the two moments. */
/*@ predicate covariance_added{Old, New}(double *block, double *p, double *values, double *y, double *h, integer k,
                                         integer d, integer n, integer r) =
      \forall integer c; 0 <= c < d ==> \at(block[row(r, d) + c], New) ==
        \at(block[row(r, d) + c], Old) + covariance{Old}(p, values, y, h, k, d, r, c, n); */

/* out += p (v - y) h, one summand of a row. */
/*@ requires side: side(d);
    requires valid: \valid(out + (0 .. d - 1)) && \valid_read(h + (0 .. d - 1));
    requires separated: \separated(out + (0 .. d - 1), h + (0 .. d - 1));
    terminates \true;
    assigns out[0 .. d - 1];
    ensures result: \forall integer c; 0 <= c < d ==>
                    out[c] == \at(out[c], Pre) + covariance_summand(p, v, y, \at(h[c], Pre)); */
static void add_summand(double *out, double p, double v, double y, const double *h, int d) {
  vector_add_scaled(out, times(p, v - y), h, d);
}

/* Row r of C_i, added to out: sum_j p_j (v_jr - y_r) h_j. */
/*@ requires sides: side(n) && side(k) && side(d) && 0 <= r < k;
    requires valid: \valid(out + (0 .. d - 1)) && \valid_read(p + (0 .. n - 1)) && \valid_read(y + (0 .. k - 1));
    requires valid_rows: \valid_read(values + (0 .. row(n, k) - 1)) && \valid_read(h + (0 .. row(n, d) - 1));
    requires separated: \separated(out + (0 .. d - 1), p + (0 .. n - 1)) &&
                        \separated(out + (0 .. d - 1), y + (0 .. k - 1));
    requires separated_rows: \separated(out + (0 .. d - 1), values + (0 .. row(n, k) - 1)) &&
                             \separated(out + (0 .. d - 1), h + (0 .. row(n, d) - 1));
    terminates \true;
    assigns out[0 .. d - 1];
    ensures result: \forall integer c; 0 <= c < d ==>
                    out[c] == \at(out[c], Pre) + covariance{Pre}(p, values, y, h, k, d, r, c, n); */
static void covariance_row_add(double *out, const double *p, const double *values, const double *y, const double *h,
                               int r, int n, int k, int d) {
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant partial: \forall integer c; 0 <= c < d ==>
                              out[c] == \at(out[c], Pre) + covariance{Pre}(p, values, y, h, k, d, r, c, j);
      loop assigns j, out[0 .. d - 1];
      loop variant n - j; */
  for (int j = 0; j < n; j++) {
    const int vector = row_offset(j, k, n), token = row_offset(j, d, n);
    /*@ assert same: p[j] == \at(p[\at(j, Here)], Pre) && y[r] == \at(y[r], Pre) &&
                     values[row(j, k) + r] == \at(values[row(\at(j, Here), k) + r], Pre); */
    //@ assert inside: \forall integer c; 0 <= c < d ==> 0 <= row(j, d) + c < row(n, d);
    //@ assert same_row: \forall integer c; 0 <= c < d ==> h[row(j, d) + c] == \at(h[row(\at(j, Here), d) + c], Pre);
    /*@ assert same_summand: \forall integer c; 0 <= c < d ==>
      covariance_summand(p[j], values[row(j, k) + r], y[r], h[row(j, d) + c]) ==
      covariance_summand(\at(p[\at(j, Here)], Pre), \at(values[row(\at(j, Here), k) + r], Pre), \at(y[r], Pre),
                         \at(h[row(\at(j, Here), d) + c], Pre)); */
    //@ ghost Before:;
    add_summand(out, p[j], values[vector + r], y[r], h + token, d);
    /*@ assert added: \forall integer c; 0 <= c < d ==> out[c] == \at(out[c], Before) +
      covariance_summand(\at(p[\at(j, Here)], Pre), \at(values[row(\at(j, Here), k) + r], Pre), \at(y[r], Pre),
                         \at(h[row(\at(j, Here), d) + c], Pre)); */
    /*@ assert next: \forall integer c; 0 <= c < d ==> covariance{Pre}(p, values, y, h, k, d, r, c, j + 1) ==
      covariance{Pre}(p, values, y, h, k, d, r, c, j) +
      covariance_summand(\at(p[\at(j, Here)], Pre), \at(values[row(\at(j, Here), k) + r], Pre), \at(y[r], Pre),
                         \at(h[row(\at(j, Here), d) + c], Pre)); */
  }
}

void covariance_add(double *block, const double *p, const double *values, const double *y, const double *h, int n,
                    int k, int d) {
  /*@ loop invariant range: 0 <= r <= k;
      loop invariant done: \forall integer q; 0 <= q < r ==>
                           covariance_added{Pre, Here}(block, p, values, y, h, k, d, n, q);
      loop invariant rest: \forall integer e; row(r, d) <= e < row(k, d) ==> block[e] == \at(block[e], Pre);
      loop assigns r, block[0 .. row(k, d) - 1];
      loop variant k - r; */
  for (int r = 0; r < k; r++) {
    //@ assert above: \forall integer q; 0 <= q < r ==> 0 <= row(q, d) && row(q, d) + d <= row(r, d);
    //@ assert below: row(r + 1, d) == row(r, d) + d && row(r, d) + d <= row(k, d);
    //@ ghost Before:;
    //@ assert same_weights: \forall integer t; 0 <= t < n ==> p[t] == \at(p[t], Pre);
    //@ assert same_output: y[r] == \at(y[\at(r, Here)], Pre);
    /*@ assert same_values: \forall integer t; 0 <= t < n ==>
                            values[row(t, k) + r] == \at(values[row(t, k) + \at(r, Here)], Pre); */
    /*@ assert same_gradients: \forall integer t, c; 0 <= t < n ==> 0 <= c < d ==>
                               h[row(t, d) + c] == \at(h[row(t, d) + c], Pre); */
    /*@ assert same: \forall integer c; 0 <= c < d ==>
      covariance{Before}(p, values, y, h, k, d, r, c, n) == covariance{Pre}(p, values, y, h, k, d, r, c, n); */
    covariance_row_add(block + row_offset(r, d, k), p, values, y, h, r, n, k, d);
    //@ assert current: covariance_added{Pre, Here}(block, p, values, y, h, k, d, n, r);
    /*@ assert kept: \forall integer q, c; 0 <= q < r ==> 0 <= c < d ==>
                     block[row(q, d) + c] == \at(block[row(q, d) + c], Before); */
    /*@ assert before: \forall integer q; 0 <= q < r ==>
          covariance_added{Pre, Here}(block, p, values, y, h, k, d, n, q); */
  }
}
