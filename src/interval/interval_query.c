/* Questions about intervals. MPFR's comparison predicates are false when an operand is NaN. */
#include "interval/interval_query.h"

#include <math.h>

#ifdef __FRAMAC__
#include "interval/interval_member_lemmas.acsl"
#endif

/*@ requires valid: \valid_read(x);
    requires live: initialised(x);
    terminates \true;
    assigns \nothing;
    ensures infinite: \result <==> plus_infinity(x); */
static bool is_plus_infinity(mpfr_srcptr x) {
  return mpfr_inf_p(x) && mpfr_sgn(x) > 0;
}

/*@ requires valid: \valid_read(x);
    requires live: initialised(x);
    terminates \true;
    assigns \nothing;
    ensures infinite: \result <==> minus_infinity(x); */
static bool is_minus_infinity(mpfr_srcptr x) {
  return mpfr_inf_p(x) && mpfr_sgn(x) < 0;
}

bool interval_is_empty(const interval *a) {
  if (interval_has_nan(a)) return false;
  return is_plus_infinity(a->lo) || is_minus_infinity(a->hi) || mpfr_greater_p(a->lo, a->hi);
}

bool interval_contains_zero(const interval *a) {
  if (interval_has_nan(a)) return true;
  return mpfr_sgn(a->lo) <= 0 && mpfr_sgn(a->hi) >= 0;
}

bool interval_disjoint(const interval *a, const interval *b) {
  return interval_certainly_less(a, b) || interval_certainly_less(b, a);
}

bool interval_certainly_less(const interval *a, const interval *b) {
  if (interval_is_empty(a) || interval_is_empty(b)) return true;
  //@ assert anywhere: in(a, member(a)) && in(b, member(b));
  //@ assert in_nan: (has_nan(a) ==> in(a, member(b))) && (has_nan(b) ==> in(b, member(a)));
  if (interval_has_nan(a) || interval_has_nan(b)) return false;
  /* Unless the ends are in order, some of these are not. */
  //@ assert upper: number(&a->hi[0]) ==> in(a, value(&a->hi[0]));
  //@ assert lower: number(&b->lo[0]) ==> in(b, value(&b->lo[0]));
  /*@ assert above: !number(&a->hi[0]) ==> number(&b->lo[0]) ==>
        in(a, member_above(a, value(&b->lo[0]))) && value(&b->lo[0]) < member_above(a, value(&b->lo[0])); */
  /*@ assert below: !number(&b->lo[0]) ==>
        in(b, member_below(b, member(a))) && member_below(b, member(a)) < member(a); */
  return mpfr_less_p(a->hi, b->lo);
}

bool interval_certainly_less_equal(const interval *a, const interval *b) {
  if (interval_is_empty(a) || interval_is_empty(b)) return true;
  //@ assert anywhere: in(a, member(a)) && in(b, member(b));
  //@ assert in_nan: (has_nan(a) ==> in(a, member(b) + 1.0)) && (has_nan(b) ==> in(b, member(a) - 1.0));
  if (interval_has_nan(a) || interval_has_nan(b)) return false;
  /* Unless the ends are in order, some of these are not. */
  //@ assert upper: number(&a->hi[0]) ==> in(a, value(&a->hi[0]));
  //@ assert lower: number(&b->lo[0]) ==> in(b, value(&b->lo[0]));
  /*@ assert above: !number(&a->hi[0]) ==> number(&b->lo[0]) ==>
        in(a, member_above(a, value(&b->lo[0]))) && value(&b->lo[0]) < member_above(a, value(&b->lo[0])); */
  /*@ assert below: !number(&b->lo[0]) ==>
        in(b, member_below(b, member(a))) && member_below(b, member(a)) < member(a); */
  return mpfr_lessequal_p(a->hi, b->lo);
}
