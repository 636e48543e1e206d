#include "certify/explicit/explicit_gram_factor.h"

#include "linalg/exact/gram_bound.h"

/* What a bound from a factor is computed in. */
typedef struct {
  mpz_t t;
  mpfr_t scaled, unit, residual;
} factor_scratch;

/*@ predicate factor_scratch_ready{L}(factor_scratch *z) =
      mpz_initialised(&z->t[0]) && owned(&z->scaled[0]) && owned(&z->unit[0]) && owned(&z->residual[0]);

    // All numbers but those of the scratch live as before.
    predicate lives_outside_scratch{L1, L2}(factor_scratch *z) =
      (\forall mpfr_srcptr x; x != \at(&z->scaled[0], L1) ==> x != \at(&z->unit[0], L1) ==>
        x != \at(&z->residual[0], L1) ==> same_life{L1, L2}(x)) &&
      (\forall mpz_srcptr x; x != \at(&z->t[0], L1) ==> (mpz_initialised{L1}(x) <==> mpz_initialised{L2}(x))); */

/*@ requires valid: \valid(z) && 1 <= precision;
    terminates \true;
    assigns *z, mpfr_lives, mpz_lives;
    ensures ready: factor_scratch_ready(z);
    ensures others: lives_outside_scratch{Pre, Post}(z); */
static void factor_scratch_init(factor_scratch *z, mpfr_prec_t precision) {
  mpz_init(z->t);
  mpfr_init2(z->scaled, precision);
  mpfr_init2(z->unit, 64);
  mpfr_init2(z->residual, 64);
}

/*@ requires valid: \valid(z);
    requires ready: factor_scratch_ready(z);
    terminates \true;
    assigns *z, mpfr_lives, mpz_lives;
    ensures others: lives_outside_scratch{Pre, Post}(z); */
static void factor_scratch_clear(factor_scratch *z) {
  mpz_clear(z->t);
  mpfr_clear(z->scaled);
  mpfr_clear(z->unit);
  mpfr_clear(z->residual);
}

/* upper := the bound from tau2, in the scratch given; false when tau2 I - G~ has no Cholesky factor. */
/*@ requires memory: bound_memory(upper, g, f) && \valid_read(tau2) && initialised(tau2);
    requires scratch: \valid(z) && factor_scratch_ready(z);
    requires separated: \separated(upper, g, f, tau2, z);
    terminates \true;
    assigns *upper, f->l.model_integers, f->squares.model_integers, f->failed, *z, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures bound: \result ==> \forall real x; at_least{Pre}(&g->error[0], x) ==> gram_bounded(upper, g, x);
    ensures nothing: \result ==> nan{Pre}(&g->error[0]) ==> nan(upper); */
static bool factor_bound_with(mpfr_ptr upper, const explicit_gram *g, integer_cholesky *f, mpfr_srcptr tau2,
                              int threads, factor_scratch *z) {
  /*@ assert readable: \valid_read{Pre}(upper) && \valid_read{Pre}(tau2) && \valid_read{Pre}(&g->error[0]); */
  /*@ assert scratch: \valid_read{Pre}(&z->unit[0]) && \valid_read{Pre}(&z->residual[0]); */
  f->failed = f->l.rows;
  if (!gram_bound_shift(z->t, tau2, g->g.exponent, z->scaled)) return false;
  //@ ghost Shifted:;
  /*@ assert room: \forall integer i, j; 0 <= j <= i < f->l.rows ==> lower_index(i, j) < g->g.rows; */
  /*@ assert error: unchanged{Pre, Here}(&g->error[0]); */
  /*@ assert lives_shifted: same_lives{Pre, Here} && same_mpz_lives{Pre, Here}; */
  if (!integer_cholesky_residual(z->residual, f, &g->g, z->t, threads)) return false;
  /*@ assert lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here}; */
  /*@ assert shift: mpz_value(&z->t[0]) == mpz_value{Shifted}(&z->t[0]) && unchanged{Shifted, Here}(tau2); */
  /*@ assert below: number(tau2) &&
        prod(mpz_value(&z->t[0]), power_of_two(g->g.exponent)) <= value(tau2) + power_of_two(g->g.exponent); */
  /*@ assert same_error: unchanged{Pre, Here}(&g->error[0]); */
  /*@ assert same_life: same_life{Pre, Here}(upper) && same_life{Pre, Here}(tau2) &&
        same_life{Pre, Here}(&g->error[0]); */
  /*@ assert live: initialised(upper) && initialised(tau2) && initialised(&g->error[0]); */
  /*@ assert same_scratch: same_life{Pre, Here}(&z->unit[0]) && same_life{Pre, Here}(&z->residual[0]); */
  /*@ assert live_scratch: initialised(&z->unit[0]) && initialised(&z->residual[0]); */
  /*@ assert residual: \forall rvec r;
        remainder_rows(r, f->l.model_integers, g->g.model_integers, mpz_value(&z->t[0]), g->n) ==>
        at_least(&z->residual[0], rroot(sum_from(0.0, r, g->n))); */
  //@ ghost Factored:;
  /*@ assert known_error: \forall real x; at_least{Pre}(&g->error[0], x) ==> at_least{Factored}(&g->error[0], x); */
  gram_bound(upper, tau2, g->g.exponent, z->residual, g->error, z->unit);
  /*@ assert factor: f->l.model_integers == \at(f->l.model_integers, Factored) &&
        g->g.model_integers == \at(g->g.model_integers, Factored) &&
        mpz_value(&z->t[0]) == mpz_value{Factored}(&z->t[0]); */
  /*@ assert sum: \forall real r, x; at_least{Factored}(&z->residual[0], r) ==>
        at_least{Factored}(&g->error[0], x) ==>
        at_least(upper, prod(mpz_value{Factored}(&z->t[0]) + r, power_of_two(g->g.exponent)) + x); */
  /*@ assert total: \forall real r, x; at_least{Factored}(&z->residual[0], r) ==> at_least{Pre}(&g->error[0], x) ==>
        at_least(upper, prod(mpz_value(&z->t[0]) + r, power_of_two(g->g.exponent)) + x); */
  /*@ assert bound: \forall real x; at_least{Pre}(&g->error[0], x) ==>
        factor_bounds(upper, g->g.model_integers, g->n, g->g.exponent, f->l.model_integers, mpz_value(&z->t[0]), x); */
  return true;
}

bool explicit_gram_factor_bound(mpfr_ptr upper, const explicit_gram *g, integer_cholesky *f, mpfr_srcptr tau2,
                                int threads) {
  factor_scratch z;
  factor_scratch_init(&z, mpfr_get_prec(tau2));
  /*@ assert lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here}; */
  /*@ assert live: initialised(upper) && initialised(tau2) && initialised(&g->error[0]); */
  /*@ assert error: unchanged{Pre, Here}(&g->error[0]); */
  //@ ghost Ready:;
  const bool positive = factor_bound_with(upper, g, f, tau2, threads, &z);
  /*@ assert bounds: positive ==> bounds_eigenvalue{Pre, Here}(upper, g); */
  /*@ assert still: same_lives{Ready, Here} && same_mpz_lives{Ready, Here}; */
  //@ ghost Bounded:;
  factor_scratch_clear(&z);
  /*@ assert kept: as_high{Bounded, Here}(upper, upper) && (nan{Bounded}(upper) ==> nan(upper)); */
  /*@ assert integers: g->g.model_integers == \at(g->g.model_integers, Bounded) && g->n == \at(g->n, Bounded) &&
        g->g.exponent == \at(g->g.exponent, Bounded); */
  return positive;
}
