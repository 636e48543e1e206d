#include "kernel/arithmetic.h"
#include "kernel/index.h"
#include "kernel/jacobian_block.h"
#include "kernel/vector.h"

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
    const double coefficient = times(p[j], values[row_offset(j, k, n) + r] - y[r]);
    /*@ assert same: p[j] == \at(p[\at(j, Here)], Pre) && y[r] == \at(y[r], Pre) &&
                     values[row(j, k) + r] == \at(values[row(\at(j, Here), k) + r], Pre); */
    /*@ assert coefficient: coefficient == prod(\at(p[\at(j, Here)], Pre),
                                                \at(values[row(\at(j, Here), k) + r], Pre) - \at(y[r], Pre)); */
    //@ assert others: \forall integer c; 0 <= c < d ==> h[row(j, d) + c] == \at(h[row(\at(j, Here), d) + c], Pre);
    vector_add_scaled(out, coefficient, h + row_offset(j, d, n), d);
  }
}

void covariance_add(double *block, const double *p, const double *values, const double *y, const double *h, int n,
                    int k, int d) {
  /*@ loop invariant range: 0 <= r <= k;
      loop invariant done: \forall integer q, c; 0 <= q < r ==> 0 <= c < d ==> block[row(q, d) + c] ==
        \at(block[row(q, d) + c], Pre) + covariance{Pre}(p, values, y, h, k, d, q, c, n);
      loop invariant rest: \forall integer e; row(r, d) <= e < row(k, d) ==> block[e] == \at(block[e], Pre);
      loop assigns r, block[0 .. row(k, d) - 1];
      loop variant k - r; */
  for (int r = 0; r < k; r++) {
    //@ assert above: \forall integer q; 0 <= q < r ==> 0 <= row(q, d) && row(q, d) + d <= row(r, d);
    //@ assert below: row(r + 1, d) == row(r, d) + d && row(r, d) + d <= row(k, d);
    //@ ghost Before:;
    covariance_row_add(block + row_offset(r, d, k), p, values, y, h, r, n, k, d);
    /*@ assert kept: \forall integer q, c; 0 <= q < r ==> 0 <= c < d ==>
                     block[row(q, d) + c] == \at(block[row(q, d) + c], Before); */
  }
}
