/* The theorems about intervals: expressions as src/theory, src/certify and src/linalg build them contain the exact
 * result, and what is read off an interval says what its callers take it for.
 *
 * No program calls these functions: they are here to show that the contracts of src/interval say what their callers
 * rely on. Every function of src/interval that no other proof calls is called here. */
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_elem.h"
#include "interval/interval_lattice.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "interval/point_vec.h"

/* The two terms of T1 of n tokens that the gradients give, for w = ||gradient||, as src/theory/sqrt_n_bound.c evaluates
 * them: 4 w^2 n + n. */
/*@ requires valid: \valid(t) && \valid(u) && \valid(ws) && \valid_read(w);
    requires live: live(t) && live(u) && live_scratch(ws) && live(w);
    requires separated: \separated(t, u, ws, w);
    terminates \true;
    assigns *t, *u, *ws;
    ensures contains: \forall real a; in{Pre}(w, a) ==> in(t, prod(prod(prod(a, a), power_of_two(2)), n) + n); */
void terms_theorem(interval *t, interval *u, const interval *w, int n, interval_scratch *ws) {
  interval_set_si(u, n);
  //@ assert count: in(u, n);
  //@ assert gradient: \forall real a; in{Pre}(w, a) ==> in(w, a);
  interval_sqr(t, w, ws);
  //@ assert square: \forall real a; in{Pre}(w, a) ==> in(t, prod(a, a));
  //@ assert count_here: in(u, n);
  interval_scale_2exp(t, t, 2);
  //@ assert scaled: \forall real a; in{Pre}(w, a) ==> in(t, prod(prod(a, a), power_of_two(2)));
  //@ assert still_count: in(u, n);
  interval_fma(t, t, u, u, ws);
}

/* And T1 from them, s: sqrt(3 (z^2 + s)) v, for z = |score| and v = ||value||. */
/*@ requires valid: \valid(r) && \valid(u) && \valid(ws) && \valid_read(t) && \valid_read(z) && \valid_read(v);
    requires live: live(r) && live(u) && live_scratch(ws) && live(t) && live(z) && live(v);
    requires separated: \separated(r, t, u, ws, z) && \separated(r, t, u, ws, v);
    terminates \true;
    assigns *r, *u, *ws;
    ensures contains: \forall real s, b, c; in{Pre}(t, s) ==> in{Pre}(z, b) ==> in{Pre}(v, c) ==>
      0.0 <= prod(prod(b, b) + s, 3.0) ==> in(r, prod(rroot(prod(prod(b, b) + s, 3.0)), c)); */
void bound_theorem(interval *r, interval *u, const interval *t, const interval *z, const interval *v,
                   interval_scratch *ws) {
  interval_sqr(r, z, ws);
  //@ assert square: \forall real b; in{Pre}(z, b) ==> in(r, prod(b, b));
  //@ assert terms: \forall real s; in{Pre}(t, s) ==> in(t, s);
  interval_add(r, r, t);
  //@ assert sum: \forall real s, b; in{Pre}(t, s) ==> in{Pre}(z, b) ==> in(r, prod(b, b) + s);
  //@ ghost Sum:;
  interval_set_si(u, 3);
  //@ assert three: in(u, 3.0);
  //@ assert sum_kept: \forall real s; in{Sum}(r, s) ==> in(r, s);
  interval_mul(r, r, u, ws);
  //@ assert product: \forall real s, b; in{Pre}(t, s) ==> in{Pre}(z, b) ==> in(r, prod(prod(b, b) + s, 3.0));
  interval_sqrt(r, r);
  /*@ assert root: \forall real s, b; in{Pre}(t, s) ==> in{Pre}(z, b) ==> 0.0 <= prod(prod(b, b) + s, 3.0) ==>
        in(r, rroot(prod(prod(b, b) + s, 3.0))); */
  //@ assert value_apart: \forall real c; in{Sum}(v, c) ==> in(v, c);
  //@ assert value: \forall real c; in{Pre}(v, c) ==> in{Sum}(v, c);
  interval_mul(r, r, v, ws);
}

/* log(1 + a), and the largest and smallest of three, as the terms of T7 and T9. */
/*@ requires valid: \valid(r) && \valid(t) && \valid_read(a) && \valid_read(b);
    requires live: live(r) && live(t) && live(a) && live(b);
    requires separated: \separated(r, t, a) && \separated(r, t, b);
    terminates \true;
    assigns *r, *t;
    ensures contains: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> 0.0 <= x ==> 0.0 <= y ==>
      in(r, rlog(1.0 + (x <= y ? y : x))) && in(t, x <= y ? x : y); */
void logarithm_theorem(interval *r, interval *t, const interval *a, const interval *b) {
  interval_set_d(t, 1.0);
  //@ assert one: in(t, 1.0);
  //@ assert first_here: \forall real x; in{Pre}(a, x) ==> in(a, x);
  //@ assert second_here: \forall real x; in{Pre}(b, x) ==> in(b, x);
  interval_max(r, a, b);
  //@ assert larger: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, x <= y ? y : x);
  //@ assert still_one: in(t, 1.0);
  interval_add(r, t, r);
  /*@ assert sum: \forall real x, y; in{Pre}(a, x) ==> in{Pre}(b, y) ==> in(r, 1.0 + (x <= y ? y : x)); */
  interval_log(r, r);
  //@ assert first: \forall real x; in{Pre}(a, x) ==> in(a, x);
  //@ assert second: \forall real x; in{Pre}(b, x) ==> in(b, x);
  interval_min(t, a, b);
}

/* A number known to be in two sets of alternatives, and the exact values of numbers that are given. */
/*@ requires valid: \valid(r) && \valid(t) && \valid_read(a) && \valid_read(b) && \valid_read(x);
    requires live: live(r) && live(t) && live(a) && live(b) && initialised(x);
    requires separated: \separated(r, t, a) && \separated(r, t, b) && \separated(t, x);
    requires number: number(x) && least_precision(t, precision(x));
    terminates \true;
    assigns *r, *t;
    ensures either: \forall real y; in{Pre}(a, y) || in{Pre}(b, y) ==> in(r, y);
    ensures exact: \forall real y; in(t, y) <==> vanishes(y - value{Pre}(x)); */
void set_theorem(interval *r, interval *t, const interval *a, const interval *b, mpfr_srcptr x) {
  interval_set_fr(t, x);
  interval_hull(r, a, b);
}

/* What is no number claims nothing; a double or an integer is itself. */
/*@ requires valid: \valid(r) && \valid(t) && \valid(u) && \valid_read(x) && \separated(r, t, u, x);
    requires live: live(r) && live(t) && live(u) && initialised(x);
    requires number: !number(x);
    requires precise: least_precision(t, 63) && least_precision(u, 53);
    terminates \true;
    assigns *r, *t, *u;
    ensures whole: whole(r);
    ensures integer: \forall real y; in(t, y) <==> vanishes(y - i);
    ensures double: \forall real y; finite_double(d) ==> (in(u, y) <==> vanishes(y - d));
    ensures nothing: !finite_double(d) ==> whole(u); */
void number_theorem(interval *r, interval *t, interval *u, mpfr_srcptr x, long i, double d) {
  interval_set_fr(r, x);
  //@ ghost Whole:;
  interval_set_si(t, i);
  //@ assert whole_integer: \forall real s; in{Whole}(r, s) ==> in(r, s);
  interval_set_d(u, d);
  //@ assert whole_double: \forall real s; in{Whole}(r, s) ==> in(r, s);
}

/* The ends that a report prints, and the middle and radius that the engines in double start from: they hold every
 * member, and two members are at most twice the radius apart. */
/*@ requires valid: \valid(lower) && \valid(upper) && \valid(mid) && \valid(rad) && \valid_read(a) && \valid(ws);
    requires live: live(a) && live_scratch(ws);
    requires separated: \separated(lower, upper, mid, rad, a, ws);
    terminates \true;
    assigns *lower, *upper, *mid, *rad, *ws;
    ensures lower: finite_double(*lower) ==> \forall real x; in{Pre}(a, x) ==> *lower <= x;
    ensures upper: finite_double(*upper) ==> \forall real x; in{Pre}(a, x) ==> x <= *upper;
    ensures ends: !nan_double(*lower) && !nan_double(*upper);
    ensures none: plus_infinity_double(*lower) || minus_infinity_double(*upper) ==> empty{Pre}(a);
    ensures within: finite_double(*rad) ==> \forall real x, y; in{Pre}(a, x) ==> in{Pre}(a, y) ==>
      x - y <= 2.0 * *rad;
    ensures middle: finite_double(*mid);
    ensures radius: finite_double(*rad) || plus_infinity_double(*rad); */
void ends_theorem(double *lower, double *upper, double *mid, double *rad, const interval *a, interval_scratch *ws) {
  const double first = interval_get_d_lower(a), last = interval_get_d_upper(a);
  interval_get_midrad(mid, rad, a, ws);
  /*@ assert within: finite_double(*rad) ==> \forall real x; in{Pre}(a, x) ==>
        *mid - *rad <= x && x <= *mid + *rad; */
  *lower = first;
  *upper = last;
}

/* The size of the members, as bounds of norms read it. */
/*@ requires valid: \valid(most) && \valid_read(a);
    requires live: initialised(most) && live(a);
    requires separated: \separated(most, a);
    terminates \true;
    assigns *most;
    ensures above: number(most) ==> \forall real x; in{Pre}(a, x) ==> \abs(x) <= value(most);
    ensures empty: nan(most) <==> empty{Pre}(a);
    ensures side: !minus_infinity(most); */
void magnitude_theorem(mpfr_ptr most, const interval *a) {
  interval_mag(most, a);
  //@ assert same: \forall real x; in{Pre}(a, x) <==> in(a, x);
}

/* What is concluded from an answer. */
/*@ requires valid: \valid_read(a) && \valid_read(b);
    requires live: live(a) && live(b);
    terminates \true;
    assigns \nothing;
    ensures order: \result == 1 ==> \forall real s, t; in(a, s) ==> in(b, t) ==> s <= t;
    ensures not_order: \result != 1 ==> \exists real s, t; in(a, s) && in(b, t) && t < s;
    ensures apart: \result == 2 ==> \forall real s; !(in(a, s) && in(b, s));
    ensures meet: \result == 0 ==> \exists real s; in(a, s) && in(b, s); */
int answer_theorem(const interval *a, const interval *b) {
  if (interval_certainly_less_equal(a, b)) return 1;
  return interval_disjoint(a, b) ? 2 : 0;
}

/* An inner product of exact numbers. */
/*@ requires valid: \valid(ws) && \valid(r) && \valid_read(p + (0 .. n - 1)) && \valid_read(q + (0 .. n - 1));
    requires live: live_scratch(ws) && live(r) && live_points(p, n) && live_points(q, n);
    requires separated: \separated(ws, r, p + (0 .. n - 1)) && \separated(ws, r, q + (0 .. n - 1));
    requires points: points(p, n) && points(q, n);
    terminates \true;
    assigns *r, *ws;
    ensures dot: \forall rvec u, v; is_vec{Pre}(p, u, 0, n) ==> is_vec{Pre}(q, v, 0, n) ==>
      in(r, real_dot(u, v, 0, n)); */
void product_theorem(interval *r, const point *p, const point *q, size_t n, interval_scratch *ws) {
  interval_dot_points(r, p, q, n, ws);
}

/* Memory: a vector holds as many zeros as were asked for, of that precision; points hold the doubles given. */
/*@ requires precision: 1 <= precision <= MPFR_PREC_MAX;
    requires valid: \valid(ws);
    terminates \true;
    assigns *ws, mpfr_lives, \result \from n, precision;
    ensures live: live_scratch(ws) && (\result != \null ==> live_vec(\result, n));
    ensures zeros: \result != \null ==> \forall integer i; 0 <= i < n ==> in(\result + i, 0.0);
    ensures precision: \result != \null ==> \forall integer i; 0 <= i < n ==> least_precision(\result + i, precision);
    ensures scratch: in(&ws->q, 0.0) && precision(&ws->t[0]) == precision; */
interval *vector_theorem(size_t n, mpfr_prec_t precision, interval_scratch *ws) {
  interval_scratch_init(ws, precision);
  return interval_vec_new(n, precision);
}

/*@ requires valid: \valid(p + (0 .. n - 1)) && \valid_read(x + (0 .. n - 1));
    requires live: live_points(p, n);
    requires separated: \separated(p + (0 .. n - 1), x + (0 .. n - 1));
    requires precise: \forall integer i; 0 <= i < n ==> precision(&(p + i)->v[0]) == exact_for_doubles(precision);
    terminates \true;
    assigns p[0 .. n - 1];
    ensures points: points(p, n);
    ensures vector: \forall rvec u; (\forall integer i; 0 <= i < n ==> entry(u, i) == x[i]) ==> is_vec(p, u, 0, n); */
void points_theorem(point *p, const double *x, size_t n, mpfr_prec_t precision) {
  point_vec_set_d(p, x, n);
}
