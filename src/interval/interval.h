/* Real intervals with MPFR endpoints: [lo, hi] = { x : lo <= x <= hi }.
 *
 * Containment is the one property everything rests on: if x is in a and y is in b then x op y is in (a op b), whatever
 * the precisions. Lower ends are rounded down, upper ends up (R. E. Moore; IEEE 1788-2015, set-based flavour).
 *
 * Special values. Empty: lo = +inf, hi = -inf; every operation on an empty operand is empty (except the hull, a union).
 * Unbounded: lo = -inf or hi = +inf. An endpoint that is NaN claims nothing: the interval counts as [-inf, +inf].
 * Numbers in the wrong order, lo > hi, are never produced; they hold no real number, and results on them mean nothing.
 *
 * Precision. An operation rounds to the precision of its result; operands may have any other. The scratch should be at
 * least as precise as the result: less is sound but wider.
 *
 * Aliasing. Unless a header says otherwise, the result may be an operand; it must not overlap one partially, nor be
 * part of the scratch. */
#ifndef ATTCERT_INTERVAL_INTERVAL_H
#define ATTCERT_INTERVAL_INTERVAL_H

#include <mpfr.h>

typedef struct {
  mpfr_t lo, hi;
} interval;

#ifdef __FRAMAC__
#include "arithmetic/product_lemmas.acsl"
#include "interval/interval.acsl"
#endif

/* Scratch of the operations that need an intermediate; the caller owns it, so no operation allocates. */
typedef struct {
  mpfr_t t;
  interval q;
} interval_scratch;

/*@ predicate live_scratch{L}(interval_scratch *ws) = initialised(&ws->t[0]) && live(&ws->q);
    predicate owned_scratch{L}(interval_scratch *ws) = owned(&ws->t[0]) && owned_ends(&ws->q);
    // The lives of all numbers but those of the scratch.
    predicate lives_outside{L1, L2}(interval_scratch *ws) = \forall mpfr_srcptr x;
      x != \at(&ws->t[0], L1) ==> x != \at(&ws->q.lo[0], L1) ==> x != \at(&ws->q.hi[0], L1) ==>
      same_life{L1, L2}(x); */

/* [0, 0]. */
/*@ requires valid: \valid(x) && 1 <= precision;
    terminates \true;
    assigns *x, mpfr_lives;
    ensures zero: \forall real s; in(x, s) <==> vanishes(s);
    ensures precision: precision(&x->lo[0]) == precision && precision(&x->hi[0]) == precision;
    ensures live: owned_ends(x) && lives_apart{Pre, Post}(x); */
void interval_init(interval *x, mpfr_prec_t precision);

/*@ requires valid: \valid(x);
    requires live: owned_ends(x);
    terminates \true;
    assigns *x, mpfr_lives;
    ensures cleared: !initialised(&x->lo[0]) && !initialised(&x->hi[0]) && lives_apart{Pre, Post}(x); */
void interval_clear(interval *x);

/*@ requires valid: \valid(ws) && 1 <= precision;
    terminates \true;
    assigns *ws, mpfr_lives;
    ensures zero: \forall real s; in(&ws->q, s) <==> vanishes(s);
    ensures precision: precision(&ws->t[0]) == precision;
    ensures live: owned_scratch(ws) && lives_outside{Pre, Post}(ws); */
void interval_scratch_init(interval_scratch *ws, mpfr_prec_t precision);

/*@ requires valid: \valid(ws);
    requires live: owned_scratch(ws);
    terminates \true;
    assigns *ws, mpfr_lives;
    ensures cleared: !initialised(&ws->t[0]) && !live(&ws->q) && lives_outside{Pre, Post}(ws); */
void interval_scratch_clear(interval_scratch *ws);

#endif
