#include "kernel/row/attention_row.h"

#ifdef __FRAMAC__
#include "head_framing/head_jvp_frame_lemmas.acsl"
#endif

void head_jvp_row(double *dy, double *ds, attention_row_view a, attention_row_differential da) {
  attention_score_differentials(ds, a.query, da.query, a.keys, da.keys, a.root, a.n, a.k);
  //@ assert inside: \forall integer t, r; 0 <= t < a.n ==> 0 <= r < a.k ==> 0 <= row(t, a.k) + r < row(a.n, a.k);
  //@ assert same_weights: \forall integer t; 0 <= t < a.n ==> a.weights[t] == \at(a.weights[t], Pre);
  //@ assert same_output: \forall integer r; 0 <= r < a.k ==> a.output[r] == \at(a.output[r], Pre);
  /*@ assert same_values: \forall integer t, r; 0 <= t < a.n ==> 0 <= r < a.k ==>
                          a.values[row(t, a.k) + r] == \at(a.values[row(t, a.k) + r], Pre); */
  /*@ assert same_dvalues: \forall integer t, r; 0 <= t < a.n ==> 0 <= r < a.k ==>
                           da.values[row(t, a.k) + r] == \at(da.values[row(t, a.k) + r], Pre); */
  /*@ assert entry: \forall integer r; 0 <= r < a.k ==>
        jvp_entry(a.weights, a.values, a.output, da.values, ds, a.k, r, a.n) ==
        jvp_head_entry{Pre}(a.weights, a.values, a.output, da.values, a.query, da.query, a.keys, da.keys, a.root,
                             a.k, r, a.n); */
  attention_jvp_row(dy, a.weights, a.values, a.output, da.values, ds, a.n, a.k);
}
