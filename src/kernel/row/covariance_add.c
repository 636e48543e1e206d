#include "kernel/linear/arithmetic.h"
#include "kernel/linear/index.h"
#include "kernel/row/jacobian_block.h"
#include "kernel/linear/vector.h"

/* Row r of the block has received its row of C_i between the two moments. */
/*@ predicate covariance_added{Old, New}(double *block, attention_row_view a, double *h, integer d, integer r) =
      \forall integer c; 0 <= c < d ==> \at(block[row(r, d) + c], New) ==
        \at(block[row(r, d) + c], Old) + covariance{Old}(a.weights, a.values, a.output, h, a.k, d, r, c, a.n); */

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
/*@ requires row: row_sides(a) && row_readable(a) && side(d) && \valid_read(h + (0 .. row(a.n, d) - 1)) && 0 <= r < a.k;
    requires valid: \valid(out + (0 .. d - 1));
    requires outside: row_outside(a, out, d) && \separated(out + (0 .. d - 1), h + (0 .. row(a.n, d) - 1));
    terminates \true;
    assigns out[0 .. d - 1];
    ensures result: \forall integer c; 0 <= c < d ==>
      out[c] == \at(out[c], Pre) + covariance{Pre}(a.weights, a.values, a.output, h, a.k, d, r, c, a.n); */
static void covariance_row_add(double *out, attention_row_view a, const double *h, int r, int d) {
  /*@ loop invariant range: 0 <= j <= a.n;
      loop invariant partial: \forall integer c; 0 <= c < d ==>
        out[c] == \at(out[c], Pre) + covariance{Pre}(a.weights, a.values, a.output, h, a.k, d, r, c, j);
      loop assigns j, out[0 .. d - 1];
      loop variant a.n - j; */
  for (int j = 0; j < a.n; j++) {
    const int vector = row_offset(j, a.k, a.n), token = row_offset(j, d, a.n);
    /*@ assert same: a.weights[j] == \at(a.weights[\at(j, Here)], Pre) && a.output[r] == \at(a.output[r], Pre) &&
                     a.values[row(j, a.k) + r] == \at(a.values[row(\at(j, Here), a.k) + r], Pre); */
    //@ assert inside: \forall integer c; 0 <= c < d ==> 0 <= row(j, d) + c < row(a.n, d);
    //@ assert same_row: \forall integer c; 0 <= c < d ==> h[row(j, d) + c] == \at(h[row(\at(j, Here), d) + c], Pre);
    /*@ assert same_summand: \forall integer c; 0 <= c < d ==>
      covariance_summand(a.weights[j], a.values[row(j, a.k) + r], a.output[r], h[row(j, d) + c]) ==
      covariance_summand(\at(a.weights[\at(j, Here)], Pre), \at(a.values[row(\at(j, Here), a.k) + r], Pre),
                         \at(a.output[r], Pre), \at(h[row(\at(j, Here), d) + c], Pre)); */
    //@ ghost Before:;
    add_summand(out, a.weights[j], a.values[vector + r], a.output[r], h + token, d);
    /*@ assert added: \forall integer c; 0 <= c < d ==> out[c] == \at(out[c], Before) +
      covariance_summand(\at(a.weights[\at(j, Here)], Pre), \at(a.values[row(\at(j, Here), a.k) + r], Pre),
                         \at(a.output[r], Pre), \at(h[row(\at(j, Here), d) + c], Pre)); */
    /*@ assert next: \forall integer c; 0 <= c < d ==>
      covariance{Pre}(a.weights, a.values, a.output, h, a.k, d, r, c, j + 1) ==
      covariance{Pre}(a.weights, a.values, a.output, h, a.k, d, r, c, j) +
      covariance_summand(\at(a.weights[\at(j, Here)], Pre), \at(a.values[row(\at(j, Here), a.k) + r], Pre),
                         \at(a.output[r], Pre), \at(h[row(\at(j, Here), d) + c], Pre)); */
  }
}

void covariance_add(double *block, attention_row_view a, const double *h, int d) {
  /*@ loop invariant range: 0 <= r <= a.k;
      loop invariant done: \forall integer q; 0 <= q < r ==>
                           covariance_added{Pre, Here}(block, a, h, d, q);
      loop invariant rest: \forall integer e; row(r, d) <= e < row(a.k, d) ==> block[e] == \at(block[e], Pre);
      loop assigns r, block[0 .. row(a.k, d) - 1];
      loop variant a.k - r; */
  for (int r = 0; r < a.k; r++) {
    //@ assert above: \forall integer q; 0 <= q < r ==> 0 <= row(q, d) && row(q, d) + d <= row(r, d);
    //@ assert below: row(r + 1, d) == row(r, d) + d && row(r, d) + d <= row(a.k, d);
    //@ ghost Before:;
    //@ assert same_weights: \forall integer t; 0 <= t < a.n ==> a.weights[t] == \at(a.weights[t], Pre);
    //@ assert same_output: a.output[r] == \at(a.output[\at(r, Here)], Pre);
    /*@ assert same_values: \forall integer t; 0 <= t < a.n ==>
                            a.values[row(t, a.k) + r] == \at(a.values[row(t, a.k) + \at(r, Here)], Pre); */
    /*@ assert same_gradients: \forall integer t, c; 0 <= t < a.n ==> 0 <= c < d ==>
                               h[row(t, d) + c] == \at(h[row(t, d) + c], Pre); */
    /*@ assert same: \forall integer c; 0 <= c < d ==>
      covariance{Before}(a.weights, a.values, a.output, h, a.k, d, r, c, a.n) ==
      covariance{Pre}(a.weights, a.values, a.output, h, a.k, d, r, c, a.n); */
    covariance_row_add(block + row_offset(r, d, a.k), a, h, r, d);
    //@ assert current: covariance_added{Pre, Here}(block, a, h, d, r);
    /*@ assert kept: \forall integer q, c; 0 <= q < r ==> 0 <= c < d ==>
                     block[row(q, d) + c] == \at(block[row(q, d) + c], Before); */
    //@ assert before: \forall integer q; 0 <= q < r ==> covariance_added{Pre, Here}(block, a, h, d, q);
  }
}
