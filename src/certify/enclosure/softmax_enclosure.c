#ifdef __FRAMAC__
#include "interval/interval_vec.h"

#include "interval/interval_life_lemmas.acsl"
#endif

#include "certify/enclosure/attention_enclosure.h"
#include "interval/interval_arith.h"
#include "interval/interval_lattice.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"

/*@ logic real upper_end{L}(interval *a) = value(&a->hi[0]); */

/* shift = [c, c], c the largest upper end rounded to its precision: any exact number would do. A score beyond MPFR's
 * range makes it claim nothing. */
/*@ requires side: side(n) && 1 <= n;
    requires valid: \valid(shift) && \valid_read(p + (0 .. n - 1));
    requires live: live(shift) && live_vec(p, n);
    requires separated: \separated(shift, p + (0 .. n - 1));
    terminates \true;
    assigns *shift;
    ensures member: in(shift, upper_end(shift)); */
static void largest_end(interval *shift, const interval *p, int n) {
  mpfr_set(shift->hi, p[0].hi, MPFR_RNDU);
  /*@ loop invariant range: 1 <= j <= n;
      loop assigns j, *shift;
      loop variant n - j; */
  for (int j = 1; j < n; j++) mpfr_max(shift->hi, shift->hi, p[j].hi, MPFR_RNDU);
  mpfr_set(shift->lo, shift->hi, MPFR_RNDD);
  if (!interval_is_bounded(shift)) interval_set_whole(shift);
}

/* total contains sum_j p_j. */
/*@ requires side: side(n);
    requires valid: \valid(total) && \valid_read(p + (0 .. n - 1));
    requires live: live(total) && live_vec(p, n);
    requires separated: \separated(total, p + (0 .. n - 1));
    terminates \true;
    assigns *total;
    ensures contains: \forall rvec s, real c;
      (\forall integer j; 0 <= j < n ==> in{Pre}(p + j, rexp_shifted(entry(s, j), c))) ==>
      in(total, real_sum_exp_shifted(s, c, n)); */
static void sum_enclosure(interval *total, const interval *p, int n) {
  interval_set_zero(total);
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant partial: \forall rvec s, real c;
        (\forall integer t; 0 <= t < n ==> in{Pre}(p + t, rexp_shifted(entry(s, t), c))) ==>
        in(total, real_sum_exp_shifted(s, c, j));
      loop assigns j, *total;
      loop variant n - j; */
  for (int j = 0; j < n; j++) {
    //@ assert term: \forall real x; in{Pre}(p + j, x) ==> in(p + j, x);
    interval_add(total, total, &p[j]);
  }
}

/* unit contains [0, 1]. */
/*@ requires valid: \valid(unit);
    requires live: live(unit);
    terminates \true;
    assigns *unit;
    ensures contains: \forall real x; 0.0 <= x <= 1.0 ==> in(unit, x); */
static void set_unit(interval *unit) {
  mpfr_set_zero(unit->lo, 1);
  mpfr_set_ui(unit->hi, 1, MPFR_RNDU);
}

/* x contains y / z for y in x and z in total, if y / z is in [0, 1]. */
/*@ requires valid: \valid(x) && \valid_read(total) && \valid_read(unit) && \valid(ws);
    requires live: live(x) && live(total) && live(unit) && live_scratch(ws);
    requires separated: \separated(x, total, unit, ws);
    requires unit: \forall real u; 0.0 <= u <= 1.0 ==> in(unit, u);
    terminates \true;
    assigns *x, *ws;
    ensures contains: \forall real y, z; in{Pre}(x, y) ==> in{Pre}(total, z) ==>
      0.0 < z ==> 0.0 <= quo(y, z) <= 1.0 ==> in(x, quo(y, z)); */
static void divide_probability(interval *x, const interval *total, const interval *unit, interval_scratch *ws) {
  interval_div(x, x, total, ws);
  //@ assert quotient: \forall real y, z; in{Pre}(x, y) ==> in{Pre}(total, z) ==> 0.0 < z ==> in(x, quo(y, z));
  //@ assert still: \forall real u; 0.0 <= u <= 1.0 ==> in(unit, u);
  interval_intersect(x, x, unit);
}

/*@ predicate encloses_quotients{L1, L2}(interval *p, interval *total, integer n) =
      \forall integer t, real x, z; 0 <= t < n ==> in{L1}(p + t, x) ==> in{L1}(total, z) ==>
      0.0 < z ==> 0.0 <= quo(x, z) <= 1.0 ==> in{L2}(p + t, quo(x, z)); */

/* p_j contains x / z for x in p_j and z in total, if x / z is in [0, 1]. */
/*@ requires side: side(n);
    requires valid: \valid(p + (0 .. n - 1)) && \valid_read(total) && \valid_read(unit) && \valid(ws);
    requires live: live_vec(p, n) && live(total) && live(unit) && live_scratch(ws);
    requires separated: \separated(p + (0 .. n - 1), total, unit, ws);
    requires unit: \forall real u; 0.0 <= u <= 1.0 ==> in(unit, u);
    terminates \true;
    assigns p[0 .. n - 1], *ws;
    ensures contains: encloses_quotients{Pre, Post}(p, total, n); */
static void divide_by_total(interval *p, const interval *total, int n, const interval *unit, interval_scratch *ws) {
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant done: encloses_quotients{Pre, Here}(p, total, j);
      loop invariant rest: kept{Pre, Here}(p, j, n);
      loop assigns j, p[0 .. n - 1], *ws;
      loop variant n - j; */
  for (int j = 0; j < n; j++) {
    //@ ghost Before:;
    //@ assert old: \forall real x; in{Pre}(p + j, x) ==> in(p + j, x);
    //@ assert divisor: \forall real z; in{Pre}(total, z) ==> in(total, z);
    //@ assert unit: \forall real u; 0.0 <= u <= 1.0 ==> in(unit, u);
    divide_probability(&p[j], total, unit, ws);
    /*@ assert quotient: \forall real x, z; in{Pre}(p + j, x) ==> in{Pre}(total, z) ==> 0.0 < z ==>
          0.0 <= quo(x, z) <= 1.0 ==> in(p + j, quo(x, z)); */
    //@ assert below: kept{Before, Here}(p, 0, j);
    //@ assert above: kept{Before, Here}(p, j + 1, n);
  }
}

/* The softmax in place, with room for the shift, the sum and [0, 1]. */
/*@ requires side: side(n) && 1 <= n;
    requires valid: \valid(p + (0 .. n - 1)) && \valid(shift) && \valid(total) && \valid(unit) && \valid(ws);
    requires live: live_vec(p, n) && live(shift) && live(total) && live(unit) && live_scratch(ws);
    requires separated: \separated(p + (0 .. n - 1), shift, total, unit, ws);
    terminates \true;
    assigns p[0 .. n - 1], *shift, *total, *unit, *ws;
    ensures contains: \forall rvec s; in_vec{Pre}(p, s, 0, n) ==> in_vec(p, real_weights(s, n), 0, n); */
static void softmax_with(interval *p, int n, interval *shift, interval *total, interval *unit, interval_scratch *ws) {
  largest_end(shift, p, n);
  //@ ghost Shifted:;
  //@ assert scores: \forall rvec s; in_vec{Pre}(p, s, 0, n) ==> in_vec(p, s, 0, n);
  shifted_exponential_enclosure(p, shift, n);
  /*@ assert exponentials: \forall rvec s, integer j; in_vec{Pre}(p, s, 0, n) ==>
        0 <= j < n ==> in(p + j, rexp_shifted(entry(s, j), upper_end{Shifted}(shift))); */
  //@ ghost Exponentials:;
  sum_enclosure(total, p, n);
  /*@ assert sum: \forall rvec s; in_vec{Pre}(p, s, 0, n) ==>
        in(total, real_sum_exp_shifted(s, upper_end{Shifted}(shift), n)); */
  //@ ghost Summed:;
  //@ assert same_exponentials: kept{Exponentials, Here}(p, 0, n);
  set_unit(unit);
  //@ assert same_terms: kept{Summed, Here}(p, 0, n);
  //@ assert same_total: \forall real z; in{Summed}(total, z) ==> in(total, z);
  /*@ assert ratio: \forall rvec s, integer j; 0 <= j < n ==>
        0.0 < real_sum_exp_shifted(s, upper_end{Shifted}(shift), n) &&
        0.0 <= real_softmax_shifted(s, upper_end{Shifted}(shift), n, j) <= 1.0; */
  divide_by_total(p, total, n, unit, ws);
  /*@ assert quotients: \forall rvec s, integer j; in_vec{Pre}(p, s, 0, n) ==>
        0 <= j < n ==> in(p + j, real_softmax_shifted(s, upper_end{Shifted}(shift), n, j)); */
  /*@ assert unshifted: \forall rvec s, integer j; real_softmax_shifted(s, upper_end{Shifted}(shift), n, j) ==
        real_softmax(s, n, j); */
  /*@ assert weights: \forall rvec s, integer j; in_vec{Pre}(p, s, 0, n) ==>
        0 <= j < n ==> in(p + j, real_softmax(s, n, j)); */
}

void softmax_enclosure(interval *p, int n, mpfr_prec_t precision, interval_scratch *ws) {
  interval shift, total, unit;
  interval_init(&shift, precision);
  //@ ghost Shift:;
  //@ assert with_shift: kept{Pre, Here}(p, 0, n);
  //@ assert lives_shift: same_lives{Pre, Here};
  //@ assert owned_shift: owned_ends(&shift);
  interval_init(&total, precision);
  //@ ghost Total:;
  //@ assert with_total: kept{Shift, Here}(p, 0, n);
  //@ assert lives_total: same_lives{Pre, Here};
  //@ assert owned_total: owned_ends(&shift) && owned_ends(&total);
  interval_init(&unit, precision);
  //@ assert with_unit: kept{Total, Here}(p, 0, n);
  //@ assert lives_unit: same_lives{Pre, Here};
  //@ assert owned_unit: owned_ends(&shift) && owned_ends(&total) && owned_ends(&unit);
  //@ assert untouched: \forall rvec s; in_vec{Pre}(p, s, 0, n) ==> in_vec(p, s, 0, n);
  //@ assert live: live_vec(p, n);
  //@ assert live_scratch: live_scratch(ws);
  softmax_with(p, n, &shift, &total, &unit, ws);
  //@ ghost Done:;
  interval_clear(&shift);
  //@ assert without_shift: kept{Done, Here}(p, 0, n);
  //@ assert lives_without_shift: same_lives{Pre, Here};
  //@ assert owned_without_shift: owned_ends(&total) && owned_ends(&unit);
  //@ ghost WithoutShift:;
  interval_clear(&total);
  //@ assert without_total: kept{WithoutShift, Here}(p, 0, n);
  //@ assert lives_without_total: same_lives{Pre, Here};
  //@ assert owned_without_total: owned_ends(&unit);
  //@ ghost WithoutTotal:;
  interval_clear(&unit);
  //@ assert without_unit: kept{WithoutTotal, Here}(p, 0, n);
  //@ assert lives_without_unit: same_lives{Pre, Here};
  //@ assert result: \forall rvec s; in_vec{Done}(p, s, 0, n) ==> in_vec(p, s, 0, n);
}
