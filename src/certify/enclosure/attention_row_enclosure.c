#include "certify/enclosure/attention_enclosure.h"

void attention_row_enclosure(interval *p, interval *y, const interval *q, const interval *keys, const interval *values,
                             const interval *root, int n, int k, mpfr_prec_t precision, interval_scratch *ws) {
  score_enclosure(p, q, keys, root, n, k, ws);
  softmax_enclosure(p, n, precision, ws);
  /*@ assert weights: \forall rvec x, m, real r;
        0.0 < r ==> in{Pre}(root, r) ==> in_vec{Pre}(q, x, 0, k) ==> in_vec{Pre}(keys, m, 0, row(n, k)) ==>
        in_vec(p, real_attention(x, m, r, k, n), 0, n); */
  //@ ghost Weights:;
  //@ assert values: kept{Pre, Here}(values, 0, row(n, k));
  //@ assert same_values: \forall rvec v; in_vec{Pre}(values, v, 0, row(n, k)) ==> in_vec(values, v, 0, row(n, k));
  mean_enclosure(y, p, values, n, k, ws);
  //@ assert same_weights: kept{Weights, Here}(p, 0, n);
  //@ assert still_weights: \forall rvec w; in_vec{Weights}(p, w, 0, n) ==> in_vec(p, w, 0, n);
}
