/* The closed formulas of T1 - T5 against Arb at 256 bits: they contain the value and are narrow. */
#include "interval/interval_set.h"
#include "random_source.h"
#include "theory/ball_bounds.h"
#include "theory/bound_t3.h"

#include <arb.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BITS = 256, TRIALS = 200 };

/* ||V||, ||A||, ||K^T b_Q||/sqrt(k), R and n, exact. */
typedef struct {
  double value, score_norm, drift, radius;
  int n;
} numbers;

typedef struct {
  arb_t v, z, w, n, c, e2w, t;
} oracle;

static void oracle_init(oracle *o) {
  arb_init(o->v);
  arb_init(o->z);
  arb_init(o->w);
  arb_init(o->n);
  arb_init(o->c);
  arb_init(o->e2w);
  arb_init(o->t);
}

static void oracle_clear(oracle *o) {
  arb_clear(o->v);
  arb_clear(o->z);
  arb_clear(o->w);
  arb_clear(o->n);
  arb_clear(o->c);
  arb_clear(o->e2w);
  arb_clear(o->t);
}

static void oracle_set(oracle *o, const numbers *x, attcert_mask mask) {
  arb_set_d(o->v, x->value);
  arb_set_si(o->n, x->n);
  arb_set_d(o->t, x->radius);
  arb_set_d(o->z, x->score_norm);
  arb_mul(o->z, o->z, o->t, BITS);
  arb_set_d(o->w, x->drift);
  arb_add(o->w, o->w, o->z, BITS);
  arb_mul(o->z, o->z, o->t, BITS);
  arb_mul(o->w, o->w, o->t, BITS);
  arb_mul_2exp_si(o->e2w, o->w, 1);
  arb_exp(o->e2w, o->e2w, BITS);
  arb_set(o->c, o->e2w);
  if (mask == ATTCERT_MASK_CAUSAL) {
    arb_log(o->t, o->n, BITS);
    arb_add_si(o->t, o->t, 1, BITS);
    arb_mul(o->c, o->c, o->t, BITS);
  }
  arb_min(o->c, o->c, o->n, BITS);
}

static void oracle_t1(arb_t r, oracle *o) { /* sqrt(3 (4 n w^2 + z^2 + n)) v */
  arb_mul(r, o->w, o->w, BITS);
  arb_mul_si(r, r, 4, BITS);
  arb_add_si(r, r, 1, BITS);
  arb_mul(r, r, o->n, BITS);
  arb_addmul(r, o->z, o->z, BITS);
  arb_mul_si(r, r, 3, BITS);
  arb_sqrt(r, r, BITS);
  arb_mul(r, r, o->v, BITS);
}

static void oracle_t2(arb_t r, oracle *o) {
  arb_mul_si(r, o->w, 3, BITS);
  arb_add_si(r, r, 1, BITS);
  arb_mul(r, r, o->e2w, BITS);
  arb_mul(r, r, o->v, BITS);
}

static void oracle_t4(arb_t r, oracle *o) {
  arb_mul(r, o->w, o->w, BITS);
  arb_add_si(r, r, 1, BITS);
  arb_mul(r, r, o->c, BITS);
  arb_sqrt(r, r, BITS);
  arb_add(r, r, o->z, BITS);
  arb_mul(r, r, o->v, BITS);
}

static void oracle_t5(arb_t r, oracle *o) {
  arb_mul_si(r, o->w, 4, BITS);
  arb_add_si(r, r, 2, BITS);
  arb_mul(r, r, o->e2w, BITS);
  arb_add(r, r, o->z, BITS);
  arb_mul(r, r, o->v, BITS);
}

/* lo <= truth <= hi, and hi - lo below 2^-100 of it. */
static void assert_encloses(const interval *a, arb_t truth, const char *name, const numbers *x) {
  arf_t lo, hi;
  arb_t ball;
  arf_init(lo);
  arf_init(hi);
  arb_init(ball);
  arf_set_mpfr(lo, a->lo);
  arf_set_mpfr(hi, a->hi);
  arb_set_interval_arf(ball, lo, hi, BITS);
  if (!arb_contains(ball, truth))
    fail_msg("%s misses: v %a, a %a, b %a, R %a, n %d", name, x->value, x->score_norm, x->drift, x->radius, x->n);
  assert_true(arb_rel_accuracy_bits(ball) >= 100);
  arb_clear(ball);
  arf_clear(hi);
  arf_clear(lo);
}

static numbers random_numbers(random_source *r) {
  return (numbers){.value = random_magnitude(r, -20, 20),
                   .score_norm = random_magnitude(r, -10, 2),
                   .drift = random_chance(r, 0.5) ? 0.0 : random_magnitude(r, -10, 2),
                   .radius = random_magnitude(r, -5, 3),
                   .n = random_integer(r, 1, 1000)};
}

static void set_head(ball_head *b, const numbers *x, attcert_mask mask, ball_scratch *s) {
  interval score, drift;
  interval_init(&score, 128);
  interval_init(&drift, 128);
  interval_set_d(&score, x->score_norm);
  interval_set_d(&drift, x->drift);
  interval_set_d(&b->value, x->value);
  b->tokens = x->n;
  b->mask = mask;
  ball_head_set(b, &score, &drift, x->radius, s);
  interval_clear(&drift);
  interval_clear(&score);
}

static void formulas(void **state) {
  (void)state;
  const struct {
    const char *name;
    void (*evaluate)(interval *, const ball_head *, ball_scratch *);
    void (*truth)(arb_t, oracle *);
  } bound[] = {{"T1", bound_t1, oracle_t1},
               {"T2", bound_t2, oracle_t2},
               {"T4", bound_t4, oracle_t4},
               {"T5", bound_t5, oracle_t5}};
  random_source r = random_source_make(11, 0, 0);
  ball_head b;
  ball_scratch s;
  oracle o;
  arb_t truth;
  interval value;
  ball_head_init(&b);
  ball_scratch_init(&s);
  oracle_init(&o);
  arb_init(truth);
  interval_init(&value, 128);
  for (int trial = 0; trial < TRIALS; trial++) {
    const numbers x = random_numbers(&r);
    const attcert_mask mask = random_chance(&r, 0.5) ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE;
    set_head(&b, &x, mask, &s);
    oracle_set(&o, &x, mask);
    for (size_t i = 0; i < sizeof bound / sizeof bound[0]; i++) {
      bound[i].evaluate(&value, &b, &s);
      bound[i].truth(truth, &o);
      assert_encloses(&value, truth, bound[i].name, &x);
    }
  }
  interval_clear(&value);
  arb_clear(truth);
  oracle_clear(&o);
  ball_scratch_clear(&s);
  ball_head_clear(&b);
}

/* v sqrt(n - 1) / (1 + (n - 1) e^{-2 R^2 gamma}), gamma in the place of the score norm. */
static void lower_bound(void **state) {
  (void)state;
  random_source r = random_source_make(12, 0, 0);
  interval value, gamma, bound;
  interval_scratch ws;
  arb_t truth, t;
  interval_init(&value, 128);
  interval_init(&gamma, 128);
  interval_init(&bound, 128);
  interval_scratch_init(&ws, 128);
  arb_init(truth);
  arb_init(t);
  for (int trial = 0; trial < TRIALS; trial++) {
    numbers x = random_numbers(&r);
    x.n++;
    interval_set_d(&value, x.value);
    interval_set_d(&gamma, x.score_norm);
    bound_t3(&bound, &value, &gamma, x.radius, x.n, &ws);
    arb_set_d(t, x.radius);
    arb_mul(t, t, t, BITS);
    arb_set_d(truth, -2.0 * x.score_norm);
    arb_mul(t, t, truth, BITS);
    arb_exp(t, t, BITS);
    arb_mul_si(t, t, x.n - 1, BITS);
    arb_add_si(t, t, 1, BITS);
    arb_sqrt_ui(truth, (ulong)(x.n - 1), BITS);
    arb_div(truth, truth, t, BITS);
    arb_set_d(t, x.value);
    arb_mul(truth, truth, t, BITS);
    assert_encloses(&bound, truth, "T3", &x);
  }
  arb_clear(t);
  arb_clear(truth);
  interval_scratch_clear(&ws);
  interval_clear(&bound);
  interval_clear(&gamma);
  interval_clear(&value);
}

/* z = 2^2000 is beyond e^{2z} of any exponent range: the bound is +inf, and 0 where V is. */
static void overflow(void **state) {
  (void)state;
  numbers x = {1.0, 0x1p1000, 0.0, 0x1p500, 3};
  ball_head b;
  ball_scratch s;
  interval value;
  ball_head_init(&b);
  ball_scratch_init(&s);
  interval_init(&value, 128);
  for (int zero = 0; zero < 2; zero++, x.value = 0.0) {
    set_head(&b, &x, ATTCERT_MASK_NONE, &s);
    bound_t2(&value, &b, &s);
    assert_true(zero != 0 ? mpfr_zero_p(value.hi) : mpfr_inf_p(value.hi) && mpfr_sgn(value.hi) > 0);
    bound_t5(&value, &b, &s);
    assert_true(zero != 0 ? mpfr_zero_p(value.hi) : mpfr_inf_p(value.hi) && mpfr_sgn(value.hi) > 0);
    bound_t4(&value, &b, &s);
    assert_true(mpfr_number_p(value.hi));
    assert_int_equal(mpfr_cmp_si(b.column_sum.hi, 3), 0);
  }
  interval_clear(&value);
  ball_scratch_clear(&s);
  ball_head_clear(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formulas),
      cmocka_unit_test(lower_bound),
      cmocka_unit_test(overflow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
