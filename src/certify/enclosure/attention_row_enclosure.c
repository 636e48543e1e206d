#include "certify/enclosure/attention_enclosure.h"

#ifdef __FRAMAC__
#include "interval/interval_life_lemmas.acsl"
#endif

void attention_row_enclosure(interval *p, interval *y, attention_row a, mpfr_prec_t precision, interval_scratch *ws) {
  const int n = a.n, k = a.k;
  score_enclosure(p, a.q, a.keys, a.root, n, k, ws);
  //@ ghost Scores:;
  //@ assert frame_scores: keeps{Pre, Here}(p, n, ws);
  softmax_enclosure(p, n, precision, ws);
  //@ assert frame_softmax: keeps{Scores, Here}(p, n, ws);
  //@ assert frame_weights: keeps{Pre, Here}(p, n, ws);
  /*@ assert weights: \forall rvec x, m, real r;
        0.0 < r ==> in{Pre}(a.root, r) ==> in_vec{Pre}(a.q, x, 0, k) ==> in_vec{Pre}(a.keys, m, 0, row(n, k)) ==>
        in_vec(p, real_attention(x, m, r, k, n), 0, n); */
  //@ ghost Weights:;
  //@ assert live: live_vec(y, k) && live_vec(p, n);
  //@ assert live_values: live_vec(a.values, row(n, k));
  //@ assert live_scratch: live_scratch(ws);
  //@ assert values: kept{Pre, Here}(a.values, 0, row(n, k));
  //@ assert same_values: \forall rvec v; in_vec{Pre}(a.values, v, 0, row(n, k)) ==> in_vec(a.values, v, 0, row(n, k));
  mean_enclosure(y, p, a.values, n, k, ws);
  //@ assert frame_mean: keeps{Weights, Here}(y, k, ws);
  //@ assert same_weights: kept{Weights, Here}(p, 0, n);
  /*@ assert frame_both: \forall interval *b, integer m;
        kept{Pre, Weights}(b, 0, m) ==> kept{Weights, Here}(b, 0, m) ==> kept{Pre, Here}(b, 0, m); */
  //@ assert still_weights: \forall rvec w; in_vec{Weights}(p, w, 0, n) ==> in_vec(p, w, 0, n);
}
