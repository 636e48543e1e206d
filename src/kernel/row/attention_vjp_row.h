/* Row i of one head's vector-Jacobian product; the notation is that of attention_row.h. */
#ifndef ATTCERT_KERNEL_ROW_ATTENTION_VJP_ROW_H
#define ATTCERT_KERNEL_ROW_ATTENTION_VJP_ROW_H

#include "kernel/row/attention_row.h"

/* dq = t^T K, dK += t q^T, dV += p c^T with the t of attention_score_cotangents, left in the array t. */
/*@ requires row: row_sides(a) && row_readable(a) && \valid_read(c + (0 .. a.k - 1));
    requires out: \valid(dq + (0 .. a.k - 1)) && \valid(t + (0 .. a.n - 1));
    requires out_rows: \valid(dkeys + (0 .. row(a.n, a.k) - 1)) && \valid(dvalues + (0 .. row(a.n, a.k) - 1));
    requires outside: row_outside(a, dq, a.k) && row_outside(a, t, a.n) && row_outside(a, dkeys, row(a.n, a.k)) &&
                      row_outside(a, dvalues, row(a.n, a.k));
    requires cotangent_outside: \separated(dq + (0 .. a.k - 1), c + (0 .. a.k - 1)) &&
                                \separated(t + (0 .. a.n - 1), c + (0 .. a.k - 1)) &&
                                \separated(dkeys + (0 .. row(a.n, a.k) - 1), c + (0 .. a.k - 1)) &&
                                \separated(dvalues + (0 .. row(a.n, a.k) - 1), c + (0 .. a.k - 1));
    requires separated: \separated(dq + (0 .. a.k - 1), t + (0 .. a.n - 1)) &&
                        \separated(dkeys + (0 .. row(a.n, a.k) - 1), t + (0 .. a.n - 1)) &&
                        \separated(dvalues + (0 .. row(a.n, a.k) - 1), t + (0 .. a.n - 1)) &&
                        \separated(dkeys + (0 .. row(a.n, a.k) - 1), dq + (0 .. a.k - 1)) &&
                        \separated(dvalues + (0 .. row(a.n, a.k) - 1), dq + (0 .. a.k - 1)) &&
                        \separated(dvalues + (0 .. row(a.n, a.k) - 1), dkeys + (0 .. row(a.n, a.k) - 1));
    terminates \true;
    assigns dq[0 .. a.k - 1], dkeys[0 .. row(a.n, a.k) - 1], dvalues[0 .. row(a.n, a.k) - 1], t[0 .. a.n - 1];
    ensures query: \forall integer r; 0 <= r < a.k ==>
      dq[r] == query_cotangent{Pre}(a.weights, a.values, a.output, c, a.root, a.keys, a.k, r, a.n);
    ensures keys: \forall integer j, r; 0 <= j < a.n ==> 0 <= r < a.k ==> dkeys[row(j, a.k) + r] ==
      \at(dkeys[row(j, a.k) + r], Pre)
      + prod(score_cotangent{Pre}(a.weights, a.values, a.output, c, a.root, a.k, j), \at(a.query[r], Pre));
    ensures values: \forall integer j, r; 0 <= j < a.n ==> 0 <= r < a.k ==> dvalues[row(j, a.k) + r] ==
      \at(dvalues[row(j, a.k) + r], Pre) + prod(\at(a.weights[j], Pre), \at(c[r], Pre)); */
void attention_vjp_row(double *dq, double *dkeys, double *dvalues, double *t, attention_row_view a, const double *c);

#endif
