/* Real intervals with MPFR endpoints: [lo, hi] = { x : lo <= x <= hi }.
 *
 * Containment is the one property everything rests on: if x is in a and y is in b then x op y is in (a op b), whatever
 * the precisions. Lower ends are rounded down, upper ends up (R. E. Moore; IEEE 1788-2015, set-based flavour).
 *
 * Special values. Empty: lo = +inf, hi = -inf; every operation on an empty operand is empty. Unbounded: lo = -inf or
 * hi = +inf. An endpoint that is NaN claims nothing: the interval counts as [-inf, +inf]. */
#ifndef ATTCERT_INTERVAL_H
#define ATTCERT_INTERVAL_H

#include <mpfr.h>

typedef struct {
  mpfr_t lo, hi;
} interval;

/* Scratch of the operations that need an intermediate; the caller owns it, so no operation allocates. */
typedef struct {
  mpfr_t t;
  interval q;
} interval_scratch;

void interval_init(interval *x, mpfr_prec_t precision); /* [0, 0] */
void interval_clear(interval *x);
void interval_scratch_init(interval_scratch *ws, mpfr_prec_t precision);
void interval_scratch_clear(interval_scratch *ws);

#endif
