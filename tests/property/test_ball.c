/* The enclosure on a ball around an input, on random and hostile layers: above the certified constants
 * of points of the ball, random and attacked, below which its own lower end lies; the point it
 * claims is in the ball by exact arithmetic.
 *   ATTCERT_CASES=N  layers a family     ATTCERT_SEED=S  which layers */
#include <stdio.h> /* before mpfr.h, for its printf */

#include "ball/ball.h"
#include "exact_region.h"
#include "random_layer.h"
#include "test_setting.h"
#include "with_norms.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 12, POINTS = 4 };

typedef struct {
  layer_case c;
  char which[160];
  attcert_options options;
  attcert_certificate point;
  bool *moves;
  ball_region region;
  ball_enclosure ball;
} trial;

/* ---- the ball ---------------------------------------------------------------------------------------------------- */

/* From nothing to everything, about the tokens' size in between. */
static double random_radius(const attcert_matrix *x, random_source *r) {
  static const int exponents[] = {-60, -30, -12, -8, -6, -5, -4, -3, -2, -1, 0, 3, 20};
  double largest = 0.0;
  for (size_t i = 0; i < (size_t)x->rows * (size_t)x->cols; i++) largest = fmax(largest, fabs(x->data[i]));
  const int which = random_integer(r, -3, 12);
  if (which == -3) return 0.0;
  if (which == -2) return DBL_MAX;
  if (which == -1) return DBL_TRUE_MIN;
  return fmin(DBL_MAX, ldexp(largest > 0.0 ? largest : 1.0, exponents[which]) * random_uniform(r, 0.5, 1.0));
}

static void random_region(trial *t, random_source *r) {
  const int n = t->c.x.rows;
  t->moves = calloc((size_t)n, sizeof *t->moves);
  assert_non_null(t->moves);
  t->region =
      (ball_region){.radius = random_radius(&t->c.x, r), .kind = (ball_kind_id)random_integer(r, 0, BALL_KINDS - 1)};
  t->moves[random_integer(r, 0, n - 1)] = true;
  for (int i = 0; i < n; i++) t->moves[i] = t->moves[i] || random_chance(r, 0.4);
  if (random_chance(r, 0.5)) t->region.moves = t->moves;
}

/* ---- points of the ball ------------------------------------------------------------------------------------------ */

static void certify(attcert_certificate *certificate, const trial *t, const attcert_matrix *x) {
  attcert_certificate_init(certificate);
  assert_int_equal(attcert_certify(certificate, &t->c.layer, x, &t->options, NULL), ATTCERT_OK);
}

/* The constant at x is not above the ball's upper end; *ratio: how close it comes. */
static void assert_below(const trial *t, const attcert_matrix *x, double *ratio) {
  attcert_certificate there;
  certify(&there, t, x);
  if (mpfr_greater_p(there.lower, t->ball.upper)) {
    mpfr_fprintf(stderr, "%.17Re in the ball, upper end %.17Re by %s\n", there.lower, t->ball.upper, t->ball.upper_by);
    fail_msg("%s: a point of the ball has a larger constant", t->which);
  }
  if (mpfr_sgn(t->ball.upper) > 0) {
    mpfr_div(there.lower, there.lower, t->ball.upper, MPFR_RNDN);
    *ratio = fmax(*ratio, mpfr_get_d(there.lower, MPFR_RNDN));
  }
  attcert_certificate_clear(&there);
}

static void assert_points_below(const trial *t, random_source *r, double *ratio) {
  const attcert_matrix *const x = &t->c.x;
  attcert_matrix moved;
  assert_int_equal(attcert_matrix_init(&moved, x->rows, x->cols, NULL), ATTCERT_OK);
  for (int point = 0; point < POINTS; point++) {
    for (size_t k = 0; k < (size_t)x->rows * (size_t)x->cols; k++)
      moved.data[k] = x->data[k] + fmin(t->region.radius, 1e300) * random_gaussian(r);
    ball_region_project(&moved, x, &t->region);
    ball_region_enter(&moved, x, &t->region);
    if (!exact_region_holds(&moved, x, &t->region)) fail_msg("%s: a point that is said to be inside is not", t->which);
    if (attcert_layer_check(&t->c.layer, &moved, NULL) == ATTCERT_OK) assert_below(t, &moved, ratio);
  }
  attcert_matrix_clear(&moved);
}

/* The point that was found: in the ball, and with a constant that reaches the lower end. */
static void assert_found(const trial *t) {
  attcert_certificate there;
  if (!exact_region_holds(&t->ball.x, &t->c.x, &t->region))
    fail_msg("%s: the point found is outside of the ball", t->which);
  certify(&there, t, &t->ball.x);
  if (mpfr_less_p(there.upper, t->ball.lower)) fail_msg("%s: the point found has a smaller constant", t->which);
  attcert_certificate_clear(&there);
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

static void check_enclosure(const trial *t) {
  const ball_enclosure *const b = &t->ball;
  if (mpfr_nan_p(b->upper) || mpfr_nan_p(b->lower) || mpfr_greater_p(b->lower, b->upper))
    fail_msg("%s: the enclosure is not one", t->which);
  if (mpfr_less_p(b->lower, t->point.lower)) fail_msg("%s: less than the centre's own constant", t->which);
  if (t->region.radius > 0.0) return;
  if (!mpfr_equal_p(b->lower, t->point.lower) || mpfr_greater_p(b->upper, t->point.upper))
    fail_msg("%s: radius 0 is not the point's own enclosure", t->which);
}

static void check_case(int family, uint64_t seed, uint64_t index, double *ratio) {
  trial t = {0};
  attcert_error err = {.message = ""};
  random_source r = random_source_make(seed, 80 + (uint64_t)family, index);
  layer_case_init(&t.c, family, seed, index);
  random_region(&t, &r);
  snprintf(t.which, sizeof t.which, "%s:%llu:%llu, radius %g", random_layer_family(family), (unsigned long long)seed,
           (unsigned long long)index, t.region.radius);
  attcert_options_default(&t.options);
  t.options.threads = 1;
  ball_enclosure_init(&t.ball);
  certify(&t.point, &t, &t.c.x);
  if (ball_with_norms(&t.ball, &t.c.layer, &t.c.x, &t.point, &t.region, &t.options, &err) != ATTCERT_OK)
    fail_msg("%s: %s", t.which, err.message);
  check_enclosure(&t);
  assert_found(&t);
  assert_points_below(&t, &r, ratio);
  ball_enclosure_clear(&t.ball);
  attcert_certificate_clear(&t.point);
  layer_case_clear(&t.c);
  free(t.moves);
}

static void layers(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  double ratio = 0.0;
  for (int family = 0; family < random_layer_families(); family++) {
    for (uint64_t index = 0; index < cases; index++) check_case(family, seed, index, &ratio);
  }
  print_message("%llu layers, %d points each; at most %.6f of the upper end\n",
                (unsigned long long)cases * (unsigned long long)random_layer_families(), POINTS + 1, ratio);
}

/* More tokens than angles are kept for. */
static void long_sequences(void **state) {
  (void)state;
  double ratio = 0.0;
  for (uint64_t index = 0; index < 4; index++) {
    trial t = {.which = "40 tokens"};
    random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 78, index);
    const layer_shape shape = {.n = 40, .dim = 3, .heads = 2, .head_dim = 2, .out_dim = 3, .mask = index % 2};
    layer_case_init_gaussian(&t.c, &shape, &r);
    attcert_options_default(&t.options);
    t.region = (ball_region){.radius = 0.05, .kind = index < 2 ? BALL_SEQUENCE : BALL_TOKEN};
    ball_enclosure_init(&t.ball);
    certify(&t.point, &t, &t.c.x);
    assert_int_equal(ball_with_norms(&t.ball, &t.c.layer, &t.c.x, &t.point, &t.region, &t.options, NULL), ATTCERT_OK);
    assert_string_equal(t.ball.upper_by, "T11");
    check_enclosure(&t);
    assert_found(&t);
    assert_points_below(&t, &r, &ratio);
    ball_enclosure_clear(&t.ball);
    attcert_certificate_clear(&t.point);
    layer_case_clear(&t.c);
  }
  print_message("40 tokens: at most %.6f of the upper end\n", ratio);
}

static void refuses(void **state) {
  (void)state;
  static const double bad[] = {-1.0, -DBL_TRUE_MIN, NAN, INFINITY};
  const bool nobody[] = {false, false};
  trial t = {0};
  random_source r = random_source_make(1, 79, 0);
  attcert_error err;
  layer_case_init_gaussian(&t.c, &(layer_shape){.n = 2, .dim = 2, .heads = 1, .head_dim = 2}, &r);
  attcert_options_default(&t.options);
  ball_enclosure_init(&t.ball);
  certify(&t.point, &t, &t.c.x);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    t.region = (ball_region){.radius = bad[i]};
    assert_int_equal(ball_with_norms(&t.ball, &t.c.layer, &t.c.x, &t.point, &t.region, &t.options, &err),
                     ATTCERT_INPUT);
    assert_non_null(strstr(err.message, "expected a finite number >= 0"));
  }
  t.region = (ball_region){.radius = 1.0, .moves = nobody};
  assert_int_equal(ball_with_norms(&t.ball, &t.c.layer, &t.c.x, &t.point, &t.region, &t.options, &err), ATTCERT_INPUT);
  t.region.moves = NULL;
  t.options.memory_limit = 1000;
  assert_int_equal(ball_with_norms(&t.ball, &t.c.layer, &t.c.x, &t.point, &t.region, &t.options, &err),
                   ATTCERT_RESOURCE);
  ball_enclosure_clear(&t.ball);
  attcert_certificate_clear(&t.point);
  layer_case_clear(&t.c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(layers), cmocka_unit_test(long_sequences),
                                     cmocka_unit_test(refuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
