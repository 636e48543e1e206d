/* Row i of one head's vector-Jacobian product; the notation is that of attention_row.h. */
#ifndef ATTCERT_ATTENTION_VJP_ROW_H
#define ATTCERT_ATTENTION_VJP_ROW_H

#ifdef __FRAMAC__
#include "attention/vjp_lemmas.acsl"
#endif

/* dq = t^T K, dK += t q^T, dV += p c^T with the t of attention_score_cotangents, left in the array t. */
/*@ requires sides: side(n) && side(k);
    requires root: 0.0 < root;
    requires out: \valid(dq + (0 .. k - 1)) && \valid(t + (0 .. n - 1));
    requires out_rows: \valid(dkeys + (0 .. row(n, k) - 1)) && \valid(dvalues + (0 .. row(n, k) - 1));
    requires valid: \valid_read(p + (0 .. n - 1)) && \valid_read(q + (0 .. k - 1)) && \valid_read(y + (0 .. k - 1)) &&
                    \valid_read(c + (0 .. k - 1));
    requires valid_rows: \valid_read(keys + (0 .. row(n, k) - 1)) && \valid_read(values + (0 .. row(n, k) - 1));
    requires separated_t: \separated(t + (0 .. n - 1), p + (0 .. n - 1)) &&
                          \separated(t + (0 .. n - 1), q + (0 .. k - 1)) &&
                          \separated(t + (0 .. n - 1), y + (0 .. k - 1)) &&
                          \separated(t + (0 .. n - 1), c + (0 .. k - 1)) &&
                          \separated(t + (0 .. n - 1), keys + (0 .. row(n, k) - 1)) &&
                          \separated(t + (0 .. n - 1), values + (0 .. row(n, k) - 1));
    requires separated_dq: \separated(dq + (0 .. k - 1), t + (0 .. n - 1)) &&
                           \separated(dq + (0 .. k - 1), p + (0 .. n - 1)) &&
                           \separated(dq + (0 .. k - 1), q + (0 .. k - 1)) &&
                           \separated(dq + (0 .. k - 1), c + (0 .. k - 1)) &&
                           \separated(dq + (0 .. k - 1), keys + (0 .. row(n, k) - 1));
    requires separated_dkeys: \separated(dkeys + (0 .. row(n, k) - 1), t + (0 .. n - 1)) &&
                              \separated(dkeys + (0 .. row(n, k) - 1), dq + (0 .. k - 1)) &&
                              \separated(dkeys + (0 .. row(n, k) - 1), p + (0 .. n - 1)) &&
                              \separated(dkeys + (0 .. row(n, k) - 1), q + (0 .. k - 1)) &&
                              \separated(dkeys + (0 .. row(n, k) - 1), c + (0 .. k - 1));
    requires separated_dvalues: \separated(dvalues + (0 .. row(n, k) - 1), t + (0 .. n - 1)) &&
                                \separated(dvalues + (0 .. row(n, k) - 1), dq + (0 .. k - 1)) &&
                                \separated(dvalues + (0 .. row(n, k) - 1), p + (0 .. n - 1)) &&
                                \separated(dvalues + (0 .. row(n, k) - 1), c + (0 .. k - 1)) &&
                                \separated(dvalues + (0 .. row(n, k) - 1), dkeys + (0 .. row(n, k) - 1));
    terminates \true;
    assigns dq[0 .. k - 1], dkeys[0 .. row(n, k) - 1], dvalues[0 .. row(n, k) - 1], t[0 .. n - 1];
    ensures query: \forall integer r; 0 <= r < k ==>
      dq[r] == query_cotangent{Pre}(p, values, y, c, root, keys, k, r, n);
    ensures keys: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==>
      dkeys[row(j, k) + r] == \at(dkeys[row(j, k) + r], Pre)
                              + prod(score_cotangent{Pre}(p, values, y, c, root, k, j), \at(q[r], Pre));
    ensures values: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==>
      dvalues[row(j, k) + r] == \at(dvalues[row(j, k) + r], Pre) + prod(\at(p[j], Pre), \at(c[r], Pre)); */
void attention_vjp_row(double *dq, double *dkeys, double *dvalues, double *t, const double *p, const double *q,
                       const double *keys, const double *values, const double *y, const double *c, double root, int n,
                       int k);

#endif
