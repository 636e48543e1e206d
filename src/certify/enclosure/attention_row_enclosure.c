#include "certify/enclosure/attention_enclosure.h"

void attention_row_enclosure(interval *p, interval *y, attention_row a, mpfr_prec_t precision, interval_scratch *ws) {
  const int n = a.n, k = a.k;
  score_enclosure(p, a.q, a.keys, a.root, n, k, ws);
  softmax_enclosure(p, n, precision, ws);
  /*@ assert weights: \forall rvec x, m, real r;
        0.0 < r ==> in{Pre}(a.root, r) ==> in_vec{Pre}(a.q, x, 0, k) ==> in_vec{Pre}(a.keys, m, 0, row(n, k)) ==>
        in_vec(p, real_attention(x, m, r, k, n), 0, n); */
  //@ ghost Weights:;
  //@ assert values: kept{Pre, Here}(a.values, 0, row(n, k));
  //@ assert same_values: \forall rvec v; in_vec{Pre}(a.values, v, 0, row(n, k)) ==> in_vec(a.values, v, 0, row(n, k));
  mean_enclosure(y, p, a.values, n, k, ws);
  //@ assert same_weights: kept{Weights, Here}(p, 0, n);
  //@ assert still_weights: \forall rvec w; in_vec{Weights}(p, w, 0, n) ==> in_vec(p, w, 0, n);
}
