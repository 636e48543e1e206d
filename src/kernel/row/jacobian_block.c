#include "kernel/row/jacobian_block.h"
#include "kernel/linear/arithmetic.h"
#include "kernel/linear/index.h"

/* Row r of the block: p (V_r + (v_r - y_r) g^T); v, y stand for v_r, y_r. */
/*@ requires side: side(d);
    requires valid: \valid(out + (0 .. d - 1)) && \valid_read(weight + (0 .. d - 1)) && \valid_read(g + (0 .. d - 1));
    requires separated: \separated(out + (0 .. d - 1), weight + (0 .. d - 1)) &&
                        \separated(out + (0 .. d - 1), g + (0 .. d - 1));
    terminates \true;
    assigns out[0 .. d - 1];
    ensures result: \forall integer c; 0 <= c < d ==>
                    out[c] == block_entry(p, \at(weight[c], Pre), v, y, \at(g[c], Pre)); */
static void block_row(double *out, double p, const double *weight, double v, double y, const double *g, int d) {
  const double deviation = v - y;
  /*@ loop invariant range: 0 <= c <= d;
      loop invariant done: \forall integer q; 0 <= q < c ==>
                           out[q] == block_entry(p, \at(weight[q], Pre), v, y, \at(g[q], Pre));
      loop assigns c, out[0 .. d - 1];
      loop variant d - c; */
  for (int c = 0; c < d; c++) {
    const double entry = times(p, weight[c] + times(deviation, g[c]));
    //@ assert entry: entry == block_entry(p, \at(weight[\at(c, Here)], Pre), v, y, \at(g[\at(c, Here)], Pre));
    out[c] = entry;
  }
}

void jacobian_block(double *block, double p, const double *value_weight, const double *v, const double *y,
                    const double *g, int k, int d) {
  /*@ loop invariant range: 0 <= r <= k;
      loop invariant done: \forall integer q, c; 0 <= q < r ==> 0 <= c < d ==>
                           block[row(q, d) + c] == jacobian_entry{Pre}(value_weight, v, y, g, p, d, q, c);
      loop assigns r, block[0 .. row(k, d) - 1];
      loop variant k - r; */
  for (int r = 0; r < k; r++) {
    const int start = row_offset(r, d, k);
    //@ assert above: \forall integer q; 0 <= q < r ==> 0 <= row(q, d) && row(q, d) + d <= row(r, d);
    /*@ assert inside: \forall integer c; 0 <= c < d ==> 0 <= row(r, d) + c < row(k, d); */
    /*@ assert same_row: \forall integer c; 0 <= c < d ==>
                         value_weight[row(r, d) + c] == \at(value_weight[row(\at(r, Here), d) + c], Pre); */
    //@ assert same: v[r] == \at(v[\at(r, Here)], Pre) && y[r] == \at(y[\at(r, Here)], Pre);
    //@ assert same_gradient: \forall integer c; 0 <= c < d ==> g[c] == \at(g[c], Pre);
    //@ ghost Before:;
    block_row(block + start, p, value_weight + start, v[r], y[r], g, d);
    /*@ assert current: \forall integer c; 0 <= c < d ==>
                        block[row(r, d) + c] == jacobian_entry{Pre}(value_weight, v, y, g, p, d, r, c); */
    /*@ assert kept: \forall integer q, c; 0 <= q < r ==> 0 <= c < d ==>
                     block[row(q, d) + c] == \at(block[row(q, d) + c], Before); */
  }
}
