#include "randomized/randomized_bound.h"

#include "interval/interval_arith.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"

#ifdef __FRAMAC__
#include "interval/interval_life_lemmas.acsl"
#endif

/* pi grows like a Chebyshev polynomial, and what cancels in a step is no more than lam over its distance to the Ritz
 * values: bits for 2^-64 of either are left. */
enum { PRECISION = 256 };

/* What an evaluation at one lam holds: pi_j-1, pi_j and pi_j+1, R_j, the sum over l < j, B_j+1, and a term. */
enum { LAM, BEFORE, NOW, NEXT, RESIDUALS, SUM, BOUND, TERM, NUMBERS };

/*@ predicate owned_vec{L}(interval *e, integer from, integer to) =
      \forall integer i; from <= i < to ==> owned_ends(e + i);
    // The lives of all numbers but those of e and ws.
    predicate lives_but{L1, L2}(interval *e, interval_scratch *ws) = \forall mpfr_srcptr x;
      \base_addr{L1}(x) != \base_addr{L1}(e) ==> \base_addr{L1}(x) != \base_addr{L1}(ws) ==> same_life{L1, L2}(x);
    predicate ready{L}(interval *e, interval_scratch *ws) = \valid(e + (0 .. NUMBERS - 1)) && \valid(ws) &&
      live_vec(e, NUMBERS) && live_scratch(ws) && (\forall integer i; 0 <= i < NUMBERS ==> \separated(e + i, ws));
    predicate array_apart{L}(double *a, integer n, interval *e, interval_scratch *ws) =
      \separated(a + (0 .. n - 1), e + (0 .. NUMBERS - 1)) && \separated(a + (0 .. n - 1), ws);

    // All but two of the numbers hold what they held.
    predicate others_stay{L1, L2}(interval *e, integer a, integer b) = \forall integer i, real y;
      0 <= i < NUMBERS ==> i != a ==> i != b ==> in{L1}(e + i, y) ==> in{L2}(e + i, y);

    // What e holds before step j.
    predicate at_step{L}(interval *e, rvec alpha, rvec beta, rvec rho, real lam, integer j) = in(e + LAM, lam) &&
      in(e + BEFORE, polynomials(alpha, beta, lam, j, 1)) && in(e + NOW, polynomial(alpha, beta, lam, j)) &&
      in(e + RESIDUALS, residuals_accumulated(alpha, beta, rho, lam, j)) &&
      in(e + SUM, residuals_amplified(alpha, beta, rho, lam, j)); */

/* t := x a for a double x. */
/*@ requires valid: \valid(t) && \valid_read(a) && \valid(ws);
    requires live: live(t) && live(a) && live_scratch(ws);
    requires separated: \separated(t, a, ws);
    terminates \true;
    assigns *t, *ws;
    ensures contains: \forall real y; in{Pre}(a, y) ==> in(t, prod(x, y)); */
static void multiple(interval *t, double x, const interval *a, interval_scratch *ws) {
  interval_set_d(t, x);
  //@ assert same: \forall real y; in{Pre}(a, y) ==> in(a, y);
  //@ assert factor: in(t, x);
  interval_mul(t, t, a, ws);
}

/*@ requires valid: \valid_read(a);
    requires live: live(a);
    terminates \true;
    assigns \nothing;
    ensures positive: \result ==> \forall real x; in(a, x) ==> 0.0 < x; */
static bool is_positive(const interval *a) {
  return !interval_has_nan(a) && mpfr_sgn(a->lo) > 0;
}

/*@ requires valid: \valid_read(a);
    requires live: live(a);
    terminates \true;
    assigns \nothing;
    ensures below: \result ==> finite_double(limit) ==> \forall real x; in(a, x) ==> x < limit; */
static bool is_below(const interval *a, double limit) {
  return !interval_has_nan(a) && mpfr_cmp_d(a->hi, limit) < 0;
}

/* next := (lam - alpha) now. */
/*@ requires ready: ready(e, ws);
    terminates \true;
    assigns e[NEXT], e[TERM], *ws;
    ensures next: \forall real lam, p; in{Pre}(&e[LAM], lam) ==> in{Pre}(&e[NOW], p) ==>
      in(&e[NEXT], prod(lam - alpha, p));
    ensures others: others_stay{Pre, Post}(e, NEXT, TERM); */
static void times_distance(interval *e, double alpha, interval_scratch *ws) {
  interval_set_d(&e[TERM], alpha);
  //@ assert others_1: others_stay{Pre, Here}(e, TERM, TERM);
  interval_sub(&e[TERM], &e[LAM], &e[TERM]);
  //@ assert others_2: others_stay{Pre, Here}(e, TERM, TERM);
  //@ ghost Distance:;
  interval_mul(&e[NEXT], &e[TERM], &e[NOW], ws);
  //@ assert others_3: others_stay{Distance, Here}(e, NEXT, NEXT);
}

/* next := (next - coupling before) / beta. */
/*@ requires ready: ready(e, ws);
    requires positive: 0.0 < beta;
    terminates \true;
    assigns e[NEXT], e[TERM], *ws;
    ensures next: \forall real x, q; in{Pre}(&e[NEXT], x) ==> in{Pre}(&e[BEFORE], q) ==>
      in(&e[NEXT], quo(x - prod(coupling, q), beta));
    ensures others: others_stay{Pre, Post}(e, NEXT, TERM); */
static void subtract_before(interval *e, double coupling, double beta, interval_scratch *ws) {
  multiple(&e[TERM], coupling, &e[BEFORE], ws);
  //@ assert others_1: others_stay{Pre, Here}(e, TERM, TERM);
  interval_sub(&e[NEXT], &e[NEXT], &e[TERM]);
  /*@ assert difference: \forall real x, q; in{Pre}(&e[NEXT], x) ==> in{Pre}(&e[BEFORE], q) ==>
        in(&e[NEXT], x - prod(coupling, q)); */
  //@ assert others_2: others_stay{Pre, Here}(e, NEXT, TERM);
  //@ ghost Difference:;
  interval_set_d(&e[TERM], beta);
  //@ assert others_3: others_stay{Difference, Here}(e, TERM, TERM);
  //@ ghost Divisor:;
  interval_div(&e[NEXT], &e[NEXT], &e[TERM], ws);
  //@ assert others_4: others_stay{Divisor, Here}(e, NEXT, NEXT);
}

/* next := pi_j+1 from alpha_j, beta_j and beta_j+1; false where it may be 0 or less. */
/*@ requires ready: ready(e, ws);
    terminates \true;
    assigns e[NEXT], e[TERM], *ws;
    ensures next: \result ==> \forall real lam, p, q; in{Pre}(&e[LAM], lam) ==> in{Pre}(&e[NOW], p) ==>
      in{Pre}(&e[BEFORE], q) ==> in(&e[NEXT], quo(prod(lam - alpha, p) - prod(coupling, q), beta)) &&
      0.0 < quo(prod(lam - alpha, p) - prod(coupling, q), beta);
    ensures beta: \result ==> 0.0 < beta;
    ensures others: \result ==> others_stay{Pre, Post}(e, NEXT, TERM); */
static bool step(interval *e, double alpha, double coupling, double beta, interval_scratch *ws) {
  if (!(beta > 0.0)) return false;
  times_distance(e, alpha, ws);
  subtract_before(e, coupling, beta, ws);
  return is_positive(&e[NEXT]);
}

/* residuals := residuals + rho now. */
/*@ requires ready: ready(e, ws);
    terminates \true;
    assigns e[RESIDUALS], e[TERM], *ws;
    ensures residuals: \forall real p, a; in{Pre}(&e[NOW], p) ==> in{Pre}(&e[RESIDUALS], a) ==>
      in(&e[RESIDUALS], a + prod(rho, p));
    ensures others: others_stay{Pre, Post}(e, RESIDUALS, TERM); */
static void accumulate(interval *e, double rho, interval_scratch *ws) {
  multiple(&e[TERM], rho, &e[NOW], ws);
  //@ assert residuals: \forall real a; in{Pre}(&e[RESIDUALS], a) ==> in(&e[RESIDUALS], a);
  //@ assert others: others_stay{Pre, Here}(e, RESIDUALS, TERM);
  interval_add(&e[RESIDUALS], &e[RESIDUALS], &e[TERM]);
}

/* sum := sum + residuals / (beta now next). */
/*@ requires ready: ready(e, ws);
    requires positive: 0.0 < beta;
    terminates \true;
    assigns e[SUM], e[TERM], *ws;
    ensures sum: \forall real p, q, a, s; in{Pre}(&e[NOW], p) ==> in{Pre}(&e[NEXT], q) ==>
      in{Pre}(&e[RESIDUALS], a) ==> in{Pre}(&e[SUM], s) ==> 0.0 < p ==> 0.0 < q ==>
      in(&e[SUM], s + quo(a, prod(prod(beta, p), q)));
    ensures others: others_stay{Pre, Post}(e, SUM, TERM); */
static void amplify(interval *e, double beta, interval_scratch *ws) {
  multiple(&e[TERM], beta, &e[NOW], ws);
  //@ assert others_1: others_stay{Pre, Here}(e, TERM, TERM);
  //@ assert factor: \forall real p; in{Pre}(&e[NOW], p) ==> in(&e[TERM], prod(beta, p));
  interval_mul(&e[TERM], &e[TERM], &e[NEXT], ws);
  //@ assert others_2: others_stay{Pre, Here}(e, TERM, TERM);
  /*@ assert divisor: \forall real p, q; in{Pre}(&e[NOW], p) ==> in{Pre}(&e[NEXT], q) ==>
        in(&e[TERM], prod(prod(beta, p), q)); */
  interval_div(&e[TERM], &e[RESIDUALS], &e[TERM], ws);
  //@ assert others_3: others_stay{Pre, Here}(e, TERM, TERM);
  //@ assert positive: \forall real p; 0.0 < p ==> 0.0 < prod(beta, p);
  //@ assert nonzero: \forall real p, q; 0.0 < prod(beta, p) ==> 0.0 < q ==> prod(prod(beta, p), q) != 0.0;
  /*@ assert quotient: \forall real a, p, q; in{Pre}(&e[RESIDUALS], a) ==> in{Pre}(&e[NOW], p) ==>
        in{Pre}(&e[NEXT], q) ==> 0.0 < p ==> 0.0 < q ==> in(&e[TERM], quo(a, prod(prod(beta, p), q))); */
  interval_add(&e[SUM], &e[SUM], &e[TERM]);
}

/* bound := sum + norm / next. */
/*@ requires ready: ready(e, ws);
    terminates \true;
    assigns e[BOUND], e[TERM], *ws;
    ensures bound: \forall real q, s; in{Pre}(&e[NEXT], q) ==> in{Pre}(&e[SUM], s) ==> 0.0 < q ==>
      in(&e[BOUND], s + quo(norm, q));
    ensures others: others_stay{Pre, Post}(e, BOUND, TERM); */
static void add_last(interval *e, double norm, interval_scratch *ws) {
  interval_set_d(&e[TERM], norm);
  //@ assert others_1: others_stay{Pre, Here}(e, TERM, TERM);
  interval_div(&e[TERM], &e[TERM], &e[NEXT], ws);
  //@ assert others_2: others_stay{Pre, Here}(e, TERM, TERM);
  interval_add(&e[BOUND], &e[SUM], &e[TERM]);
}

/* before := pi_j, now := pi_j+1. */
/*@ requires ready: ready(e, ws);
    terminates \true;
    assigns e[BEFORE], e[NOW];
    ensures before: \forall real y; in{Pre}(&e[NOW], y) ==> in(&e[BEFORE], y);
    ensures now: \forall real y; in{Pre}(&e[NEXT], y) ==> in(&e[NOW], y);
    ensures others: others_stay{Pre, Post}(e, BEFORE, NOW); */
static void advance(interval *e) /*@ ghost (interval_scratch *ws) */ {
  interval_set(&e[BEFORE], &e[NOW]);
  //@ assert others: others_stay{Pre, Here}(e, BEFORE, BEFORE);
  //@ ghost Before:;
  interval_set(&e[NOW], &e[NEXT]);
  //@ assert before: \forall real y; in{Before}(&e[BEFORE], y) ==> in(&e[BEFORE], y);
}

/* The steps from j = 0 on, where e holds what it holds before. */
/*@ requires ready: ready(e, ws) && readable_recurrence(r);
    requires apart: array_apart(r.alpha, r.steps, e, ws) && array_apart(r.beta, r.steps, e, ws) &&
      array_apart(r.norm, r.steps, e, ws) && array_apart(r.residual, r.steps, e, ws);
    requires start: \forall rvec alpha, beta, rho; at_step(e, alpha, beta, rho, lam, 0);
    terminates \true;
    assigns e[0 .. NUMBERS - 1], *ws;
    ensures excludes: \result ==> finite_double(threshold) ==> \forall rvec alpha, beta, rho, nu;
      is_recurrence{Pre}(\old(r), alpha, beta, rho, nu) ==>
      excludes_eigenvalue(\old(r.steps), alpha, beta, rho, nu, lam, threshold); */
static bool excludes(interval *e, randomized_recurrence r, double threshold, interval_scratch *ws)
/*@ ghost (double lam) */ {
  /*@ loop invariant range: 0 <= j;
      loop invariant same: r == \at(r, Pre);
      loop invariant state: \forall rvec alpha, beta, rho, nu; is_recurrence{Pre}(r, alpha, beta, rho, nu) ==>
        at_step(e, alpha, beta, rho, lam, j) && bounds_component(alpha, beta, lam, j);
      loop assigns j, e[0 .. NUMBERS - 1], *ws;
      loop variant r.steps - j; */
  for (int j = 0; j < r.steps; j++) {
    const double alpha = r.alpha[j], before = j > 0 ? r.beta[j - 1] : 0.0, beta = r.beta[j];
    const double norm = r.norm[j], residual = r.residual[j];
    /*@ assert numbers: \forall rvec a, b, rho, nu; is_recurrence{Pre}(r, a, b, rho, nu) ==> alpha == entry(a, j) &&
          before == coupling(b, j) && beta == entry(b, j) && norm == entry(nu, j) && residual == entry(rho, j); */
    /*@ assert step: \forall rvec a, b; polynomials(a, b, lam, j + 1, 0) ==
          quo(prod(lam - entry(a, j), polynomials(a, b, lam, j, 0)) -
              prod(coupling(b, j), polynomials(a, b, lam, j, 1)), entry(b, j)); */
    /*@ assert pi: \forall rvec a, b; alpha == entry(a, j) ==> before == coupling(b, j) ==> beta == entry(b, j) ==>
          polynomials(a, b, lam, j + 1, 0) == quo(prod(lam - alpha, polynomials(a, b, lam, j, 0)) -
            prod(before, polynomials(a, b, lam, j, 1)), beta); */
    if (!step(e, alpha, before, beta, ws)) return false;
    /*@ assert next: \forall rvec a, b, rho, nu; is_recurrence{Pre}(r, a, b, rho, nu) ==>
          in(e + NEXT, polynomial(a, b, lam, j + 1)) && 0.0 < polynomial(a, b, lam, j + 1); */
    /*@ assert positive_beta: \forall rvec a, b, rho, nu; is_recurrence{Pre}(r, a, b, rho, nu) ==>
          \forall integer l; 0 <= l < j + 1 ==> 0.0 < entry(b, l); */
    /*@ assert positive_pi: \forall rvec a, b, rho, nu; is_recurrence{Pre}(r, a, b, rho, nu) ==>
          \forall integer l; 0 <= l <= j + 1 ==> 0.0 < polynomial(a, b, lam, l); */
    /*@ assert positive: \forall rvec a, b, rho, nu; is_recurrence{Pre}(r, a, b, rho, nu) ==>
          bounds_component(a, b, lam, j + 1); */
    accumulate(e, residual, ws);
    /*@ assert residuals: \forall rvec a, b, rho, nu; is_recurrence{Pre}(r, a, b, rho, nu) ==>
          in(e + RESIDUALS, residuals_accumulated(a, b, rho, lam, j + 1)); */
    amplify(e, beta, ws);
    /*@ assert amplified: \forall rvec a, b, rho, nu; is_recurrence{Pre}(r, a, b, rho, nu) ==>
          in(e + SUM, residuals_amplified(a, b, rho, lam, j) + quo(residuals_accumulated(a, b, rho, lam, j + 1),
            prod(prod(beta, polynomial(a, b, lam, j)), polynomial(a, b, lam, j + 1)))); */
    /*@ assert sum: \forall rvec a, b, rho, nu; is_recurrence{Pre}(r, a, b, rho, nu) ==>
          in(e + SUM, residuals_amplified(a, b, rho, lam, j + 1)); */
    add_last(e, norm, ws);
    /*@ assert bound: \forall rvec a, b, rho, nu; is_recurrence{Pre}(r, a, b, rho, nu) ==>
          in(e + BOUND, component_bound(a, b, rho, entry(nu, j), lam, j + 1)); */
    if (is_below(&e[BOUND], threshold)) return true;
    advance(e) /*@ ghost (ws) */;
  }
  return false;
}

/* e is as before step 0. */
/*@ requires valid: \valid(e + (0 .. NUMBERS - 1)) && \valid(ws) && \base_addr(e) != \base_addr(ws);
    terminates \true;
    assigns e[0 .. NUMBERS - 1], *ws, mpfr_lives;
    ensures lives: lives_but{Pre, Post}(e, ws);
    ensures owned: owned_vec(e, 0, NUMBERS) && owned_scratch(ws);
    ensures start: \forall rvec alpha, beta, rho; at_step(e, alpha, beta, rho, lam, 0); */
static void begin(interval *e, interval_scratch *ws, double lam) {
  /*@ loop invariant range: 0 <= i <= NUMBERS;
      loop invariant lives: lives_but{Pre, Here}(e, ws);
      loop invariant owned: owned_vec(e, 0, i);
      loop invariant zeros: \forall integer t; 0 <= t < i ==> in(e + t, 0.0);
      loop assigns i, e[0 .. NUMBERS - 1], mpfr_lives;
      loop variant NUMBERS - i; */
  for (int i = 0; i < NUMBERS; i++) {
    //@ ghost Before:;
    interval_init(&e[i], PRECISION);
    //@ assert others: \forall integer t; 0 <= t < i ==> \separated(e + t, e + i);
    //@ assert lives: \forall mpfr_srcptr x; \base_addr(x) != \base_addr(e) ==> same_life{Before, Here}(x);
    //@ assert owned: owned_vec(e, 0, i + 1);
    //@ assert zeros: \forall integer t; 0 <= t < i ==> in{Before}(e + t, 0.0) ==> in(e + t, 0.0);
  }
  //@ ghost Begun:;
  //@ assert apart: \forall integer t; 0 <= t < NUMBERS ==> \separated(e + t, ws);
  interval_scratch_init(ws, PRECISION);
  //@ assert lives: \forall mpfr_srcptr x; \base_addr(x) != \base_addr(ws) ==> same_life{Begun, Here}(x);
  //@ assert owned_all: owned_vec(e, 0, NUMBERS) && owned_scratch(ws);
  //@ assert zeros: \forall integer t; 0 <= t < NUMBERS ==> in{Begun}(e + t, 0.0) ==> in(e + t, 0.0);
  //@ ghost Zeros:;
  interval_set_d(&e[LAM], lam);
  //@ assert lam: in(&e[LAM], lam);
  //@ assert others_lam: others_stay{Zeros, Here}(e, LAM, LAM);
  //@ ghost Lam:;
  interval_set_si(&e[NOW], 1);
  //@ assert others_now: others_stay{Lam, Here}(e, NOW, NOW);
  //@ assert zeros_kept: in(&e[BEFORE], 0.0) && in(&e[RESIDUALS], 0.0) && in(&e[SUM], 0.0);
}

/*@ requires valid: \valid(e + (0 .. NUMBERS - 1)) && \valid(ws) && \separated(e + (0 .. NUMBERS - 1), ws);
    requires owned: owned_vec(e, 0, NUMBERS) && owned_scratch(ws);
    terminates \true;
    assigns e[0 .. NUMBERS - 1], *ws, mpfr_lives;
    ensures lives: lives_but{Pre, Post}(e, ws); */
static void end(interval *e, interval_scratch *ws) {
  /*@ loop invariant range: 0 <= i <= NUMBERS;
      loop invariant lives: lives_but{Pre, Here}(e, ws);
      loop invariant owned: owned_vec(e, i, NUMBERS) && owned_scratch(ws);
      loop assigns i, e[0 .. NUMBERS - 1], mpfr_lives;
      loop variant NUMBERS - i; */
  for (int i = 0; i < NUMBERS; i++) {
    //@ ghost Before:;
    interval_clear(&e[i]);
    //@ assert lives: \forall mpfr_srcptr x; \base_addr(x) != \base_addr(e) ==> same_life{Before, Here}(x);
    //@ assert others: \forall integer t; i < t < NUMBERS ==> \separated(e + t, e + i);
    //@ assert owned: owned_vec(e, i + 1, NUMBERS);
  }
  interval_scratch_clear(ws);
}

bool randomized_bound_excludes(const randomized_recurrence *r, double lam, double threshold) {
  interval e[NUMBERS];
  interval_scratch ws;
  begin(e, &ws, lam);
  //@ assert lives: same_lives{Pre, Here};
  const bool excluded = excludes(e, *r, threshold, &ws) /*@ ghost (lam) */;
  //@ assert owned: owned_vec(&e[0], 0, NUMBERS) && owned_scratch(&ws);
  end(e, &ws);
  return excluded;
}
