#include "kernel/row/attention_vjp_row.h"
#include "kernel/linear/matrix.h"

#ifdef __FRAMAC__
#include "head_framing/vjp_frame_lemmas.acsl"
#endif

void attention_vjp_row(double *dq, double *dkeys, double *dvalues, double *t, attention_row_view a, const double *c) {
  //@ assert inside: \forall integer j, r; 0 <= j < a.n ==> 0 <= r < a.k ==> 0 <= row(j, a.k) + r < row(a.n, a.k);
  attention_score_cotangents(t, a.weights, a.values, a.output, c, a.root, a.n, a.k);
  /*@ assert same_keys: \forall integer j, r; 0 <= j < a.n ==> 0 <= r < a.k ==>
                        a.keys[row(j, a.k) + r] == \at(a.keys[row(j, a.k) + r], Pre); */
  /*@ assert product: \forall integer r; 0 <= r < a.k ==>
        vec_mat(t, a.keys, a.k, r, a.n) ==
        query_cotangent{Pre}(a.weights, a.values, a.output, c, a.root, a.keys, a.k, r, a.n); */
  vector_matrix(dq, t, a.keys, a.n, a.k);
  /*@ assert scores: \forall integer j; 0 <= j < a.n ==>
        t[j] == score_cotangent{Pre}(a.weights, a.values, a.output, c, a.root, a.k, j); */
  //@ assert same_query: \forall integer r; 0 <= r < a.k ==> a.query[r] == \at(a.query[r], Pre);
  /*@ assert same_sums: \forall integer j, r; 0 <= j < a.n ==> 0 <= r < a.k ==>
                        dkeys[row(j, a.k) + r] == \at(dkeys[row(j, a.k) + r], Pre); */
  /*@ assert first_values: \forall integer j, r; 0 <= j < a.n ==> 0 <= r < a.k ==>
                           dvalues[row(j, a.k) + r] == \at(dvalues[row(j, a.k) + r], Pre); */
  //@ ghost Query:;
  rank_one_add(dkeys, t, a.query, a.n, a.k);
  /*@ assert keys_added: \forall integer j, r; 0 <= j < a.n ==> 0 <= r < a.k ==>
        dkeys[row(j, a.k) + r] ==
        \at(dkeys[row(j, a.k) + r], Query) + prod(\at(t[j], Query), \at(a.query[r], Query)); */
  //@ assert query_kept: \forall integer r; 0 <= r < a.k ==> dq[r] == \at(dq[r], Query);
  /*@ assert keys: \forall integer j, r; 0 <= j < a.n ==> 0 <= r < a.k ==>
        dkeys[row(j, a.k) + r] == \at(dkeys[row(j, a.k) + r], Pre)
          + prod(score_cotangent{Pre}(a.weights, a.values, a.output, c, a.root, a.k, j), \at(a.query[r], Pre)); */
  //@ assert same_weights: \forall integer j; 0 <= j < a.n ==> a.weights[j] == \at(a.weights[j], Pre);
  //@ assert same_cotangent: \forall integer r; 0 <= r < a.k ==> c[r] == \at(c[r], Pre);
  /*@ assert values_kept: \forall integer j, r; 0 <= j < a.n ==> 0 <= r < a.k ==>
                          dvalues[row(j, a.k) + r] == \at(dvalues[row(j, a.k) + r], Query); */
  /*@ assert same_values: \forall integer j, r; 0 <= j < a.n ==> 0 <= r < a.k ==>
                          dvalues[row(j, a.k) + r] == \at(dvalues[row(j, a.k) + r], Pre); */
  //@ ghost Keys:;
  rank_one_add(dvalues, a.weights, c, a.n, a.k);
  //@ assert query_still: \forall integer r; 0 <= r < a.k ==> dq[r] == \at(dq[r], Keys);
  /*@ assert keys_kept: \forall integer j, r; 0 <= j < a.n ==> 0 <= r < a.k ==>
                        dkeys[row(j, a.k) + r] == \at(dkeys[row(j, a.k) + r], Keys); */
}
