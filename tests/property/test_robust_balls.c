/* The margin's bound on a ball holds at every input of it: on random small networks, in each kind of ball, with and
 * without a mask of entries, and in boxes, at inputs that a search found (projected steps in that norm, from the middle
 * and beside it), at vertices and corners along the gradient and along random directions, and at random inputs. Each
 * input is in the region by exact arithmetic, and its margin is enclosed in intervals. Scales of the input from 2^-300
 * to 2^300 in a network that is linear.
 *   ATTCERT_CASES=N  networks     ATTCERT_SEED=S  which ones */
#include "exact_region.h"
#include "network/affine/step_affine.h"
#include "random_network.h"
#include "robust/ascent.h"
#include "robust/gradient.h"
#include "robust/region.h"
#include "robust/values.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 120, VERTICES = 4, SHAPES = 3 };

/* Of the same kind of ball: all entries of the words, some of them, or a box. */
enum { WHOLE, MASKED, BOXED };

typedef struct {
  network_case of;
  robust_ball ball;
  robust_region region;
  robust_margin margin;
  random_source r;
  double nearest; /* the part of the loss that an input has, at most */
  long inputs;
  int violations;
} trial;

static size_t entries(const trial *t) {
  return (size_t)t->of.x.rows * (size_t)t->of.x.cols;
}

/* Whether the bound holds at x, which the region has. */
static void check_input(trial *t, const attcert_matrix *x) {
  robust_gradient at;
  const robust_gradient_place place = {.x = x, .label = t->margin.label};
  assert_true(exact_region_holds(x, t->ball.input, &t->ball.region));
  assert_int_equal(robust_gradient_enclose(&at, &t->of.network, &place, NULL), ATTCERT_OK);
  t->inputs++;
  if (at.margin.hi < t->margin.margin.lo || at.margin.lo > t->margin.margin.hi) {
    if (t->violations++ == 0)
      print_message("%s, kind %d%s: margin %.17g of an input, bound %.17g\n", t->of.name, (int)t->ball.region.kind,
                    t->ball.region.box != NULL       ? ", box"
                    : t->ball.region.entries != NULL ? ", mask"
                                                     : "",
                    at.margin.hi, t->margin.margin.lo);
  }
  const double loss = t->margin.center - t->margin.margin.lo;
  if (loss > 1e-9) t->nearest = fmax(t->nearest, (t->margin.center - at.margin.lo) / loss);
}

static void check_found(trial *t) {
  const robust_ascent ascent = {.steps = 12, .starts = 2, .seed = 11};
  attcert_matrix moved;
  double least;
  robust_ball ball = t->ball;
  ball.label = t->margin.label;
  assert_int_equal(robust_ascent_run(&moved, &least, &t->of.network, &ball, &ascent, NULL), ATTCERT_OK);
  check_input(t, &moved);
  attcert_matrix_clear(&moved);
}

/* The input farthest along +-slope, or a random one. */
static void check_along(trial *t, attcert_matrix *x, const double *slope, double sign, double part) {
  double *const along = calloc(entries(t), sizeof *along);
  assert_non_null(along);
  memcpy(along, slope, entries(t) * sizeof *along);
  if (ball_region_steepest(along, x->rows, x->cols, &t->ball.region)) {
    for (size_t k = 0; k < entries(t); k++)
      x->data[k] = t->ball.input->data[k] + sign * part * t->ball.region.radius * along[k];
    ball_region_enter(x, t->ball.input, &t->ball.region);
    check_input(t, x);
  }
  free(along);
}

static void check_vertices(trial *t) {
  attcert_matrix x, slope;
  int label = t->margin.label;
  double margin;
  assert_int_equal(attcert_matrix_init(&x, t->of.x.rows, t->of.x.cols, NULL), ATTCERT_OK);
  assert_int_equal(attcert_matrix_init(&slope, t->of.x.rows, t->of.x.cols, NULL), ATTCERT_OK);
  assert_int_equal(robust_values_margin(&margin, &label, &slope, &t->of.network, t->ball.input, NULL), ATTCERT_OK);
  check_along(t, &x, slope.data, -1.0, 1.0);
  for (int v = 0; v < VERTICES; v++) {
    random_fill_gaussian(slope.data, entries(t), 1.0, &t->r);
    check_along(t, &x, slope.data, 1.0, v == 0 ? random_uniform(&t->r, 0.0, 1.0) : 1.0);
  }
  random_fill_gaussian(x.data, entries(t), 1.0, &t->r);
  for (size_t k = 0; k < entries(t); k++) x.data[k] = t->ball.input->data[k] + 2.0 * t->ball.region.radius * x.data[k];
  ball_region_project(&x, t->ball.input, &t->ball.region);
  ball_region_enter(&x, t->ball.input, &t->ball.region);
  check_input(t, &x);
  attcert_matrix_clear(&x);
  attcert_matrix_clear(&slope);
}

static void take_mask(trial *t) {
  bool *const mask = calloc(entries(t), sizeof *mask);
  assert_non_null(mask);
  for (size_t k = 0; k < entries(t); k++) mask[k] = random_chance(&t->r, 0.5);
  for (int c = 0; c < t->of.x.cols; c += 2) mask[t->of.words[0] * t->of.x.cols + c] = true;
  assert_int_equal(robust_region_mask(&t->region, &t->ball, mask, NULL), ATTCERT_OK);
  free(mask);
}

/* Of widths up to four times the radius, some of them 0, the input somewhere inside. */
static void take_box(trial *t) {
  double *const least = calloc(2 * entries(t), sizeof *least), *const most = least + entries(t);
  assert_non_null(least);
  for (size_t k = 0; k < entries(t); k++) {
    const double width = random_chance(&t->r, 0.3) ? 0.0 : t->ball.region.radius;
    least[k] = t->of.x.data[k] - width * random_uniform(&t->r, 0.0, 2.0);
    most[k] = t->of.x.data[k] + width * random_uniform(&t->r, 0.0, 2.0);
  }
  assert_int_equal(robust_region_box(&t->region, &t->ball, &t->of.network, least, most, NULL), ATTCERT_OK);
  free(least);
}

static void check_case(uint64_t seed, uint64_t index, trial *total) {
  trial t = {.r = random_source_make(71, 3, index)};
  const int shape = (int)(index / BALL_KINDS % SHAPES);
  network_case_init(&t.of, seed, index);
  t.ball = t.of.ball;
  t.ball.region.kind = (ball_kind_id)(index % BALL_KINDS);
  if (shape == MASKED) take_mask(&t);
  if (shape == BOXED) take_box(&t);
  assert_int_equal(robust_margin_evaluate(&t.margin, &t.of.network, &t.ball, NULL), ATTCERT_OK);
  if (t.margin.ended < 0) {
    check_found(&t);
    check_vertices(&t);
  }
  robust_margin_clear(&t.margin);
  robust_region_clear(&t.region);
  network_case_clear(&t.of);
  total->nearest = fmax(total->nearest, t.nearest);
  total->inputs += t.inputs;
  total->violations += t.violations;
}

static void no_input_is_below_the_bound(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES), seed = test_setting("ATTCERT_SEED", 1);
  trial total = {0};
  for (uint64_t index = 0; index < cases; index++) check_case(seed, index, &total);
  print_message("%llu networks, %ld inputs, %d below their bound; the largest part of a loss that an input has %.3f\n",
                (unsigned long long)cases, total.inputs, total.violations, total.nearest);
  assert_int_equal(total.violations, 0);
  assert_true(total.inputs > (long)cases);
  assert_true(cases < DEFAULT_CASES || total.nearest > 0.9); /* bounds so sharp that a smaller one would be found out */
}

/* x -> (3, -4, 12) x against 0, where the loss is known: at every scale the bound holds and is sharp. */
static void scales_do_not_matter(void **state) {
  (void)state;
  static const double weight[6] = {0.0, 0.0, 0.0, -3.0, 4.0, -12.0}, duals[BALL_KINDS] = {13.0, 13.0, 19.0, 12.0, 12.0};
  for (int e = -300; e <= 300; e += 50) {
    double data[3] = {ldexp(1.0, e), 0.0, ldexp(1.0, e)};
    network_steps network = {.tokens = 1, .dim = 3};
    network_builder b = {.network = &network, .layer = -1};
    const attcert_matrix x = {1, 3, data};
    step_affine_add(&b, 0, &(affine_weights){.weight = weight}, 2);
    assert_int_equal(b.status, ATTCERT_OK);
    for (int k = 0; k < BALL_KINDS; k++) {
      const robust_ball ball = {.input = &x, .region = {.radius = ldexp(0.5, e), .kind = (ball_kind_id)k}, .label = 0};
      const double truth = ldexp(15.0 - 0.5 * duals[k], e);
      robust_margin margin;
      assert_int_equal(robust_margin_evaluate(&margin, &network, &ball, NULL), ATTCERT_OK);
      if (margin.ended < 0) assert_true(margin.margin.lo <= truth && margin.margin.lo >= truth - ldexp(1e-12, e));
      assert_true(margin.ended < 0 || e == 300); /* numbers beyond 2^300 are given up */
      robust_margin_clear(&margin);
    }
    network_clear(&network);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_input_is_below_the_bound),
                                     cmocka_unit_test(scales_do_not_matter)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
