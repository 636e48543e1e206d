/* How far apart the two ends of an enclosure are, relative to the upper one. */
#ifndef ATTCERT_LINALG_ROUNDING_RELATIVE_WIDTH_H
#define ATTCERT_LINALG_ROUNDING_RELATIVE_WIDTH_H

#include <mpfr.h>

#ifdef __FRAMAC__
#include "theorems/upward_lemmas.acsl"
#endif

/* A double >= (upper - lower) / upper; 0 for [0, 0], +inf when upper is infinite. */
/*@ requires valid: \valid_read(lower) && \valid_read(upper);
    requires live: initialised(lower) && initialised(upper);
    requires order: number(lower) && 0.0 <= value(lower);
    requires upper: plus_infinity(upper) || (number(upper) && value(lower) <= value(upper));
    terminates \true;
    assigns mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures width: number(upper) ==> 0.0 < value(upper) ==>
      double_at_least(\result, quo(value(upper) - value(lower), value(upper)));
    ensures unbounded: plus_infinity(upper) ==> plus_infinity_double(\result); */
double relative_width(mpfr_srcptr lower, mpfr_srcptr upper);

#endif
