/* The two ends of a certificate: the better ones are kept. An end is a bound of the norm when it is at most, or at
 * least, that real number; what is said here of every real s holds of the norm. */
#ifndef ATTCERT_CERTIFY_ENGINE_CERTIFY_ENDS_H
#define ATTCERT_CERTIFY_ENGINE_CERTIFY_ENDS_H

#include "attcert.h"

#ifdef __FRAMAC__
#include "linalg/rounding/relative_width.h"
#endif

/*@ predicate live_ends{L}(attcert_certificate *c) = initialised(&c->lower[0]) && initialised(&c->upper[0]);
    // s is between the ends, of which the lower one is a number and not negative.
    predicate lower_end{L}(attcert_certificate *c) = number(&c->lower[0]) && 0.0 <= value(&c->lower[0]);
    predicate ends_hold{L}(attcert_certificate *c, real s) = at_most(&c->lower[0], s) && at_least(&c->upper[0], s); */

/* [0, +inf]: claims nothing of a norm. */
/*@ requires valid: \valid(c);
    requires live: live_ends(c);
    terminates \true;
    assigns (&c->lower[0])[0 .. 0], (&c->upper[0])[0 .. 0];
    ensures lower: lower_end(c) && value(&c->lower[0]) == 0.0;
    ensures upper: plus_infinity(&c->upper[0]);
    ensures holds: \forall real s; 0.0 <= s ==> ends_hold(c, s); */
void certify_ends_reset(attcert_certificate *c);

/* Whether the ends are in order; the upper one may be +inf. False for NaN. */
/*@ requires valid: \valid_read(c);
    requires live: live_ends(c);
    terminates \true;
    assigns \nothing;
    ensures order: \result != 0 <==> number(&c->lower[0]) && less_equal(&c->lower[0], &c->upper[0]);
    ensures some: \result != 0 ==> ends_hold(c, value(&c->lower[0])); */
bool certify_ends_are_enclosure(const attcert_certificate *c);

/* Takes the number low, rounded down, as the lower end unless that is greater already: true when it did. */
/*@ requires valid: \valid(c) && \valid_read(low) && \separated(c, low);
    requires live: live_ends(c) && initialised(low);
    requires lower: lower_end(c);
    terminates \true;
    assigns (&c->lower[0])[0 .. 0];
    ensures lower: lower_end(c);
    ensures bound: \forall real s; at_most{Pre}(&c->lower[0], s) ==> (number{Pre}(low) ==> at_most{Pre}(low, s)) ==>
      at_most(&c->lower[0], s);
    ensures taken: \result != 0 <==> number{Pre}(low) && value{Pre}(&c->lower[0]) <= value{Pre}(low);
    ensures of_low: \result != 0 ==> at_most(&c->lower[0], value{Pre}(low));
    ensures kept: \result == 0 ==> unchanged{Pre, Post}(&c->lower[0]); */
bool certify_ends_raise_lower(attcert_certificate *c, mpfr_srcptr low);

/* Takes upper, rounded up, as the upper end when it is less; false for NaN. True when it did. */
/*@ requires valid: \valid(c) && \valid_read(upper) && \separated(c, upper);
    requires live: live_ends(c) && initialised(upper);
    terminates \true;
    assigns (&c->upper[0])[0 .. 0];
    ensures bound: \forall real s; at_least{Pre}(&c->upper[0], s) ==> at_least{Pre}(upper, s) ==>
      at_least(&c->upper[0], s);
    ensures taken: \result != 0 <==> less{Pre}(upper, &c->upper[0]);
    ensures of_upper: \result != 0 ==> \forall real s; at_least{Pre}(upper, s) ==> at_least(&c->upper[0], s);
    ensures kept: \result == 0 ==> unchanged{Pre, Post}(&c->upper[0]); */
bool certify_ends_lower_upper(attcert_certificate *c, mpfr_srcptr upper);

/* The relative width of the ends, and whether it is what was asked; an estimate that the upper end refutes gives way to
 * the lower end. The ends bound some number. */
/*@ requires valid: \valid(c);
    requires live: live_ends(c);
    requires lower: lower_end(c);
    requires bounds: \exists real s; ends_hold(c, s);
    terminates \true;
    assigns c->estimate, c->relative_width, c->tolerance_met, mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures width: number(&c->upper[0]) ==> 0.0 < value(&c->upper[0]) ==>
      double_at_least(c->relative_width,
                      quo(value(&c->upper[0]) - value(&c->lower[0]), value(&c->upper[0])));
    ensures unbounded: plus_infinity(&c->upper[0]) ==> plus_infinity_double(c->relative_width);
    ensures estimate: finite_double(c->estimate) ==> at_least(&c->upper[0], c->estimate);
    ensures tolerance: c->tolerance_met != 0 <==> (tolerance <= 0.0 || c->relative_width <= tolerance); */
void certify_ends_update(attcert_certificate *c, double tolerance);

#endif
