#include "kernel/row/attention_vjp_row.h"

#include "kernel/row/attention_row.h"

#include "kernel/linear/matrix.h"

#ifdef __FRAMAC__
#include "head_framing/vjp_frame_lemmas.acsl"
#endif

void attention_vjp_row(double *dq, double *dkeys, double *dvalues, double *t, const double *p, const double *q,
                       const double *keys, const double *values, const double *y, const double *c, double root, int n,
                       int k) {
  //@ assert inside: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==> 0 <= row(j, k) + r < row(n, k);
  attention_score_cotangents(t, p, values, y, c, root, n, k);
  /*@ assert same_keys: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==>
                        keys[row(j, k) + r] == \at(keys[row(j, k) + r], Pre); */
  /*@ assert product: \forall integer r; 0 <= r < k ==>
        vec_mat(t, keys, k, r, n) == query_cotangent{Pre}(p, values, y, c, root, keys, k, r, n); */
  vector_matrix(dq, t, keys, n, k);
  /*@ assert scores: \forall integer j; 0 <= j < n ==>
        t[j] == score_cotangent{Pre}(p, values, y, c, root, k, j); */
  //@ assert same_query: \forall integer r; 0 <= r < k ==> q[r] == \at(q[r], Pre);
  /*@ assert same_sums: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==>
                        dkeys[row(j, k) + r] == \at(dkeys[row(j, k) + r], Pre); */
  /*@ assert first_values: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==>
                           dvalues[row(j, k) + r] == \at(dvalues[row(j, k) + r], Pre); */
  //@ ghost Query:;
  rank_one_add(dkeys, t, q, n, k);
  /*@ assert keys_added: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==>
        dkeys[row(j, k) + r] == \at(dkeys[row(j, k) + r], Query) + prod(\at(t[j], Query), \at(q[r], Query)); */
  //@ assert query_kept: \forall integer r; 0 <= r < k ==> dq[r] == \at(dq[r], Query);
  /*@ assert keys: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==>
        dkeys[row(j, k) + r] == \at(dkeys[row(j, k) + r], Pre)
                                + prod(score_cotangent{Pre}(p, values, y, c, root, k, j), \at(q[r], Pre)); */
  //@ assert same_weights: \forall integer j; 0 <= j < n ==> p[j] == \at(p[j], Pre);
  //@ assert same_cotangent: \forall integer r; 0 <= r < k ==> c[r] == \at(c[r], Pre);
  /*@ assert values_kept: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==>
                          dvalues[row(j, k) + r] == \at(dvalues[row(j, k) + r], Query); */
  /*@ assert same_values: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==>
                          dvalues[row(j, k) + r] == \at(dvalues[row(j, k) + r], Pre); */
  //@ ghost Keys:;
  rank_one_add(dvalues, p, c, n, k);
  //@ assert query_still: \forall integer r; 0 <= r < k ==> dq[r] == \at(dq[r], Keys);
  /*@ assert keys_kept: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==>
                        dkeys[row(j, k) + r] == \at(dkeys[row(j, k) + r], Keys); */
}
