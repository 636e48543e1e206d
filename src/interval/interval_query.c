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

bool interval_is_whole(const interval *a) {
  return interval_has_nan(a) || (is_minus_infinity(a->lo) && is_plus_infinity(a->hi));
}

bool interval_contains_zero(const interval *a) {
  if (interval_has_nan(a)) return true;
  return mpfr_sgn(a->lo) <= 0 && mpfr_sgn(a->hi) >= 0;
}

bool interval_contains_fr(const interval *a, mpfr_srcptr x) {
  if (!endpoint_is_number(x)) return false;
  if (interval_has_nan(a)) return true;
  return mpfr_lessequal_p(a->lo, x) && mpfr_lessequal_p(x, a->hi);
}

bool interval_contains_d(const interval *a, double x) {
  if (!isfinite(x)) return false;
  if (interval_has_nan(a)) return true;
  return mpfr_cmp_d(a->lo, x) <= 0 && mpfr_cmp_d(a->hi, x) >= 0;
}

bool interval_subset(const interval *a, const interval *b) {
  if (interval_is_empty(a) || interval_is_whole(b)) return true;
  /* Unless the ends of b enclose those of a, one of these is in a and not in b. */
  //@ assert anywhere: in(a, member(a));
  //@ assert outside: !in(b, stranger(b)) && !has_nan(b);
  /*@ assert below: !has_nan(a) ==> !at_least(&a->lo[0], value(&b->lo[0])) ==>
        in(a, member_below(a, value(&b->lo[0]))) && member_below(a, value(&b->lo[0])) < value(&b->lo[0]); */
  /*@ assert above: !has_nan(a) ==> !at_most(&a->hi[0], value(&b->hi[0])) ==>
        in(a, member_above(a, value(&b->hi[0]))) && value(&b->hi[0]) < member_above(a, value(&b->hi[0])); */
  return mpfr_lessequal_p(b->lo, a->lo) && mpfr_lessequal_p(a->hi, b->hi);
}

bool interval_equal(const interval *a, const interval *b) {
  return interval_subset(a, b) && interval_subset(b, a);
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
