/* h(x) = - x ln x is concave on [0, 1], rises to 1/e at x = 1/e and falls beyond. On [a, b] its least value is
 * therefore at an end, and its largest one is 1/e where 1/e lies between, or else at an end too. */
#ifdef __FRAMAC__
#include "interval/interval_vec.h"

#include "interval/interval_life_lemmas.acsl"
#include "interval/interval_row.acsl"
#endif

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_lattice.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "spectrum/entropy.h"

/* r contains h(x), by way of exact = [x, x]. An infinite x stands for every positive number. */
/*@ requires valid: \valid(r) && \valid_read(x) && \valid(exact) && \valid(ws);
    requires live: live(r) && initialised(x) && live(exact) && live_scratch(ws);
    requires separated: \separated(r, x, exact, ws);
    terminates \true;
    assigns *r, *exact, *ws;
    ensures number: number{Pre}(x) ==> in(r, entropy_term(value{Pre}(x)));
    ensures infinity: plus_infinity{Pre}(x) ==> \forall real y; 0.0 < y ==> in(r, entropy_term(y));
    ensures zero: !positive{Pre}(x) ==> in(r, 0.0); */
static void at_number(interval *r, mpfr_srcptr x, interval *exact, interval_scratch *ws) {
  if (mpfr_sgn(x) <= 0) {
    interval_set_zero(r);
    return;
  }
  interval_set_fr(exact, x);
  //@ ghost Exact:;
  /*@ assert exact: \forall real y; 0.0 < y ==> plus_infinity{Pre}(x) || (number{Pre}(x) && y == value{Pre}(x)) ==>
        in(exact, y); */
  interval_log(r, exact);
  //@ assert same: \forall real y; in{Exact}(exact, y) ==> in(exact, y);
  /*@ assert logarithm: \forall real y; 0.0 < y ==>
        plus_infinity{Pre}(x) || (number{Pre}(x) && y == value{Pre}(x)) ==> in(r, rlog(y)); */
  interval_mul(r, r, exact, ws);
  /*@ assert product: \forall real y; 0.0 < y ==>
        plus_infinity{Pre}(x) || (number{Pre}(x) && y == value{Pre}(x)) ==> in(r, prod(rlog(y), y)); */
  interval_neg(r, r);
}

/*@ // What r holds of h once its values at both ends of p are known.
    predicate holds_ends{L}(interval *r, interval *p) =
      (number(&p->lo[0]) ==> in(r, entropy_term(value(&p->lo[0])))) &&
      (number(&p->hi[0]) ==> in(r, entropy_term(value(&p->hi[0])))) &&
      (plus_infinity(&p->hi[0]) ==> \forall real y; 0.0 < y ==> in(r, entropy_term(y))) &&
      (!positive(&p->lo[0]) || !positive(&p->hi[0]) ==> in(r, 0.0)); */

/* r contains h at both ends of p. */
/*@ requires valid: \valid(r) && \valid_read(p) && \valid(end) && \valid(exact) && \valid(ws);
    requires live: live(r) && live(p) && live(end) && live(exact) && live_scratch(ws);
    requires separated: \separated(r, p, end, exact, ws);
    terminates \true;
    assigns *r, *end, *exact, *ws;
    ensures ends: holds_ends(r, p); */
static void at_ends(interval *r, const interval *p, interval *end, interval *exact, interval_scratch *ws) {
  at_number(r, p->lo, exact, ws);
  //@ ghost Low:;
  //@ assert after_low: unchanged{Pre, Here}(&p->lo[0]) && unchanged{Pre, Here}(&p->hi[0]);
  at_number(end, p->hi, exact, ws);
  //@ assert low: \forall real y; in{Low}(r, y) ==> in(r, y);
  //@ assert after_high: unchanged{Pre, Here}(&p->lo[0]) && unchanged{Pre, Here}(&p->hi[0]);
  interval_hull(r, r, end);
  //@ assert after_hull: unchanged{Pre, Here}(&p->lo[0]) && unchanged{Pre, Here}(&p->hi[0]);
}

/* r contains h(x) for all x in p and [0, 1]. inverse_e: e^-1, the place and the value of the maximum. */
/*@ requires valid: \valid(r) && \valid_read(p) && \valid(end) && \valid(exact) && \valid_read(inverse_e) && \valid(ws);
    requires live: live(r) && live(p) && live(end) && live(exact) && live(inverse_e) && live_scratch(ws);
    requires separated: \separated(r, p, end, exact, inverse_e, ws);
    requires inverse_e: in(inverse_e, rexp(-1.0));
    terminates \true;
    assigns *r, *end, *exact, *ws;
    ensures contains: \forall real x; in{Pre}(p, x) ==> 0.0 <= x <= 1.0 ==> in(r, entropy_term(x)); */
static void enclose_term(interval *r, const interval *p, interval *end, interval *exact, const interval *inverse_e,
                         interval_scratch *ws) {
  at_ends(r, p, end, exact, ws);
  //@ ghost Ends:;
  //@ assert same: \forall real x; in{Pre}(p, x) ==> in(p, x);
  //@ assert peak: in(inverse_e, rexp(-1.0));
  if (!interval_disjoint(p, inverse_e)) interval_hull(r, r, inverse_e);
  //@ assert ends: \forall real y; in{Ends}(r, y) ==> in(r, y);
  //@ assert peak_inside: in{Ends}(p, rexp(-1.0)) ==> in(r, rexp(-1.0));
}

/* entropy contains the sum of h over the weights; value, end and exact are room. */
/*@ requires valid: \valid(entropy) && \valid_read(p + (0 .. n - 1)) && \valid(value) && \valid(end) && \valid(exact) &&
      \valid_read(inverse_e) && \valid(ws);
    requires live: live(entropy) && live_vec(p, n) && live(value) && live(end) && live(exact) && live(inverse_e) &&
      live_scratch(ws);
    requires separated: \separated(entropy, p + (0 .. n - 1), value, end, exact, inverse_e, ws);
    requires inverse_e: in(inverse_e, rexp(-1.0));
    terminates \true;
    assigns *entropy, *value, *end, *exact, *ws;
    ensures contains: \forall rvec x; in_vec{Pre}(p, x, 0, n) ==> weights(x, n) ==> in(entropy, real_entropy(x, n)); */
static void sum_terms(interval *entropy, const interval *p, size_t n, interval *value, interval *end, interval *exact,
                      const interval *inverse_e, interval_scratch *ws) {
  interval_set_zero(entropy);
  //@ assert untouched: \forall integer t, real x; 0 <= t < n ==> in{Pre}(p + t, x) ==> in(p + t, x);
  //@ assert peak_untouched: in(inverse_e, rexp(-1.0));
  /*@ loop invariant range: 0 <= j <= n;
      loop invariant weights: \forall integer t, real x; j <= t < n ==> in{Pre}(p + t, x) ==> in(p + t, x);
      loop invariant peak: in(inverse_e, rexp(-1.0));
      loop invariant partial: \forall rvec x; in_vec{Pre}(p, x, 0, n) ==> weights(x, n) ==>
        in(entropy, real_entropy(x, j)) && 0.0 <= real_entropy(x, j);
      loop assigns j, *entropy, *value, *end, *exact, *ws;
      loop variant n - j; */
  for (size_t j = 0; j < n; j++) {
    //@ ghost Before:;
    //@ assert weight: \forall real x; in{Pre}(p + j, x) ==> in(p + j, x);
    enclose_term(value, &p[j], end, exact, inverse_e, ws);
    /*@ assert term: \forall rvec x; in_vec{Pre}(p, x, 0, n) ==> weights(x, n) ==>
          in(value, entropy_term(entry(x, j))) && 0.0 <= entropy_term(entry(x, j)); */
    //@ ghost Term:;
    //@ assert sum: \forall real s; in{Before}(entropy, s) ==> in(entropy, s);
    //@ assert peak_after_term: in(inverse_e, rexp(-1.0));
    //@ assert rest: \forall integer t, real x; j < t < n ==> in{Before}(p + t, x) ==> in(p + t, x);
    interval_add(entropy, entropy, value);
    //@ assert peak_after_sum: in(inverse_e, rexp(-1.0));
    //@ assert rest_after_sum: \forall integer t, real x; j < t < n ==> in{Term}(p + t, x) ==> in(p + t, x);
    /*@ assert next: \forall rvec x; in_vec{Pre}(p, x, 0, n) ==> weights(x, n) ==>
          in(entropy, real_entropy(x, j + 1)) && 0.0 <= real_entropy(x, j + 1); */
  }
  //@ ghost Summed:;
  if (mpfr_sgn(entropy->lo) < 0) mpfr_set_zero(entropy->lo, 1); /* no term is negative */
  //@ assert kept: \forall real s; in{Summed}(entropy, s) ==> 0.0 <= s ==> in(entropy, s);
}

/* The same with exact as the only room given. */
/*@ requires valid: \valid(entropy) && \valid_read(p + (0 .. n - 1)) && \valid(exact) && \valid_read(inverse_e) &&
      \valid(ws);
    requires live: live(entropy) && live_vec(p, n) && live(exact) && live(inverse_e) && live_scratch(ws);
    requires separated: \separated(entropy, p + (0 .. n - 1), exact, inverse_e, ws);
    requires inverse_e: in(inverse_e, rexp(-1.0));
    terminates \true;
    assigns *entropy, *exact, *ws, mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures contains: \forall rvec x; in_vec{Pre}(p, x, 0, n) ==> weights(x, n) ==> in(entropy, real_entropy(x, n)); */
static void sum_with_room(interval *entropy, const interval *p, size_t n, interval *exact, const interval *inverse_e,
                          interval_scratch *ws) {
  const mpfr_prec_t bits = mpfr_get_prec(entropy->lo);
  interval value, end;
  interval_init(&value, bits);
  //@ ghost Value:;
  //@ assert with_value: kept{Pre, Here}(p, 0, n);
  //@ assert peak_with_value: in(inverse_e, rexp(-1.0));
  //@ assert lives_value: same_lives{Pre, Here};
  //@ assert owned_value: owned_ends(&value);
  interval_init(&end, bits);
  //@ assert with_end: kept{Value, Here}(p, 0, n);
  //@ assert peak: in(inverse_e, rexp(-1.0));
  //@ assert lives_end: same_lives{Pre, Here};
  //@ assert owned_end: owned_ends(&value) && owned_ends(&end);
  //@ assert untouched: \forall rvec x; in_vec{Pre}(p, x, 0, n) ==> in_vec(p, x, 0, n);
  //@ assert live: live(entropy) && live_vec(p, n) && live(exact) && live(inverse_e);
  //@ assert live_scratch: live_scratch(ws);
  sum_terms(entropy, p, n, &value, &end, exact, inverse_e, ws);
  //@ ghost Done:;
  interval_clear(&value);
  //@ ghost WithoutValue:;
  //@ assert kept: \forall real s; in{Done}(entropy, s) ==> in(entropy, s);
  //@ assert lives_without_value: same_lives{Pre, Here};
  //@ assert owned_without_value: owned_ends(&end);
  interval_clear(&end);
  /*@ assert last: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> initialised{Pre}(x) ==>
        same_life{WithoutValue, Here}(x); */
  //@ assert lives_without_end: same_lives{Pre, Here};
  //@ assert result: \forall real s; in{WithoutValue}(entropy, s) ==> in(entropy, s);
}

void spectrum_entropy(interval *entropy, const interval *p, size_t n, interval_scratch *ws) {
  const mpfr_prec_t bits = mpfr_get_prec(entropy->lo);
  const mpfr_prec_t weight_bits = n > 0 ? mpfr_get_prec(p->lo) : bits;
  interval exact, inverse_e;
  interval_init(&exact, weight_bits); /* an end of p is exact */
  //@ ghost Exact:;
  //@ assert with_exact: kept{Pre, Here}(p, 0, n);
  //@ assert lives_exact: same_lives{Pre, Here};
  //@ assert owned_exact: owned_ends(&exact);
  interval_init(&inverse_e, bits);
  //@ ghost Inverse:;
  //@ assert with_inverse: kept{Exact, Here}(p, 0, n);
  //@ assert lives_inverse: same_lives{Pre, Here};
  //@ assert owned_inverse: owned_ends(&exact) && owned_ends(&inverse_e);
  interval_set_si(&inverse_e, -1);
  interval_exp(&inverse_e, &inverse_e);
  //@ assert inverse_e: in(&inverse_e, rexp(-1.0));
  //@ assert with_peak: kept{Inverse, Here}(p, 0, n);
  //@ assert untouched: \forall rvec x; in_vec{Pre}(p, x, 0, n) ==> in_vec(p, x, 0, n);
  //@ assert live: live(entropy) && live_vec(p, n);
  //@ assert live_scratch: live_scratch(ws);
  sum_with_room(entropy, p, n, &exact, &inverse_e, ws);
  //@ ghost Done:;
  //@ assert lives_done: same_lives{Pre, Here};
  //@ assert owned_done: owned_ends(&exact) && owned_ends(&inverse_e);
  interval_clear(&exact);
  //@ ghost WithoutExact:;
  //@ assert kept: \forall real s; in{Done}(entropy, s) ==> in(entropy, s);
  //@ assert lives_without_exact: same_lives{Pre, Here};
  //@ assert owned_without_exact: owned_ends(&inverse_e);
  interval_clear(&inverse_e);
  /*@ assert last: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> initialised{Pre}(x) ==>
        same_life{WithoutExact, Here}(x); */
  //@ assert lives_without_inverse: same_lives{Pre, Here};
  //@ assert result: \forall real s; in{WithoutExact}(entropy, s) ==> in(entropy, s);
}
