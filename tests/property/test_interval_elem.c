/* sqrt, exp and log against Arb: for numbers x of the operand (its ends, 0, random ones), Arb's ball for f(x) at 256
 * bits or more must lie in the result. The tightest results are counted: their ends are, as Arb proves, the last before
 * f(lo) and f(hi).
 *   ATTCERT_INTERVAL_CASES=N   cases of each function
 *   ATTCERT_SEED=S             which */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include <mpfr.h> /* before arb.h, which declares its functions for MPFR only then (FLINT 3) */

#include <arb.h>

#include "interval/interval_elem.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "random_interval.h"
#include "test_setting.h"

enum { DEFAULT_CASES = 20000, ORACLE_BITS = 256, MOST_BITS = 4096, INNER = 3 };

typedef struct {
  const char *name;
  void (*interval_f)(interval *r, const interval *a);
  void (*arb_f)(arb_t r, const arb_t x, slong precision);
  int least_sign;                                      /* f is defined where sign(x) >= least_sign; -1: everywhere */
  int (*beyond_arb)(mpfr_srcptr x, mpfr_srcptr bound); /* sign(f(x) - bound) where Arb gives up; 0: not there */
} elementary;

/* exp(x) for an x whose exponential or whose distance from 1 has an exponent that Arb does not compute. A finite bound
 * is at most 2^(2^30), a positive one at least 2^(-2^30), and one that is not 1 differs from 1 by 2^-4096 or more. */
static int exp_beyond_arb(mpfr_srcptr x, mpfr_srcptr bound) {
  const mpfr_exp_t e = mpfr_regular_p(x) ? mpfr_get_exp(x) : 0;
  if (e > 40) return mpfr_sgn(bound) <= 0 ? 1 : mpfr_sgn(x);
  if (e < -5000) return mpfr_cmp_ui(bound, 1) == 0 ? mpfr_sgn(x) : -mpfr_cmp_ui(bound, 1);
  return 0;
}

static const elementary FUNCTION[] = {{"sqrt", interval_sqrt, arb_sqrt, 0, NULL},
                                      {"exp", interval_exp, arb_exp, -1, exp_beyond_arb},
                                      {"log", interval_log, arb_log, 1, NULL}};
enum { FUNCTIONS = sizeof FUNCTION / sizeof FUNCTION[0] };

typedef struct {
  long values, undecided; /* undecided: Arb's ball did not become narrow enough */
  long judged, tightest;
} tally;

/* ---- the oracle -------------------------------------------------------------------------------------------------- */

/* The sign of f(x) - bound as Arb proves it, with more and more bits; 0 when they are equal, or (*undecided) when it
 * cannot tell. */
static int arb_compare(const elementary *f, mpfr_srcptr x, mpfr_srcptr bound, bool *undecided) {
  arb_t argument, value;
  arf_t limit;
  int sign = 0;
  *undecided = true;
  arb_init(argument);
  arb_init(value);
  arf_init(limit);
  arf_set_mpfr(arb_midref(argument), x);
  arf_set_mpfr(limit, bound);
  for (slong bits = ORACLE_BITS; bits <= MOST_BITS && *undecided; bits *= 2) {
    f->arb_f(value, argument, bits);
    arb_sub_arf(value, value, limit, bits);
    sign = arb_is_positive(value) ? 1 : arb_is_negative(value) ? -1 : 0;
    *undecided = sign == 0 && !arb_is_zero(value);
  }
  arb_clear(argument);
  arb_clear(value);
  arf_clear(limit);
  return sign;
}

static int compare(const elementary *f, mpfr_srcptr x, mpfr_srcptr bound, bool *undecided) {
  *undecided = false;
  if (mpfr_inf_p(bound)) return -mpfr_sgn(bound);
  const int sign = f->beyond_arb != NULL ? f->beyond_arb(x, bound) : 0;
  return sign != 0 ? sign : arb_compare(f, x, bound, undecided);
}

/* lo <= f(x) <= hi, as far as Arb can tell. */
static bool contained(const elementary *f, mpfr_srcptr x, const interval *r, tally *t) {
  bool below, above;
  const bool in = compare(f, x, r->lo, &below) >= 0 && compare(f, x, r->hi, &above) <= 0;
  t->values++;
  t->undecided += in && (below || above);
  return in;
}

static bool in_domain(const elementary *f, mpfr_srcptr x) {
  return f->least_sign < 0 || mpfr_sgn(x) >= f->least_sign;
}

/* Does the next number above r.lo exceed f(lo), and the next below r.hi fall short of f(hi)? */
static bool is_tightest(const elementary *f, const interval *a, const interval *r) {
  interval inner;
  bool undecided;
  interval_init(&inner, mpfr_get_prec(r->lo));
  interval_set(&inner, r);
  mpfr_nextabove(inner.lo);
  mpfr_nextbelow(inner.hi);
  const bool tightest = compare(f, a->lo, inner.lo, &undecided) < 0 && compare(f, a->hi, inner.hi, &undecided) > 0;
  interval_clear(&inner);
  return tightest;
}

/* ---- one case ---------------------------------------------------------------------------------------------------- */

/* Exponents as MPFR has them and doubles do not. */
static void stretch(interval *a, random_source *s) {
  const long e = random_integer(s, -(1 << 29), 1 << 29);
  mpfr_mul_2si(a->lo, a->lo, e, MPFR_RNDD);
  mpfr_mul_2si(a->hi, a->hi, e, MPFR_RNDU);
}

/* A number of a: lo, hi, or something between them. */
static void draw_member(mpfr_ptr x, const interval *a, int which, random_source *s) {
  if (which == 0) {
    mpfr_set(x, a->lo, MPFR_RNDN);
  } else if (which == 1) {
    mpfr_set(x, a->hi, MPFR_RNDN);
  } else {
    mpfr_sub(x, a->hi, a->lo, MPFR_RNDD);
    mpfr_mul_d(x, x, random_uniform(s, 0, 1), MPFR_RNDD);
    mpfr_add(x, x, a->lo, MPFR_RNDD);
  }
}

static const char *verdict(const elementary *f, const interval *a, const interval *r, random_source *s, tally *t) {
  const char *wrong = NULL;
  bool in_domain_somewhere = false;
  mpfr_t x;
  mpfr_init2(x, 2400);
  for (int i = 0; i < 2 + INNER && wrong == NULL; i++) {
    draw_member(x, a, i, s);
    if (!(mpfr_lessequal_p(a->lo, x) && mpfr_lessequal_p(x, a->hi)) || !in_domain(f, x)) continue;
    in_domain_somewhere = true;
    if (!contained(f, x, r, t)) wrong = "not contained";
  }
  mpfr_clear(x);
  if (wrong != NULL) return wrong;
  const bool outside = interval_is_empty(a) || (!interval_has_nan(a) && !in_domain(f, a->hi));
  if (outside) return interval_is_empty(r) ? NULL : "not empty";
  if (!in_domain_somewhere) return NULL;
  if (interval_is_bounded(a) && in_domain(f, a->lo) && interval_is_bounded(r)) {
    t->judged++;
    t->tightest += is_tightest(f, a, r);
  }
  return NULL;
}

static bool run_case(const elementary *f, uint64_t seed, uint64_t index, tally *t) {
  random_source s = random_source_make(seed, 400 + (uint64_t)(f - FUNCTION), index);
  interval a, r;
  interval_init(&a, random_precision(&s));
  random_interval(&a, &s);
  if (random_chance(&s, 0.1)) stretch(&a, &s);
  const bool aliased = random_chance(&s, 0.25);
  interval_init(&r, aliased ? mpfr_get_prec(a.lo) : random_precision(&s));
  if (aliased) interval_set(&r, &a);
  f->interval_f(&r, aliased ? &r : &a);
  const char *const wrong = verdict(f, &a, &r, &s, t);
  if (wrong != NULL) {
    fprintf(stderr, "%s: %s; ATTCERT_SEED=%llu, index %llu\n", f->name, wrong, (unsigned long long)seed,
            (unsigned long long)index);
    print_interval("operand", &a);
    print_interval("result", &r);
  }
  interval_clear(&a);
  interval_clear(&r);
  return wrong == NULL;
}

static void test_function(void **state) {
  const elementary *const f = *state;
  const uint64_t cases = test_setting("ATTCERT_INTERVAL_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  uint64_t failures = 0;
  tally t = {0};
  for (uint64_t i = 0; i < cases && failures < 5; i++) failures += !run_case(f, seed, i, &t);
  print_message("%-4s %llu cases, %ld values (%ld undecided), tightest %ld of %ld\n", f->name,
                (unsigned long long)cases, t.values, t.undecided, t.tightest, t.judged);
  assert_int_equal(failures, 0);
  assert_int_equal(t.undecided, 0);
}

int main(void) {
  struct CMUnitTest test[FUNCTIONS];
  for (int i = 0; i < FUNCTIONS; i++) {
    test[i] = (struct CMUnitTest){FUNCTION[i].name, test_function, NULL, NULL, (void *)(uintptr_t)&FUNCTION[i]};
  }
  const int failed = cmocka_run_group_tests(test, NULL, NULL);
  flint_cleanup();
  mpfr_free_cache();
  return failed;
}
