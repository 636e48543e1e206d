/* The search for the worst input: the constructions reach their theorems' values, the ascent only climbs, the ball
 * holds. */
#include "certify/enclosure/layer_enclosure.h"
#include "exact_region.h"
#include "random_layer.h"
#include "search/worst_ascent.h"
#include "search/worst_search.h"
#include "search/worst_starts.h"
#include "theory/theory.h"
#include "theory/theory_refuted.h"
#include "with_norms.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void random_layer(layer_case *c, const layer_shape *shape, uint64_t index) {
  random_source r = random_source_make(17, 0, index);
  layer_case_init_gaussian(c, shape, &r);
}

static void certify(attcert_certificate *certificate, const attcert_layer *layer, const attcert_matrix *x) {
  attcert_options options;
  attcert_error err = {.message = ""};
  attcert_options_default(&options);
  options.threads = 1;
  attcert_certificate_init(certificate);
  if (attcert_certify(certificate, layer, x, &options, &err) != ATTCERT_OK) fail_msg("%s", err.message);
}

/* value <= bound (1 + 1e-9): starts are rounded to double, where the theorem's are not. */
static void assert_reaches(const attcert_certificate *c, double bound, const char *name) {
  if (!(mpfr_cmp_d(c->lower, bound * (1.0 - 1e-9)) >= 0))
    fail_msg("%s: certified %.17g, the theorem says %.17g", name, mpfr_get_d(c->lower, MPFR_RNDD), bound);
}

static const worst_start *find_start(const worst_starts *s, const char *name) {
  for (int i = 0; i < s->count; i++) {
    if (strncmp(s->start[i].name, name, strlen(name)) == 0) return &s->start[i];
  }
  return NULL;
}

/* The theory's value of a bound for one head without biases. */
static double theory_value(const attcert_layer *layer, const attcert_matrix *x, double radius, theory_id id) {
  theory_table table;
  layer_enclosure e;
  theory_table_init(&table);
  assert_int_equal(layer_enclosure_init(&e, layer, x, 128, 1, NULL), ATTCERT_OK);
  assert_int_equal(theory_with_norms(&table, layer, x, &e, radius, NULL), ATTCERT_OK);
  const double value = table.bound[id].available ? mpfr_get_d(table.bound[id].value, MPFR_RNDD) : NAN;
  layer_enclosure_clear(&e);
  theory_table_clear(&table);
  return value;
}

/* T3 takes the better of its two constructions: the better of the two starts reaches it, certified. */
static void t3_starts_reach_t3(void **state) {
  (void)state;
  const double radii[] = {0.25, 1.0, 3.0};
  int compared = 0;
  for (uint64_t index = 0; index < 12; index++) {
    const layer_shape shape = {.n = 2 + (int)index % 5, .dim = 5, .heads = 1, .head_dim = 3 + (int)index % 3};
    const double radius = radii[index % 3];
    layer_case c;
    worst_starts starts;
    random_layer(&c, &shape, index);
    assert_int_equal(worst_starts_init(&starts, &c.layer, shape.n, radius, 0, 0, NULL), ATTCERT_OK);
    attcert_certificate best[2];
    const char *const names[] = {"T3, negative", "T3, positive"};
    double found = 0.0;
    for (int side = 0; side < 2; side++) {
      const worst_start *const start = find_start(&starts, names[side]);
      if (start == NULL) continue;
      assert_true(start->x.rows == shape.n && start->x.cols == shape.dim);
      certify(&best[side], &c.layer, &start->x);
      found = fmax(found, mpfr_get_d(best[side].lower, MPFR_RNDD));
      attcert_certificate_clear(&best[side]);
    }
    const double t3 = theory_value(&c.layer, &c.x, radius, THEORY_T3);
    if (isfinite(t3)) {
      compared++;
      if (!(found >= t3 * (1.0 - 1e-9))) fail_msg("case %d: found %.17g, T3 is %.17g", (int)index, found, t3);
    }
    worst_starts_clear(&starts);
    layer_case_clear(&c);
  }
  assert_true(compared >= 8);
}

/* A = -a g g^T with V = v I in two dimensions is T10's own layer: two clusters reach T10. */
static void two_clusters_reach_t10(void **state) {
  (void)state;
  const double radius = 1.5;
  for (int n = 3; n <= 40; n += 37) {
    const layer_shape shape = {.n = n, .dim = 2, .heads = 1, .head_dim = 2};
    layer_case c;
    worst_starts starts;
    layer_case_init_zero(&c, &shape);
    c.layer.query_weight[0] = 3.0;
    c.layer.key_weight[0] = -2.0;
    c.layer.value_weight[0] = c.layer.value_weight[3] = 5.0;
    assert_int_equal(worst_starts_init(&starts, &c.layer, n, radius, 0, 0, NULL), ATTCERT_OK);
    const worst_start *const start = find_start(&starts, "two clusters, negative");
    assert_non_null(start);
    assert_null(find_start(&starts, "T3, positive"));
    attcert_certificate certificate;
    certify(&certificate, &c.layer, &start->x);
    assert_reaches(&certificate, theory_value(&c.layer, &c.x, radius, THEORY_T10), start->name);
    attcert_certificate_clear(&certificate);
    worst_starts_clear(&starts);
    layer_case_clear(&c);
  }
}

/* Every start lies in the ball, both masks, one or more heads; the random ones depend on the seed alone. */
static void starts_lie_in_the_ball(void **state) {
  (void)state;
  const layer_shape shape = {.n = 4, .dim = 6, .heads = 2, .head_dim = 3, .out_dim = 6, .biases = true};
  layer_case c;
  random_layer(&c, &shape, 99);
  for (double radius = 1e-300; radius < 1e200; radius *= 1e100) {
    worst_starts s, again, other;
    assert_int_equal(worst_starts_init(&s, &c.layer, 4, radius, 3, 7, NULL), ATTCERT_OK);
    assert_int_equal(worst_starts_init(&again, &c.layer, 4, radius, 3, 7, NULL), ATTCERT_OK);
    assert_int_equal(worst_starts_init(&other, &c.layer, 4, radius, 3, 8, NULL), ATTCERT_OK);
    assert_true(s.count > 3 && s.count == again.count);
    for (int i = 0; i < s.count; i++) {
      assert_true(
          exact_region_holds(&s.start[i].x, NULL, &(ball_region){.radius = radius * (1 + 1e-12), .kind = BALL_TOKEN}));
      assert_memory_equal(s.start[i].x.data, again.start[i].x.data, 24 * sizeof(double));
    }
    assert_memory_not_equal(s.start[s.count - 1].x.data, other.start[s.count - 1].x.data, 24 * sizeof(double));
    worst_starts_clear(&s);
    worst_starts_clear(&again);
    worst_starts_clear(&other);
  }
  layer_case_clear(&c);
}

/* Step by step: each begins where the last ended, none goes down, the certificate agrees, and the whole does climb. */
static void ascent_never_decreases(void **state) {
  (void)state;
  enum { STEPS = 8 };
  const double radius = 1.5;
  double gain = 0.0;
  for (uint64_t index = 0; index < 8; index++) {
    const layer_shape shape = {.n = 3 + (int)index % 3,
                               .dim = 4,
                               .heads = 1 + (int)index % 2,
                               .head_dim = 2,
                               .out_dim = index % 4 < 2 ? 0 : 3,
                               .biases = index % 3 == 0,
                               .mask = index % 2 == 0 ? ATTCERT_MASK_NONE : ATTCERT_MASK_CAUSAL};
    layer_case c;
    worst_attention a;
    worst_starts starts;
    random_layer(&c, &shape, 200 + index);
    assert_int_equal(worst_attention_init(&a, &c.layer, shape.n, NULL), ATTCERT_OK);
    assert_int_equal(worst_starts_init(&starts, &c.layer, shape.n, radius, 1, index, NULL), ATTCERT_OK);
    attcert_matrix *const x = &starts.start[starts.count - 1].x;
    const ball_region ball = {.radius = radius, .kind = BALL_TOKEN};
    double first = 0.0, previous = 0.0;
    for (int step = 0; step < STEPS; step++) {
      worst_ascent climb;
      assert_int_equal(worst_ascend(x, NULL, &climb, &a, NULL, &ball, 1, NULL), ATTCERT_OK);
      if (step == 0) first = previous = climb.before;
      assert_true(fabs(climb.before - previous) <= 1e-9 * previous);
      assert_true(climb.after >= climb.before && climb.steps <= 1);
      assert_true(exact_region_holds(x, NULL, &(ball_region){.radius = radius * (1 + 1e-12), .kind = BALL_TOKEN}));
      attcert_certificate certificate;
      certify(&certificate, &c.layer, x);
      const double lower = mpfr_get_d(certificate.lower, MPFR_RNDD);
      assert_true(fabs(climb.after - lower) <= 1e-9 * lower);
      attcert_certificate_clear(&certificate);
      previous = climb.after;
    }
    gain = fmax(gain, previous / first);
    worst_starts_clear(&starts);
    worst_attention_clear(&a);
    layer_case_clear(&c);
  }
  assert_true(gain > 1.2);
}

/* The worst input beats every construction and random input as such, and is in the ball. */
static void search_keeps_the_best(void **state) {
  (void)state;
  const layer_shape shape = {.n = 4, .dim = 4, .heads = 2, .head_dim = 2, .out_dim = 4};
  layer_case c;
  worst_result result;
  attcert_options options;
  attcert_certificate certificate;
  attcert_options_default(&options);
  random_layer(&c, &shape, 300);
  const worst_options search = {.tokens = 4, .radius = 2.0, .random = 3, .steps = 20, .seed = 5};
  assert_int_equal(worst_search(&result, &c.layer, &search, &options, NULL), ATTCERT_OK);
  assert_true(result.count >= 3 && result.best >= 0 && result.best < result.count);
  assert_true(exact_region_holds(&result.x, NULL, &(ball_region){.radius = 2.0, .kind = BALL_TOKEN}));
  certify(&certificate, &c.layer, &result.x);
  for (int i = 0; i < result.count; i++) {
    assert_true(result.record[i].after <= result.record[result.best].after);
    assert_reaches(&certificate, result.record[i].after * (1 - 1e-9), result.record[i].name);
  }
  attcert_certificate_clear(&certificate);
  worst_result_clear(&result);
  layer_case_clear(&c);
}

/* No bound of the theory falls to an input that is made to break it: both masks, biases, heads, radii around which
 * scores matter. */
static void theory_withstands(void **state) {
  (void)state;
  double closest = INFINITY;
  for (uint64_t index = 0; index < 24; index++) {
    const layer_shape shape = {.n = 2 + (int)index % 7,
                               .dim = 2 + (int)index % 3,
                               .heads = 1 + (int)(index / 2) % 2,
                               .head_dim = 1 + (int)index % 3,
                               .out_dim = index % 4 == 3 ? 2 : 0,
                               .biases = index % 3 == 2,
                               .mask = index % 2 == 0 ? ATTCERT_MASK_NONE : ATTCERT_MASK_CAUSAL};
    const worst_options search = {
        .tokens = shape.n, .radius = ldexp(1.0, (int)index % 5 - 2), .random = 2, .steps = 40, .seed = index};
    layer_case c;
    worst_result result;
    layer_enclosure e;
    theory_table table;
    attcert_certificate certificate;
    attcert_options options;
    attcert_options_default(&options);
    random_layer(&c, &shape, 600 + index);
    assert_int_equal(worst_search(&result, &c.layer, &search, &options, NULL), ATTCERT_OK);
    certify(&certificate, &c.layer, &result.x);
    theory_table_init(&table);
    assert_int_equal(layer_enclosure_init(&e, &c.layer, &result.x, 128, 1, NULL), ATTCERT_OK);
    assert_int_equal(theory_with_norms(&table, &c.layer, &result.x, &e, search.radius, NULL), ATTCERT_OK);
    const theory_bound *const refuted = theory_refuted(&table, certificate.lower);
    if (refuted != NULL)
      fail_msg("case %d: %s is %.17g, certified %.17g", (int)index, refuted->id, mpfr_get_d(refuted->value, MPFR_RNDU),
               mpfr_get_d(certificate.lower, MPFR_RNDD));
    const double bound = mpfr_get_d(theory_smallest_on_ball(&table)->value, MPFR_RNDU);
    closest = fmin(closest, bound / mpfr_get_d(certificate.lower, MPFR_RNDD));
    layer_enclosure_clear(&e);
    theory_table_clear(&table);
    attcert_certificate_clear(&certificate);
    worst_result_clear(&result);
    layer_case_clear(&c);
  }
  assert_true(closest < 1.1); /* a bound a tenth smaller would have fallen */
}

/* With one token J = W_O V, here of norm 3 * 2, whatever the input. */
static void one_token(void **state) {
  (void)state;
  const layer_shape shape = {.n = 1, .dim = 2, .heads = 1, .head_dim = 2, .out_dim = 2};
  layer_case c;
  worst_result result;
  attcert_options options;
  attcert_certificate certificate;
  attcert_options_default(&options);
  layer_case_init_zero(&c, &shape);
  c.layer.query_weight[0] = c.layer.key_weight[1] = 1.0;
  c.layer.value_weight[0] = 3.0;
  c.layer.output_weight[0] = 2.0;
  const worst_options search = {.tokens = 1, .radius = 4.0, .random = 2, .steps = 5};
  assert_int_equal(worst_search(&result, &c.layer, &search, &options, NULL), ATTCERT_OK);
  certify(&certificate, &c.layer, &result.x);
  assert_true(mpfr_cmp_d(certificate.lower, 6.0) <= 0 && mpfr_cmp_d(certificate.upper, 6.0) >= 0);
  assert_true(certificate.relative_width < 1e-9);
  assert_true(fabs(result.record[result.best].after - 6.0) < 1e-12);
  attcert_certificate_clear(&certificate);
  worst_result_clear(&result);
  layer_case_clear(&c);
}

/* From radii where squares underflow to radii where scores overflow; NaN is never a result. */
static void extreme_radii(void **state) {
  (void)state;
  const double radii[] = {1e-320, 1e-300, 1e100, 1e150, 1e200};
  const layer_shape shape = {.n = 3, .dim = 3, .heads = 1, .head_dim = 3};
  layer_case c;
  attcert_options options;
  attcert_options_default(&options);
  random_layer(&c, &shape, 400);
  for (int i = 0; i < 5; i++) {
    worst_result result;
    attcert_error err;
    const worst_options search = {.tokens = 3, .radius = radii[i], .random = 2, .steps = 4};
    const attcert_status status = worst_search(&result, &c.layer, &search, &options, &err);
    if (status == ATTCERT_INPUT) { /* beyond double at every start: only where R^2 is */
      assert_true(radii[i] > 1e152);
      assert_non_null(strstr(err.message, "no search is possible"));
      continue;
    }
    assert_int_equal(status, ATTCERT_OK);
    assert_true(isfinite(result.record[result.best].after) && result.record[result.best].after > 0.0);
    assert_true(exact_region_holds(&result.x, NULL, &(ball_region){.radius = radii[i], .kind = BALL_TOKEN}));
    worst_result_clear(&result);
  }
  layer_case_clear(&c);
}

static void zero_weights(void **state) {
  (void)state;
  const layer_shape shape = {.n = 3, .dim = 2, .heads = 2, .head_dim = 1};
  layer_case c;
  worst_result result;
  attcert_options options;
  attcert_options_default(&options);
  layer_case_init_zero(&c, &shape);
  const worst_options search = {.tokens = 3, .radius = 1.0, .random = 2, .steps = 4};
  assert_int_equal(worst_search(&result, &c.layer, &search, &options, NULL), ATTCERT_OK);
  assert_int_equal(result.count, 2); /* no eigenvector, no construction */
  assert_true(result.record[result.best].after == 0.0);
  worst_result_clear(&result);
  layer_case_clear(&c);
}

/* J is linear in the values: 2^600 and 2^-600 times them change every number exactly, though J^T J leaves the range of
 * double. (Not so where the values choose the start, in the two clusters.) */
static void extreme_values(void **state) {
  (void)state;
  const layer_shape shape = {.n = 3, .dim = 3, .heads = 1, .head_dim = 3};
  const worst_options search = {.tokens = 3, .radius = 2.0, .random = 3, .steps = 6};
  attcert_options options;
  attcert_options_default(&options);
  for (int sign = -1; sign <= 1; sign += 2) {
    layer_case c;
    worst_result plain, scaled;
    random_layer(&c, &shape, 500);
    assert_int_equal(worst_search(&plain, &c.layer, &search, &options, NULL), ATTCERT_OK);
    for (int i = 0; i < 9; i++) c.layer.value_weight[i] = ldexp(c.layer.value_weight[i], sign * 600);
    assert_int_equal(worst_search(&scaled, &c.layer, &search, &options, NULL), ATTCERT_OK);
    for (int i = 0; i < 3; i++) {
      const worst_record *const p = &plain.record[plain.count - 1 - i], *const s = &scaled.record[scaled.count - 1 - i];
      assert_true(s->before == ldexp(p->before, sign * 600) && s->after == ldexp(p->after, sign * 600));
      assert_true(p->after > p->before);
    }
    worst_result_clear(&plain);
    worst_result_clear(&scaled);
    layer_case_clear(&c);
  }
}

static void refuses(void **state) {
  (void)state;
  const layer_shape shape = {.n = 2, .dim = 2, .heads = 1, .head_dim = 2};
  layer_case c;
  worst_result result;
  attcert_options options;
  attcert_error err;
  attcert_options_default(&options);
  layer_case_init_zero(&c, &shape);
  options.memory_limit = 1000;
  const worst_options search = {.tokens = 100, .radius = 1.0, .steps = 4};
  assert_int_equal(worst_search(&result, &c.layer, &search, &options, &err), ATTCERT_RESOURCE);
  assert_non_null(strstr(err.message, "bytes"));
  options.memory_limit = 0;
  assert_int_equal(worst_search(&result, &c.layer, &search, &options, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "at least one random start"));
  c.layer.value_weight[0] = NAN;
  assert_int_equal(worst_search(&result, &c.layer, &search, &options, &err), ATTCERT_INPUT);
  assert_null(result.x.data);
  layer_case_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(t3_starts_reach_t3),
      cmocka_unit_test(two_clusters_reach_t10),
      cmocka_unit_test(starts_lie_in_the_ball),
      cmocka_unit_test(ascent_never_decreases),
      cmocka_unit_test(search_keeps_the_best),
      cmocka_unit_test(one_token),
      cmocka_unit_test(theory_withstands),
      cmocka_unit_test(extreme_radii),
      cmocka_unit_test(zero_weights),
      cmocka_unit_test(extreme_values),
      cmocka_unit_test(refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
