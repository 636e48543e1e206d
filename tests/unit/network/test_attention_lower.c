/* Attention along a direction, where one of its remainders alone matters, against its lowest value in the ball: token 0
 * moves, in two numbers, token 1 stays; head of one number, q, k and v of row 0 as each case has them.
 * A tenth of the direction and its opposite are bounded beside it. */
#include "network/affine/step_affine.h"
#include "network/attention/step_attention.h"
#include "robust/lower.h"
#include "robust/margin.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { GRID = 400 };

typedef struct {
  const char *name;
  double query[2], key[2], value[2]; /* of a token x: q = query . x, and so on */
  double fixed[2], moved[2];         /* token 1, token 0 at the center */
  double radius, sign;               /* sign y of row 0 is bounded */
  double slack;                      /* by how much the bound may be below what is lowest */
} scene;

static const scene scenes[] = {
    /* q = k = 0 at the center: the scores' product of deviations */
    {"scores", {1.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {0.0, 1e6}, {0.0, 0.0}, 0.7, 1e-6, 0.06},
    {"scores, down", {1.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {0.0, -1e6}, {0.0, 0.0}, 0.7, 1e-6, 0.2},
    /* keys stay: what a softmax is besides its first order */
    {"weights", {1.0, 0.0}, {0.0, 1.0}, {0.0, 1.0}, {0.0, 1e6}, {0.9e-6, -1e6}, 0.9e-6, 1e-6, 1.0},
    {"weights, down", {1.0, 0.0}, {0.0, 1.0}, {0.0, 1.0}, {0.0, 1e6}, {-0.9e-6, -1e6}, 0.9e-6, -1e-6, 1.0},
    /* values that move with the score of their key, around a common value */
    {"values", {0.0, 1.0}, {1.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {0.0, 1.0}, 0.8, 1.0, 0.5},
    {"values, down", {0.0, 1.0}, {1.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {0.0, 1.0}, 0.8, -1.0, 0.5},
};

static double dot(const double *a, const double *x) {
  return a[0] * x[0] + a[1] * x[1];
}

/* sign y of row 0 at the center plus (e, f). */
static double value_at(const scene *s, double e, double f) {
  const double x[2][2] = {{s->moved[0] + e, s->moved[1] + f}, {s->fixed[0], s->fixed[1]}};
  const double q = dot(s->query, x[0]);
  const double first = q * dot(s->key, x[0]), second = q * dot(s->key, x[1]);
  const double weight = 1.0 / (1.0 + exp(second - first));
  return s->sign * (weight * dot(s->value, x[0]) + (1.0 - weight) * dot(s->value, x[1]));
}

static double lowest_value(const scene *s) {
  double lowest = INFINITY;
  for (int i = -GRID; i <= GRID; i++)
    for (int j = -GRID; j <= GRID; j++) lowest = fmin(lowest, value_at(s, s->radius * i / GRID, s->radius * j / GRID));
  return lowest;
}

static attcert_status bound_last(void *context, int value, const form *f, const form_symbols *symbols) {
  enum { STEPS = 4 };
  const scene *const s = ((const scene **)context)[0];
  const network_steps *const network = ((const network_steps **)context)[1];
  const double w[] = {0.1 * s->sign, 0.0, s->sign, 0.0, -s->sign, 0.0}, lowest = lowest_value(s);
  robust_lower l;
  if (value != STEPS) return ATTCERT_OK;
  assert_int_equal(robust_lower_init(&l, network, f - value, symbols, 3, NULL), ATTCERT_OK);
  assert_int_equal(robust_lower_bound(&l, value, w, NULL), ATTCERT_OK);
  print_message("%s: lowest %.6f, bound %.6f\n", s->name, lowest, l.best[1]);
  assert_true(l.best[1] <= lowest + 1e-9 && l.best[1] >= lowest - s->slack);
  assert_true(-l.best[2] >= lowest && fabs(10.0 * l.best[0] - l.best[1]) <= 1e-9);
  robust_lower_clear(&l);
  return ATTCERT_OK;
}

static void bounds_are_below_the_lowest_value(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
    const scene *const s = &scenes[k];
    network_steps network = {.tokens = 2, .dim = 2};
    network_builder b = {.network = &network, .layer = -1};
    const attention_heads heads = step_attention_plain(1, 1);
    const int input[] = {step_affine_add(&b, 0, &(affine_weights){.weight = s->query}, 1),
                         step_affine_add(&b, 0, &(affine_weights){.weight = s->key}, 1),
                         step_affine_add(&b, 0, &(affine_weights){.weight = s->value}, 1)};
    static const bool moves[] = {true, false};
    double data[] = {s->moved[0], s->moved[1], s->fixed[0], s->fixed[1]};
    const attcert_matrix x = {2, 2, data};
    const robust_ball ball = {
        .input = &x, .region = {.radius = s->radius, .kind = BALL_ENTRY, .moves = moves}, .label = 0};
    robust_margin margin;
    const void *context[] = {s, &network};
    step_attention_add(&b, input, &heads);
    assert_int_equal(b.status, ATTCERT_OK);
    assert_int_equal(robust_margin_observe(&margin, &network, &ball, bound_last, context, NULL), ATTCERT_OK);
    robust_margin_clear(&margin);
    network_clear(&network);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_are_below_the_lowest_value)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
