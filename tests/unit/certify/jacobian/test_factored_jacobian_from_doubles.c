/* The layer in double: every number of it within its radius of the truth, where one kind of number alone is rounded
 * badly (queries, keys or values that cancel) as well as everywhere; and what it will not do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "arb_head.h"
#include "certify/jacobian/factored_jacobian_from_doubles.h"
#include "linalg/rounding/binary_exponent.h"
#include "random_layer.h"

enum { PRECISION = 400, CASES = 16 };

/* Tokens more than a chunk wide, as a projection adds it up. */
static const layer_shape SHAPE = {.n = 5, .dim = 130, .heads = 2, .head_dim = 3, .biases = true};

typedef struct {
  const factored_jacobian *m;
  arb_head head; /* exact up to PRECISION bits */
  arb_mat_t score_by_key;
  size_t h;
} exact_head;

static void exact_head_init(exact_head *t, const factored_jacobian *m, const layer_case *c, int h) {
  *t = (exact_head){.m = m, .h = (size_t)h};
  arb_head_init(&t->head, &c->layer, &c->x, h, PRECISION);
  arb_mat_init(t->score_by_key, m->n, m->dim);
  arb_mat_mul(t->score_by_key, t->head.q, t->head.key_weight, PRECISION);
}

static void exact_head_clear(exact_head *t) {
  arb_head_clear(&t->head);
  arb_mat_clear(t->score_by_key);
}

/* sum += (x 2^exponent / sqrt(k) - approximation)^2, without the root when k = 1. */
static void add_square(arb_t sum, const arb_t x, long exponent, slong k, double approximation) {
  arb_t difference, root;
  arb_init(difference);
  arb_init(root);
  arb_sqrt_ui(root, (ulong)k, PRECISION);
  arb_div(difference, x, root, PRECISION);
  arb_mul_2exp_si(difference, difference, exponent);
  arb_set_d(root, approximation);
  arb_sub(difference, difference, root, PRECISION);
  arb_addmul(sum, difference, difference, PRECISION);
  arb_clear(root);
  arb_clear(difference);
}

/* sqrt(sum) <= radius; sum := 0. */
static void assert_within(arb_t sum, double radius, const char *what, const char *name) {
  arb_t bound;
  arb_init(bound);
  arb_sqrt(sum, sum, PRECISION);
  arb_set_d(bound, radius);
  if (!arb_le(sum, bound))
    fail_msg("%s: %s off by %g, radius %g", name, what, arf_get_d(arb_midref(sum), ARF_RND_NEAR), radius);
  arb_zero(sum);
  arb_clear(bound);
}

/* P_ij and w_ij. */
static void check_pair(const exact_head *t, size_t i, size_t j, const char *name) {
  const factored_jacobian *const m = t->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, at = factored_jacobian_token(m, (int)t->h, (int)i);
  arb_srcptr const p = arb_mat_entry(t->head.p, i, j);
  arb_t sum, w;
  arb_init(sum);
  arb_init(w);
  add_square(sum, p, 0, 1, m->p[at * n + j]);
  assert_within(sum, m->p_radius[at * n + j], "P", name);
  for (size_t r = 0; r < k; r++) {
    arb_sub(w, arb_mat_entry(t->head.v, j, r), arb_mat_entry(t->head.y, i, r), PRECISION);
    arb_mul(w, w, p, PRECISION);
    add_square(sum, w, m->scale[at] - m->shift[t->h * k + r], 1, m->w[(at * k + r) * n + j]);
  }
  assert_within(sum, m->w_radius[at * n + j], "w", name);
  arb_clear(w);
  arb_clear(sum);
}

static void check_gradient(const exact_head *t, size_t i, const char *name) {
  const factored_jacobian *const m = t->m;
  const size_t d = (size_t)m->dim, at = factored_jacobian_token(m, (int)t->h, (int)i);
  arb_t sum;
  arb_init(sum);
  for (size_t c = 0; c < d; c++)
    add_square(sum, arb_mat_entry(t->score_by_key, i, c), -m->scale[at], m->head_dim, m->g[at * d + c]);
  assert_within(sum, m->g_radius[at], "g", name);
  arb_clear(sum);
}

/* kappa_j - kappa_0, whatever the centre. The keys' scale is what rho, the token's and the queries' make it. */
static void check_keys(const exact_head *t, size_t j, const layer_case *c, const char *name) {
  const factored_jacobian *const m = t->m;
  const size_t k = (size_t)m->head_dim, first = factored_jacobian_token(m, (int)t->h, 0), d = (size_t)m->dim;
  int rho;
  frexp(m->rho[first], &rho);
  const long scale = rho - 1 + m->scale[first] - exponent_of_doubles(c->layer.query_weight + t->h * k * d, k * d);
  arb_t sum, difference;
  arb_init(sum);
  arb_init(difference);
  for (size_t r = 0; r < k; r++) {
    arb_sub(difference, arb_mat_entry(t->head.k, j, r), arb_mat_entry(t->head.k, 0, r), PRECISION);
    const double *const kappa = m->kappa + first * k + r;
    /* Computed differences of doubles are rounded by less than u; the radii are dozens of these. */
    add_square(sum, difference, -scale, (slong)k, kappa[j * k] - kappa[0]);
  }
  assert_within(sum, m->kappa_radius[first] + m->kappa_radius[first + j], "kappa", name);
  arb_clear(difference);
  arb_clear(sum);
}

static void check_layer(const layer_case *c, const char *name) {
  factored_jacobian m;
  bool usable;
  assert_int_equal(factored_jacobian_from_doubles(&m, &usable, &c->layer, &c->x, 1, NULL), ATTCERT_OK);
  if (!usable) fail_msg("%s: not usable", name);
  for (int h = 0; h < m.heads; h++) {
    exact_head t;
    exact_head_init(&t, &m, c, h);
    for (size_t i = 0; i < (size_t)m.n; i++) {
      for (size_t j = 0; j < (size_t)m.n; j++) check_pair(&t, i, j, name);
      check_gradient(&t, i, name);
      check_keys(&t, i, c, name);
    }
    exact_head_clear(&t);
  }
  factored_jacobian_clear(&m);
}

static void case_init(layer_case *c, int index) {
  layer_shape shape = SHAPE;
  shape.mask = index % 2 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE;
  random_source r = random_source_make(61, 0, (uint64_t)index);
  layer_case_init_gaussian(c, &shape, &r);
}

/* The first two entries of every token nearly cancel, under weights 2^20 times as large as the others. */
static void cancel(layer_case *c, double *weight) {
  const size_t d = (size_t)SHAPE.dim, rows = (size_t)(SHAPE.heads * SHAPE.head_dim);
  for (size_t i = 0; i < (size_t)SHAPE.n; i++) c->x.data[i * d + 1] = -c->x.data[i * d] * (1 + 0x1p-20 * (double)i);
  for (size_t row = 0; row < rows; row++) {
    weight[row * d] *= 0x1p20;
    weight[row * d + 1] = weight[row * d];
  }
}

static void test_gaussian(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    layer_case c;
    case_init(&c, index);
    check_layer(&c, "gaussian");
    layer_case_clear(&c);
  }
}

static void test_cancellation(void **state) {
  (void)state;
  static const char *const name[] = {"queries", "keys", "values"};
  for (int index = 0; index < CASES; index++) {
    layer_case c;
    case_init(&c, index);
    double *const weight[] = {c.layer.query_weight, c.layer.key_weight, c.layer.value_weight};
    cancel(&c, weight[index % 3]);
    check_layer(&c, name[index % 3]);
    layer_case_clear(&c);
  }
}

/* The keys 1 + 2^-60 and 1 - 2^-60 are 1 in double: kappa comes out as 0, and is not taken to be it. */
static void test_keys_that_look_equal(void **state) {
  (void)state;
  const layer_shape shape = {.n = 2, .dim = 2, .heads = 1, .head_dim = 1};
  layer_case c;
  factored_jacobian m;
  bool usable;
  layer_case_init_zero(&c, &shape);
  c.x.data[0] = c.x.data[2] = 1;
  c.x.data[1] = 0x1p-60;
  c.x.data[3] = -0x1p-60;
  for (int j = 0; j < 2; j++) c.layer.query_weight[j] = c.layer.key_weight[j] = c.layer.value_weight[j] = j + 1;
  c.layer.key_weight[1] = 1;
  assert_int_equal(factored_jacobian_from_doubles(&m, &usable, &c.layer, &c.x, 1, NULL), ATTCERT_OK);
  assert_true(usable && m.kappa[0] == 0 && m.kappa[1] == 0 && m.rho[0] > 0 && m.kappa_radius[0] > 0.25);
  factored_jacobian_clear(&m);
  check_layer(&c, "keys that look equal");
  layer_case_clear(&c);
}

/* A token that attends to itself alone: exactly. */
static void test_first_token(void **state) {
  (void)state;
  layer_case c;
  factored_jacobian m;
  bool usable;
  case_init(&c, 1);
  assert_int_equal(factored_jacobian_from_doubles(&m, &usable, &c.layer, &c.x, 1, NULL), ATTCERT_OK);
  assert_true(usable && m.p[0] == 1 && m.p_radius[0] == 0);
  for (int r = 0; r < SHAPE.head_dim; r++) assert_true(m.w[r * SHAPE.n] == 0);
  assert_true(m.w_radius[0] == 0);
  factored_jacobian_clear(&m);
  layer_case_clear(&c);
}

static void assert_unusable(void (*change)(layer_case *c)) {
  layer_case c;
  factored_jacobian m;
  bool usable = true;
  case_init(&c, 0);
  change(&c);
  assert_int_equal(factored_jacobian_from_doubles(&m, &usable, &c.layer, &c.x, 1, NULL), ATTCERT_OK);
  assert_false(usable);
  assert_null(m.p);
  layer_case_clear(&c);
}

static void huge_tokens(layer_case *c) {
  c->x.data[3] = 0x1p101;
}

static void tiny_values(layer_case *c) {
  for (int i = 0; i < SHAPE.heads * SHAPE.head_dim * SHAPE.dim; i++) c->layer.value_weight[i] *= 0x1p-120;
}

static void uncertain_scores(layer_case *c) {
  for (int i = 0; i < SHAPE.heads * SHAPE.head_dim * SHAPE.dim; i++) c->layer.query_weight[i] *= 0x1p40;
}

static void test_unusable(void **state) {
  (void)state;
  assert_unusable(huge_tokens);
  assert_unusable(tiny_values);
  assert_unusable(uncertain_scores);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gaussian),
      cmocka_unit_test(test_cancellation),
      cmocka_unit_test(test_keys_that_look_equal),
      cmocka_unit_test(test_first_token),
      cmocka_unit_test(test_unusable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
