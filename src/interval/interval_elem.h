/* Elementary functions, tightest at r's precision. Operands are first restricted to the domain (IEEE 1788): the part of
 * a outside it is ignored, and a result is empty when nothing is left. */
#ifndef ATTCERT_INTERVAL_INTERVAL_ELEM_H
#define ATTCERT_INTERVAL_INTERVAL_ELEM_H

#include "interval/interval.h"

#ifdef __FRAMAC__
#include "arithmetic/logarithm.acsl"
#include "arithmetic/monotone_lemmas.acsl"
#include "arithmetic/square_root_lemmas.acsl"
#endif

/*@ requires valid: \valid(r) && \valid_read(a);
    requires live: live(r) && live(a);
    requires alias: r == a || \separated(r, a);
    terminates \true;
    assigns *r;
    ensures contains: \forall real x; in{Pre}(a, x) ==> 0.0 <= x ==> in(r, rroot(x)); */
void interval_sqrt(interval *r, const interval *a);

/*@ requires valid: \valid(r) && \valid_read(a);
    requires live: live(r) && live(a);
    requires alias: r == a || \separated(r, a);
    terminates \true;
    assigns *r;
    ensures contains: \forall real x; in{Pre}(a, x) ==> in(r, rexp(x)); */
void interval_exp(interval *r, const interval *a);

/* The natural logarithm. */
/*@ requires valid: \valid(r) && \valid_read(a);
    requires live: live(r) && live(a);
    requires alias: r == a || \separated(r, a);
    terminates \true;
    assigns *r;
    ensures contains: \forall real x; in{Pre}(a, x) ==> 0.0 < x ==> in(r, rlog(x)); */
void interval_log(interval *r, const interval *a);

#endif
