/* The theorem about the entropy of attention: from intervals of a row's scores to one that contains the entropy of
 * their softmax, by the calls of src/certify/enclosure and src/spectrum/attention.c. No program calls this function: it
 * is here to show that the contracts together make up the formula. */
#include "certify/enclosure/attention_enclosure.h"
#include "spectrum/entropy.h"

#include "interval/interval_life_lemmas.acsl"

/* p: the scores, then the weights. */
/*@ requires sides: side(n) && 1 <= n && 1 <= precision;
    requires valid: \valid(entropy) && \valid(p + (0 .. n - 1)) && \valid(ws);
    requires live: live(entropy) && live_vec(p, n) && live_scratch(ws);
    requires separated: \separated(entropy, p + (0 .. n - 1), ws);
    terminates \true;
    assigns *entropy, p[0 .. n - 1], *ws, mpfr_lives;
    ensures contains: \forall rvec s; in_vec{Pre}(p, s, 0, n) ==> in(entropy, real_entropy(real_weights(s, n), n));
    ensures live: live(entropy); */
void entropy_theorem(interval *entropy, interval *p, int n, mpfr_prec_t precision, interval_scratch *ws) {
  softmax_enclosure(p, n, precision, ws);
  //@ assert lives: live(entropy) && live_vec(p, n) && live_scratch(ws);
  //@ assert unit: \forall rvec s; weights(real_weights(s, n), n);
  spectrum_entropy(entropy, p, (size_t)n, ws);
}
