/* The theorems about the two ends of a certificate, as the engine mpfr raises and lowers them.
 *
 *   ends_theorem   whatever number a ratio's lower end is at most and an upper bound is at least is between the ends
 *   norm_theorem   the upper end bounds the norm of every matrix that an explicit Jacobian encloses
 *
 * No program calls these functions: certify_run.c and mpfr_engine.c make the same calls, between others. */
#include "certify/engine/certify_ends.h"
#include "certify/explicit/explicit_norm.h"

/*@ requires valid: \valid(c) && \valid_read(low) && \valid_read(upper) && \separated(c, low, upper);
    requires live: live_ends(c) && initialised(low) && initialised(upper);
    terminates \true;
    assigns *c, mpfr_lives;
    ensures lower: lower_end(c);
    ensures ends: \forall real s; 0.0 <= s ==> (number{Pre}(low) ==> at_most{Pre}(low, s)) ==>
      at_least{Pre}(upper, s) ==> ends_hold(c, s);
    ensures claims: \result != 0 ==> number(&c->lower[0]) && less_equal(&c->lower[0], &c->upper[0]); */
bool ends_theorem(attcert_certificate *c, mpfr_srcptr low, mpfr_srcptr upper, double tolerance) {
  certify_ends_reset(c);
  certify_ends_raise_lower(c, low);
  /*@ assert raised: \forall real s; 0.0 <= s ==> (number{Pre}(low) ==> at_most{Pre}(low, s)) ==> ends_hold(c, s); */
  certify_ends_lower_upper(c, upper);
  /*@ assert between: \forall real s; 0.0 <= s ==> (number{Pre}(low) ==> at_most{Pre}(low, s)) ==>
        at_least{Pre}(upper, s) ==> ends_hold(c, s); */
  if (!certify_ends_are_enclosure(c)) return false;
  //@ ghost Found:;
  certify_ends_update(c, tolerance);
  /*@ assert kept: unchanged{Found, Here}(&c->lower[0]) && unchanged{Found, Here}(&c->upper[0]); */
  return true;
}

/*@ requires valid: \valid(c) && \valid(upper) && \valid_read(j) && gram_source(j) && \valid_read(guess) &&
      \valid_read(options) && \valid(err);
    requires live: live_ends(c) && initialised(upper) && initialised(guess) && initialised(&j->radius[0]);
    requires separated: \separated(c, upper, j, j->mid + (0 .. row(j->rows, j->cols) - 1), err, options) &&
      \separated(guess, c, upper, err);
    terminates \true;
    assigns *upper, *err, (&c->upper[0])[0 .. 0], mpfr_lives, mpz_lives;
    ensures norm: \result != 0 ==> \forall rvec a; enclosed_by{Pre}(j, a) ==>
      norm_above(&c->upper[0], a, j->rows, j->cols); */
bool norm_theorem(attcert_certificate *c, mpfr_ptr upper, const explicit_jacobian *j, mpfr_srcptr guess, double slack,
                  const attcert_options *options, attcert_error *err) {
  /*@ assert readable: \valid_read{Pre}(&c->upper[0]) && \valid_read{Pre}(&c->lower[0]) && \valid_read{Pre}(upper); */
  if (explicit_norm_upper(upper, j, guess, slack, NULL, options, err) != ATTCERT_OK) return false;
  /*@ assert same_life: same_life{Pre, Here}(&c->upper[0]) && same_life{Pre, Here}(&c->lower[0]) &&
        same_life{Pre, Here}(upper); */
  //@ ghost Normed:;
  const bool lower = certify_ends_lower_upper(c, upper);
  /*@ assert taken: lower ==> \forall rvec a; norm_above{Normed}(upper, a, j->rows, j->cols) ==>
        norm_above(&c->upper[0], a, j->rows, j->cols); */
  return lower;
}
