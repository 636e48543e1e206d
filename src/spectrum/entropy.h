/* The entropy of a row of attention, H(p) = - sum_j p_j ln p_j with 0 ln 0 = 0: at most ln n, where all weights are
 * equal, and 0 where one is 1. */
#ifndef ATTCERT_SPECTRUM_ENTROPY_H
#define ATTCERT_SPECTRUM_ENTROPY_H

#include "interval/interval.h"

#ifdef __FRAMAC__
#include "interval/interval_vec.h"

#include "real/real_entropy_lemmas.acsl"
#endif

#include <stddef.h>

/* entropy contains H(x) for all weights x_j in p_j, intervals that may reach beyond [0, 1]. */
/*@ requires valid: \valid(entropy) && \valid(ws) && \valid_read(p + (0 .. n - 1));
    requires live: live(entropy) && live_scratch(ws) && live_vec(p, n);
    requires separated: \separated(entropy, ws, p + (0 .. n - 1));
    terminates \true;
    assigns *entropy, *ws, mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures contains: \forall rvec x; in_vec{Pre}(p, x, 0, n) ==> weights(x, n) ==> in(entropy, real_entropy(x, n)); */
void spectrum_entropy(interval *entropy, const interval *p, size_t n, interval_scratch *ws);

#endif
