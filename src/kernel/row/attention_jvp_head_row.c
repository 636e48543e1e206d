#include "kernel/row/attention_row.h"

#ifdef __FRAMAC__
#include "head_framing/head_jvp_frame_lemmas.acsl"
#endif

void head_jvp_row(double *dy, double *ds, const double *p, const double *q, const double *dq, const double *keys,
                  const double *dkeys, const double *values, const double *y, const double *dvalues, double root, int n,
                  int k) {
  attention_score_differentials(ds, q, dq, keys, dkeys, root, n, k);
  //@ assert inside: \forall integer t, r; 0 <= t < n ==> 0 <= r < k ==> 0 <= row(t, k) + r < row(n, k);
  //@ assert same_weights: \forall integer t; 0 <= t < n ==> p[t] == \at(p[t], Pre);
  //@ assert same_output: \forall integer r; 0 <= r < k ==> y[r] == \at(y[r], Pre);
  /*@ assert same_values: \forall integer t, r; 0 <= t < n ==> 0 <= r < k ==>
                          values[row(t, k) + r] == \at(values[row(t, k) + r], Pre); */
  /*@ assert same_dvalues: \forall integer t, r; 0 <= t < n ==> 0 <= r < k ==>
                           dvalues[row(t, k) + r] == \at(dvalues[row(t, k) + r], Pre); */
  /*@ assert entry: \forall integer r; 0 <= r < k ==>
        jvp_entry(p, values, y, dvalues, ds, k, r, n) ==
        jvp_head_entry{Pre}(p, values, y, dvalues, q, dq, keys, dkeys, root, k, r, n); */
  attention_jvp_row(dy, p, values, y, dvalues, ds, n, k);
}
