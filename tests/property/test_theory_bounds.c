/* What the theory's bounds must satisfy beside certified enclosures, on random and hostile layers: T1, T2, T4 - T7 lie
 * above the local Lipschitz constant, T4 below T1 and T2, T3 below the constant at its own inputs, and powers of two
 * pass through.
 *   ATTCERT_CASES=N  layers a family     ATTCERT_SEED=S  which layers */
#include <stdio.h> /* before mpfr.h, for its printf */

#include "random_layer.h"
#include "test_setting.h"
#include "theory/theory.h"
#include "with_norms.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 20, PRECISION = 128 };

static void evaluate(theory_table *table, const layer_case *c, double radius) {
  layer_enclosure e;
  attcert_error err = {.message = ""};
  theory_table_init(table);
  assert_int_equal(layer_enclosure_init(&e, &c->layer, &c->x, PRECISION, 1, NULL), ATTCERT_OK);
  if (theory_with_norms(table, &c->layer, &c->x, &e, radius, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  layer_enclosure_clear(&e);
}

static void certify(attcert_certificate *certificate, const layer_case *c) {
  attcert_options options;
  attcert_options_default(&options);
  options.threads = 1;
  attcert_certificate_init(certificate);
  assert_int_equal(attcert_certify(certificate, &c->layer, &c->x, &options, NULL), ATTCERT_OK);
}

/* ---- above the certified value ----------------------------------------------------------------------------------- */

static void assert_order(const theory_table *table, theory_id small, theory_id large, const char *which) {
  const theory_bound *const a = &table->bound[small], *const b = &table->bound[large];
  if (a->available && b->available && mpfr_greater_p(a->value, b->value)) {
    mpfr_fprintf(stderr, "%s = %.17Re, %s = %.17Re\n", a->id, a->value, b->id, b->value);
    fail_msg("%s: %s exceeds %s", which, a->id, b->id);
  }
}

static void assert_above(const theory_table *table, mpfr_srcptr lower, const char *which) {
  for (int t = 0; t < THEORY_COUNT; t++) {
    const theory_bound *const b = &table->bound[t];
    if (!b->available || b->lower) continue;
    if (mpfr_nan_p(b->value) || mpfr_less_p(b->value, lower)) {
      mpfr_fprintf(stderr, "%s = %.17Re (%s), certified >= %.17Re\n", b->id, b->value, b->applies, lower);
      fail_msg("%s: %s is below the certified value", which, b->id);
    }
  }
  assert_order(table, THEORY_T4, THEORY_T1, which);
  assert_order(table, THEORY_T4, THEORY_T2, which);
  assert_order(table, THEORY_T9, THEORY_T4, which);
}

/* On one ball T10 is below every bound that holds for the worst A. */
static void assert_above_worst(const theory_table *table, const char *which) {
  static const theory_id upper[] = {THEORY_T1, THEORY_T2, THEORY_T4, THEORY_T5, THEORY_T9};
  for (size_t i = 0; i < sizeof upper / sizeof upper[0]; i++) assert_order(table, THEORY_T10, upper[i], which);
}

/* A ball around 0 that holds the tokens with room to spare. */
static double larger_radius(const theory_table *table) {
  const double radius = table->bound[THEORY_T1].radius;
  return table->bound[THEORY_T1].centred ? 0.0 : fmin(2.0 * radius, 0x1p1000);
}

static void check_case(int family, uint64_t seed, uint64_t index) {
  char which[128];
  layer_case c;
  theory_table table;
  attcert_certificate certificate;
  snprintf(which, sizeof which, "%s:%llu:%llu", random_layer_family(family), (unsigned long long)seed,
           (unsigned long long)index);
  layer_case_init(&c, family, seed, index);
  certify(&certificate, &c);
  evaluate(&table, &c, 0.0);
  assert_above(&table, certificate.lower, which);
  const double radius = larger_radius(&table);
  theory_table_clear(&table);
  if (radius > 0) {
    evaluate(&table, &c, radius);
    assert_above(&table, certificate.lower, which);
    assert_above_worst(&table, which);
    theory_table_clear(&table);
  }
  attcert_certificate_clear(&certificate);
  layer_case_clear(&c);
}

static void upper_bounds(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  for (int family = 0; family < random_layer_families(); family++) {
    for (uint64_t index = 0; index < cases; index++) check_case(family, seed, index);
  }
  print_message("%llu layers\n", (unsigned long long)cases * (unsigned long long)random_layer_families());
}

/* ---- T3 at its own inputs ---------------------------------------------------------------------------------------- */

/* K^T Q is diagonal, with the eigenvalue `sign` * 2^e at the first axis alone, and V is random. */
static void diagonal_scores(layer_case *c, int sign, int exponent) {
  const size_t d = (size_t)c->layer.dim;
  for (size_t i = 0; i < d * d; i++) c->layer.query_weight[i] = c->layer.key_weight[i] = 0.0;
  for (size_t i = 0; i < d; i++) c->layer.query_weight[i * d + i] = i == 0 ? sign : 0.0;
  for (size_t i = 0; i < d; i++) c->layer.key_weight[i * d + i] = ldexp(1.0, exponent);
}

/* X = R (u, u/2, ..., u/2) for a positive eigenvalue, R (-u, u, ..., u) for a negative one; R a power of two: exact. */
static void worst_input(attcert_matrix *x, int sign, double radius) {
  const size_t d = (size_t)x->cols;
  for (size_t i = 0; i < (size_t)x->rows * d; i++) x->data[i] = 0.0;
  for (size_t i = 0; i < (size_t)x->rows; i++) {
    const double others = sign > 0 ? radius / 2 : radius;
    x->data[i * d] = i > 0 ? others : sign > 0 ? radius : -radius;
  }
}

static void lower_bound(void **state) {
  (void)state;
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 1, 0);
  double closest = INFINITY;
  for (int trial = 0; trial < 100; trial++) {
    const int side = random_integer(&r, 1, 4), sign = random_chance(&r, 0.5) ? 1 : -1;
    const double radius = ldexp(1.0, random_integer(&r, -2, 3));
    const layer_shape shape = {.n = random_integer(&r, 2, 9),
                               .dim = side,
                               .heads = 1,
                               .head_dim = side,
                               .out_dim = random_chance(&r, 0.5) ? 0 : 3};
    layer_case c;
    theory_table table;
    attcert_certificate certificate;
    layer_case_init_gaussian(&c, &shape, &r);
    diagonal_scores(&c, sign, random_integer(&r, -4, 2));
    worst_input(&c.x, sign, radius);
    certify(&certificate, &c);
    evaluate(&table, &c, radius);
    const theory_bound *const b = &table.bound[THEORY_T3];
    assert_true(b->available);
    if (mpfr_greater_p(b->value, certificate.upper)) fail_msg("trial %d: T3 exceeds the value at its own input", trial);
    closest = fmin(closest, mpfr_get_d(certificate.lower, MPFR_RNDN) / mpfr_get_d(b->value, MPFR_RNDN));
    theory_table_clear(&table);
    attcert_certificate_clear(&certificate);
    layer_case_clear(&c);
  }
  print_message("the value at T3's input is at least %.3f T3\n", closest);
  assert_true(closest < 1.5); /* so that a T3 too large by half would be seen */
}

/* ---- T10 at its own inputs --------------------------------------------------------------------------------------- */

/* A = -2^e g g^T with g the first axis; V maps the second axis, e, to its largest singular value. */
static void worst_scores(layer_case *c, int exponent) {
  const size_t d = (size_t)c->layer.dim;
  for (size_t i = 0; i < d * d; i++) c->layer.query_weight[i] = c->layer.key_weight[i] = 0.0;
  for (size_t i = 0; i < d * d; i++) c->layer.value_weight[i] = i == d + 1 ? 3.0 : i % (d + 1) == 0 ? 1.0 : 0.0;
  c->layer.query_weight[0] = -ldexp(sqrt(c->layer.head_dim), exponent);
  c->layer.key_weight[0] = 1.0;
}

/* R e, -R e, -R g, -R g, ... */
static void two_opposite_tokens(attcert_matrix *x, double radius) {
  const size_t d = (size_t)x->cols;
  for (size_t i = 0; i < (size_t)x->rows * d; i++) x->data[i] = 0.0;
  x->data[1] = radius;
  x->data[d + 1] = -radius;
  for (size_t i = 2; i < (size_t)x->rows; i++) x->data[i * d] = -radius;
}

static void worst_score_matrix(void **state) {
  (void)state;
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 3, 0);
  double closest = INFINITY;
  for (int trial = 0; trial < 100; trial++) {
    const int side = random_chance(&r, 0.5) ? 4 : 16; /* with an exact root */
    const double radius = ldexp(1.0, random_integer(&r, -1, 2));
    const layer_shape shape = {.n = random_integer(&r, 3, 12),
                               .dim = side,
                               .heads = 1,
                               .head_dim = side,
                               .mask = random_chance(&r, 0.5) ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
    layer_case c;
    theory_table table;
    attcert_certificate certificate;
    layer_case_init_gaussian(&c, &shape, &r);
    worst_scores(&c, random_integer(&r, -3, 2));
    two_opposite_tokens(&c.x, radius);
    certify(&certificate, &c);
    evaluate(&table, &c, radius);
    const theory_bound *const b = &table.bound[THEORY_T10];
    assert_true(b->available);
    if (mpfr_greater_p(b->value, certificate.upper)) fail_msg("trial %d: T10 exceeds the value at its input", trial);
    assert_above(&table, certificate.lower, "T10's input");
    closest = fmin(closest, mpfr_get_d(certificate.lower, MPFR_RNDN) / mpfr_get_d(b->value, MPFR_RNDN));
    theory_table_clear(&table);
    attcert_certificate_clear(&certificate);
    layer_case_clear(&c);
  }
  print_message("the value at T10's input is at least %.4f T10\n", closest);
  assert_true(closest < 1.01); /* so that a T10 too large by a hundredth would be seen */
}

/* ---- powers of two ----------------------------------------------------------------------------------------------- */

static void scale_array(double *a, size_t count, int exponent) {
  for (size_t i = 0; i < count; i++) a[i] = ldexp(a[i], exponent);
}

/* Every bound of b is 2^exponent times that of a, but for rounding. */
static void assert_scaled(const theory_table *a, const theory_table *b, long exponent) {
  mpfr_t expected;
  mpfr_init2(expected, 53);
  for (int t = 0; t < THEORY_COUNT; t++) {
    assert_int_equal(a->bound[t].available, b->bound[t].available);
    mpfr_mul_2si(expected, a->bound[t].value, exponent, MPFR_RNDN);
    mpfr_div(expected, expected, b->bound[t].value, MPFR_RNDN);
    if (a->bound[t].available && !(fabs(mpfr_get_d(expected, MPFR_RNDN) - 1.0) < 1e-10))
      fail_msg("%s: %s", a->bound[t].id, b->bound[t].applies);
  }
  mpfr_clear(expected);
}

/* V 2^e: every bound 2^e times as large. X 2^e with all weights 2^-e: f(2^-e X), so 2^-e. */
static void powers_of_two(void **state) {
  (void)state;
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 2, 0);
  for (int trial = 0; trial < 20; trial++) {
    const layer_shape shape = {.n = 4,
                               .dim = 3,
                               .heads = 1 + trial % 2,
                               .head_dim = 2,
                               .out_dim = trial % 3,
                               .biases = trial % 4 == 0,
                               .mask = trial % 5 == 0 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
    const size_t weights = (size_t)(shape.heads * shape.head_dim * shape.dim);
    const int e = random_integer(&r, -400, 400);
    layer_case c;
    theory_table table, scaled;
    layer_case_init_gaussian(&c, &shape, &r);
    evaluate(&table, &c, 0.0);
    scale_array(c.layer.value_weight, weights, e);
    evaluate(&scaled, &c, 0.0);
    assert_scaled(&table, &scaled, e);
    theory_table_clear(&scaled);
    scale_array(c.layer.query_weight, weights, -e);
    scale_array(c.layer.key_weight, weights, -e);
    scale_array(c.layer.value_weight, weights, -2 * e);
    scale_array(c.x.data, (size_t)(shape.n * shape.dim), e);
    evaluate(&scaled, &c, 0.0);
    assert_scaled(&table, &scaled, -e);
    theory_table_clear(&scaled);
    theory_table_clear(&table);
    layer_case_clear(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(upper_bounds),
      cmocka_unit_test(lower_bound),
      cmocka_unit_test(worst_score_matrix),
      cmocka_unit_test(powers_of_two),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
