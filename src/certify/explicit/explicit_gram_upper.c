#include "base/parallel.h"
#include "base/progress_report.h"
#include "certify/explicit/explicit_gram_factor.h"

enum { ATTEMPTS = 40, IMPROVEMENTS = 3, BOUND_PRECISION = 128 };

/* trace := tr(G~) in units of 2^(2e); x: scratch. */
/*@ requires valid: \valid(trace) && \valid(x) && \valid_read(g) && gram_ready(g) && mpz_initialised(trace) &&
      mpz_initialised(x) && \separated(trace, x, g);
    requires zero: mpz_value(trace) == 0.0;
    terminates \true;
    assigns trace->model_value, x->model_value;
    ensures trace: mpz_value(trace) == gram_trace(g->g.model_integers, g->n); */
static void add_diagonal(mpz_ptr trace, mpz_ptr x, const explicit_gram *g) {
  /*@ loop invariant range: 0 <= i <= g->n;
      loop invariant trace: mpz_value(trace) == gram_trace(g->g.model_integers, i);
      loop assigns i, trace->model_value, x->model_value;
      loop variant g->n - i; */
  for (int i = 0; i < g->n; i++) {
    /*@ assert inside: lower_index(i, i) < g->g.rows; */
    fixed_matrix_get(x, &g->g, explicit_gram_index(i, i), 0);
    mpz_add(trace, trace, x);
  }
}

/* upper := trace 2^(2e) + error; t: scratch. */
/*@ requires valid: \valid(upper) && \valid(t) && \valid_read(g) && \valid_read(trace) && \separated(upper, t, g,
  trace);
    requires live: initialised(upper) && initialised(t) && initialised(&g->error[0]) && mpz_initialised(trace);
    terminates \true;
    assigns upper->model_value, upper->model_kind, t->model_value, t->model_kind;
    ensures upper: \forall real x; at_least{Pre}(&g->error[0], x) ==>
      at_least(upper, prod(mpz_value{Pre}(trace), power_of_two(g->g.exponent)) + x);
    ensures nothing: nan{Pre}(&g->error[0]) ==> nan(upper); */
static void scale_trace(mpfr_ptr upper, mpz_srcptr trace, const explicit_gram *g, mpfr_ptr t) {
  mpfr_set_z_2exp(t, trace, g->g.exponent, MPFR_RNDU);
  /*@ assert scaled: at_least(t, prod(mpz_value{Pre}(trace), power_of_two(g->g.exponent))); */
  /*@ assert error: unchanged{Pre, Here}(&g->error[0]); */
  mpfr_add(upper, t, g->error, MPFR_RNDU);
}

/* upper := tr(G~) + error >= lambda_max, as G~ is positive semidefinite: needs no factorisation. */
/*@ requires valid: \valid(upper) && initialised(upper) && \valid_read(g) && gram_ready(g) && \separated(upper, g);
    terminates \true;
    assigns upper->model_value, upper->model_kind, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures bound: bounds_eigenvalue{Pre, Post}(upper, g); */
static void trace_bound(mpfr_ptr upper, const explicit_gram *g) {
  mpz_t trace, x;
  mpfr_t t;
  mpz_init(trace);
  mpz_init(x);
  mpfr_init2(t, BOUND_PRECISION);
  /*@ assert lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here}; */
  /*@ assert live: initialised(upper) && initialised(&g->error[0]); */
  /*@ assert error: unchanged{Pre, Here}(&g->error[0]); */
  add_diagonal(trace, x, g);
  /*@ assert same_error: unchanged{Pre, Here}(&g->error[0]); */
  /*@ assert integers: g->g.model_integers == \at(g->g.model_integers, Pre); */
  /*@ assert trace: mpz_value(&trace[0]) == gram_trace(\at(g->g.model_integers, Pre), g->n); */
  scale_trace(upper, trace, g, t);
  /*@ assert same: g->g.model_integers == \at(g->g.model_integers, Pre); */
  /*@ assert bound: \forall real e; at_least{Pre}(&g->error[0], e) ==>
        at_least(upper, prod(gram_trace(g->g.model_integers, g->n), power_of_two(g->g.exponent)) + e); */
  //@ ghost Bounded:;
  mpz_clear(trace);
  mpz_clear(x);
  mpfr_clear(t);
  /*@ assert kept: unchanged{Bounded, Here}(upper) && g->g.model_integers == \at(g->g.model_integers, Pre); */
}

/* tau2 := guess (1 + slack), upward. */
/*@ requires valid: \valid(tau2) && \valid_read(guess) && initialised(tau2) && initialised(guess) &&
      \separated(tau2, guess);
    terminates \true;
    assigns tau2->model_value, tau2->model_kind;
    ensures shift: number(guess) ==> 0.0 < value(guess) ==> finite_double(slack) ==> 0.0 <= slack ==>
      at_least(tau2, prod(slack + 1.0, value(guess))); */
static void set_shift(mpfr_ptr tau2, mpfr_srcptr guess, double slack) {
  mpfr_set_d(tau2, slack, MPFR_RNDU);
  /*@ assert slack: finite_double(slack) ==> at_least(tau2, slack); */
  mpfr_add_d(tau2, tau2, 1.0, MPFR_RNDU);
  /*@ assert factor: finite_double(slack) ==> at_least(tau2, slack + 1.0); */
  /*@ assert larger: number(guess) ==> 0.0 < value(guess) ==> number(tau2) ==> slack + 1.0 <= value(tau2) ==>
        prod(slack + 1.0, value(guess)) <= prod(value(tau2), value(guess)); */
  mpfr_mul(tau2, tau2, guess, MPFR_RNDU);
}

/* upper := the lesser of itself and the bound from tau2. False when that is less but has no factor. bound: scratch. */
/*@ requires memory: bound_memory(upper, g, f) && \valid_read(tau2) && initialised(tau2) && \valid(bound) &&
      initialised(bound);
    requires separated: \separated(upper, g, f, tau2, bound);
    requires bound: bounds_eigenvalue{Pre, Pre}(upper, g);
    terminates \true;
    assigns upper->model_value, upper->model_kind, *bound, f->l.model_integers,
      f->squares.model_integers, f->failed, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures bound: bounds_eigenvalue{Pre, Post}(upper, g); */
static bool bound_from_shift(mpfr_ptr upper, const explicit_gram *g, integer_cholesky *f, mpfr_srcptr tau2,
                             mpfr_ptr bound, int threads) {
  if (!mpfr_less_p(tau2, upper)) return true; /* what is known is as good */
  const bool found = explicit_gram_factor_bound(bound, g, f, tau2, threads);
  /*@ assert before: as_high{Pre, Here}(upper, upper) && (nan{Pre}(upper) ==> nan(upper)); */
  /*@ assert integers: g->g.model_integers == \at(g->g.model_integers, Pre); */
  /*@ assert known: bounds_eigenvalue{Pre, Here}(upper, g); */
  if (!found) return false;
  /*@ assert factor: bounds_eigenvalue{Pre, Here}(bound, g); */
  /*@ assert live: initialised(upper) && initialised(bound); */
  //@ ghost Known:;
  mpfr_min(upper, upper, bound, MPFR_RNDU);
  /*@ assert same: g->g.model_integers == \at(g->g.model_integers, Known); */
  /*@ assert lesser: as_high{Known, Here}(upper, upper) || as_high{Known, Here}(bound, upper); */
  /*@ assert of_known: as_high{Known, Here}(upper, upper) ==> bounds_eigenvalue{Pre, Here}(upper, g); */
  /*@ assert of_factor: as_high{Known, Here}(bound, upper) ==> bounds_eigenvalue{Pre, Here}(upper, g); */
  return true;
}

/* Where to factorise is sought in these. */
typedef struct {
  mpfr_t guess, tau2, bound;
} shift_scratch;

/*@ predicate shift_scratch_ready{L}(shift_scratch *z) =
      owned(&z->guess[0]) && owned(&z->tau2[0]) && owned(&z->bound[0]);

    predicate lives_outside_shift{L1, L2}(shift_scratch *z) = \forall mpfr_srcptr x;
      x != \at(&z->guess[0], L1) ==> x != \at(&z->tau2[0], L1) ==> x != \at(&z->bound[0], L1) ==>
        same_life{L1, L2}(x);

    // What is bounded, and what bounds it.
    predicate bound_kept{L1, L2}(mpfr_srcptr upper, explicit_gram *g) =
      as_high{L1, L2}(upper, upper) && (nan{L1}(upper) ==> nan{L2}(upper)) &&
      \at(g->g.model_integers, L2) == \at(g->g.model_integers, L1); */

/*@ requires valid: \valid(z);
    terminates \true;
    assigns *z, mpfr_lives;
    ensures ready: shift_scratch_ready(z);
    ensures others: lives_outside_shift{Pre, Post}(z); */
static void shift_scratch_init(shift_scratch *z) {
  mpfr_init2(z->guess, BOUND_PRECISION);
  mpfr_init2(z->tau2, BOUND_PRECISION);
  mpfr_init2(z->bound, BOUND_PRECISION);
}

/*@ requires valid: \valid(z);
    requires ready: shift_scratch_ready(z);
    terminates \true;
    assigns *z, mpfr_lives;
    ensures others: lives_outside_shift{Pre, Post}(z); */
static void shift_scratch_clear(shift_scratch *z) {
  mpfr_clear(z->guess);
  mpfr_clear(z->tau2);
  mpfr_clear(z->bound);
}

/* upper := the lesser of itself and the bound from the first tau2 that has a factor, sought from z->guess on. */
/*@ requires memory: bound_memory(upper, g, f) && \valid_read(options) && (better == \null || \valid_read(better)) &&
      (err == \null || \valid(err));
    requires scratch: \valid(z) && shift_scratch_ready(z);
    requires separated: \separated(upper, g, f, z, err, options);
    requires bound: bounds_eigenvalue{Pre, Pre}(upper, g);
    terminates \true;
    assigns upper->model_value, upper->model_kind, *z, *err, f->l.model_integers,
      f->squares.model_integers, f->failed, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures bound: bounds_eigenvalue{Pre, Post}(upper, g); */
static attcert_status improve_bound(mpfr_ptr upper, const explicit_gram *g, integer_cholesky *f, shift_scratch *z,
                                    double first, const explicit_gram_guess *better, const attcert_options *options,
                                    attcert_error *err) {
  const int threads = parallel_threads(options->threads);
  attcert_status status = ATTCERT_OK;
  double slack = first;
  bool done = false, improved = false;
  int left = IMPROVEMENTS;
  /*@ assert scratch: \valid_read{Pre}(&z->guess[0]) && \valid_read{Pre}(&z->tau2[0]) &&
        \valid_read{Pre}(&z->bound[0]); */
  /*@ assert readable: \valid_read{Pre}(upper) && \valid_read{Pre}(&g->error[0]); */
  /*@ loop invariant range: 0 <= i <= ATTEMPTS && 0 <= left <= IMPROVEMENTS;
      loop invariant lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
      loop invariant live: initialised(upper) && shift_scratch_ready(z) && initialised(&g->error[0]);
      loop invariant error: unchanged{Pre, Here}(&g->error[0]);
      loop invariant bound: bounds_eigenvalue{Pre, Here}(upper, g);
      loop assigns i, left, done, improved, slack, status, upper->model_value, upper->model_kind, *z, *err,
        f->l.model_integers, f->squares.model_integers, f->failed, mpfr_lives, mpz_lives;
      loop variant ATTEMPTS - i; */
  for (int i = 0; !done && i < ATTEMPTS && status == ATTCERT_OK; i++) {
    status = progress_report(options, "factorisation in integers", 0.0, err);
    if (status != ATTCERT_OK) break;
    set_shift(z->tau2, z->guess, slack);
    /*@ assert same_error: unchanged{Pre, Here}(&g->error[0]); */
    /*@ assert as_before: bounds_eigenvalue{Pre, Here}(upper, g); */
    /*@ assert current: bounds_eigenvalue{Here, Here}(upper, g); */
    /*@ assert lives_shift: same_lives{Pre, Here} && same_mpz_lives{Pre, Here}; */
    done = bound_from_shift(upper, g, f, z->tau2, z->bound, threads);
    /*@ assert bound: bounds_eigenvalue{Pre, Here}(upper, g); */
    /*@ assert lives_bound: same_lives{Pre, Here} && same_mpz_lives{Pre, Here}; */
    slack *= 16.0;
    /*@ assert scratch_bound: same_life{Pre, Here}(&z->guess[0]) && same_life{Pre, Here}(&z->tau2[0]) &&
          same_life{Pre, Here}(&z->bound[0]); */
    /*@ assert operands_bound: same_life{Pre, Here}(upper) && same_life{Pre, Here}(&g->error[0]); */
    if (done || left == 0) continue;
    status = explicit_gram_improve_guess(z->guess, &improved, f, better, err);
    /*@ assert lives_improved: same_lives{Pre, Here} && same_mpz_lives{Pre, Here}; */
    /*@ assert same_scratch: same_life{Pre, Here}(&z->guess[0]) && same_life{Pre, Here}(&z->tau2[0]) &&
          same_life{Pre, Here}(&z->bound[0]); */
    /*@ assert same_operands: same_life{Pre, Here}(upper) && same_life{Pre, Here}(&g->error[0]); */
    if (improved) slack = first;
    if (improved) left--;
  }
  return status;
}

/* The bound from the trace, and what factors make of it, in the scratch given. */
/*@ requires memory: bound_memory(upper, g, f) && \valid_read(guess) && initialised(guess) && \valid_read(options) &&
      (better == \null || \valid_read(better)) && (err == \null || \valid(err));
    requires scratch: \valid(z) && shift_scratch_ready(z);
    requires separated: \separated(upper, g, f, z, err, options) &&
      \separated(guess, z);
    terminates \true;
    assigns upper->model_value, upper->model_kind, *z, *err, f->l.model_integers,
      f->squares.model_integers, f->failed, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures bound: bounds_eigenvalue{Pre, Post}(upper, g); */
static attcert_status upper_with_scratch(mpfr_ptr upper, const explicit_gram *g, integer_cholesky *f, shift_scratch *z,
                                         mpfr_srcptr guess, double slack, const explicit_gram_guess *better,
                                         const attcert_options *options, attcert_error *err) {
  /*@ assert readable: \valid_read{Pre}(upper) && \valid_read{Pre}(&g->error[0]); */
  mpfr_set(z->guess, guess, MPFR_RNDU); /* before upper, which may be the same number, is written */
  /*@ assert error: unchanged{Pre, Here}(&g->error[0]); */
  /*@ assert scratch: \valid_read{Pre}(&z->guess[0]) && \valid_read{Pre}(&z->tau2[0]) &&
        \valid_read{Pre}(&z->bound[0]); */
  trace_bound(upper, g);
  /*@ assert bound: bounds_eigenvalue{Pre, Here}(upper, g); */
  /*@ assert lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here}; */
  /*@ assert scratch_lives: same_life{Pre, Here}(&z->guess[0]) && same_life{Pre, Here}(&z->tau2[0]) &&
        same_life{Pre, Here}(&z->bound[0]); */
  /*@ assert operands: same_life{Pre, Here}(upper) && same_life{Pre, Here}(&g->error[0]); */
  /*@ assert live: initialised(upper) && initialised(&g->error[0]) && shift_scratch_ready(z); */
  explicit_gram_first_guess(z->guess, upper, g->n);
  /*@ assert same_error: unchanged{Pre, Here}(&g->error[0]); */
  /*@ assert same_bound: bounds_eigenvalue{Pre, Here}(upper, g); */
  /*@ assert known: bounds_eigenvalue{Here, Here}(upper, g); */
  return improve_bound(upper, g, f, z, slack, better, options, err);
}

/* The bound, with room for a factor. */
/*@ requires memory: bound_memory(upper, g, f) && \valid_read(guess) && initialised(guess) && \valid_read(options) &&
      (better == \null || \valid_read(better)) && (err == \null || \valid(err));
    requires separated: \separated(upper, g, f, err, options);
    terminates \true;
    assigns upper->model_value, upper->model_kind, *err, f->l.model_integers,
      f->squares.model_integers, f->failed, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures bound: bounds_eigenvalue{Pre, Post}(upper, g); */
static attcert_status upper_with_factor(mpfr_ptr upper, const explicit_gram *g, integer_cholesky *f, mpfr_srcptr guess,
                                        double slack, const explicit_gram_guess *better, const attcert_options *options,
                                        attcert_error *err) {
  shift_scratch z;
  shift_scratch_init(&z);
  /*@ assert lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here}; */
  /*@ assert live: initialised(upper) && initialised(guess) && initialised(&g->error[0]); */
  /*@ assert error: unchanged{Pre, Here}(&g->error[0]); */
  /*@ assert scratch: \valid_read(&z.guess[0]) && \valid_read(&z.tau2[0]) && \valid_read(&z.bound[0]); */
  //@ ghost Ready:;
  const attcert_status status = upper_with_scratch(upper, g, f, &z, guess, slack, better, options, err);
  /*@ assert bounds: bounds_eigenvalue{Pre, Here}(upper, g); */
  /*@ assert still: same_lives{Ready, Here} && same_mpz_lives{Ready, Here}; */
  /*@ assert scratch_lives: same_life{Ready, Here}(&z.guess[0]) && same_life{Ready, Here}(&z.tau2[0]) &&
        same_life{Ready, Here}(&z.bound[0]); */
  //@ ghost Bounded:;
  shift_scratch_clear(&z);
  /*@ assert kept: bound_kept{Bounded, Here}(upper, g); */
  return status;
}

attcert_status explicit_gram_upper(mpfr_t upper, const explicit_gram *g, mpfr_srcptr guess, double slack,
                                   const explicit_gram_guess *better, const attcert_options *options,
                                   attcert_error *err) {
  const size_t digits = g->g.digits / 2;
  integer_cholesky f;
  attcert_status status = integer_cholesky_init(&f, (size_t)g->n, digits, err);
  if (status == ATTCERT_OK) status = upper_with_factor(upper, g, &f, guess, slack, better, options, err);
  //@ ghost Bounded:;
  integer_cholesky_clear(&f);
  /*@ assert kept: bound_kept{Bounded, Here}(upper, g); */
  return status;
}
