/* The plain double kernel against the two certified layers: its q, k, v, P and y lie within an a-priori rounding distance
 * (Higham, Accuracy and Stability, chapter 3) of the interval layer, its Jacobian close to the oracle's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "certify/enclosure/layer_enclosure.h"
#include "jacobian_oracle.h"
#include "kernel/layer/attention.h"
#include "kernel/row/attended_keys.h"
#include "random_layer.h"

enum { CASES = 20 };

/* Families whose numbers all stay within the range of double. */
static const char *const FAMILY[] = {
    "gaussian",          "larger",       "one-token",    "one-coordinate",   "scalar-heads",      "many-heads",
    "saturated-softmax", "large-scores", "equal-tokens", "duplicate-tokens", "orthogonal-tokens", "zero-tokens",
    "tied-scores",       "integers",     "sparse",       "low-rank",         "orthogonal-value",  "equal-heads",
};
enum { FAMILIES = sizeof FAMILY / sizeof FAMILY[0] };

/* gamma_m = m u / (1 - m u) bounds m roundings; twice that leaves room for the factors (1 + u) left out below. */
static double rounding(int m) {
  return 2 * m * 0x1p-53;
}

/* |x - exact| <= error for some number of the interval. */
static void assert_near(double x, const interval *exact, double error) {
  mpfr_t distance;
  mpfr_init2(distance, 200);
  mpfr_sub_d(distance, exact->lo, x, MPFR_RNDU);
  const double below = mpfr_get_d(distance, MPFR_RNDU);
  mpfr_d_sub(distance, x, exact->hi, MPFR_RNDU);
  const double above = mpfr_get_d(distance, MPFR_RNDU);
  mpfr_clear(distance);
  if (!(below <= error && above <= error)) fail_msg("%a is off by %g, allowed %g", x, fmax(below, above), error);
}

/* ---- a-priori bounds ---------------------------------------------------------------------------------------------- */

/* error of (W x + b)_r = gamma_{d+1} (sum |W_rc x_c| + |b_r|) */
static double projection_error(const double *weight_row, const double *x, double bias, int d) {
  double sum = fabs(bias);
  for (int c = 0; c < d; c++) sum += fabs(weight_row[c] * x[c]);
  return rounding(d + 1) * sum;
}

static double bias_entry(const double *bias, int r) {
  return bias ? bias[r] : 0;
}

/* error of s_ij = q_i . k_j / root, with those of q and k */
static double score_error(const attention_head *head, const double *x, int i, int j) {
  const int k = head->head_dim, d = head->dim;
  double error = 0;
  for (int r = 0; r < k; r++) {
    const double q = head->query[i * k + r], key = head->key[j * k + r];
    const double q_error = projection_error(head->query_weight + r * d, x + i * d, bias_entry(head->query_bias, r), d);
    const double k_error = projection_error(head->key_weight + r * d, x + j * d, bias_entry(head->key_bias, r), d);
    error += fabs(q) * k_error + fabs(key) * q_error + q_error * k_error + rounding(k + 2) * fabs(q * key);
  }
  return error / head->root;
}

/* Relative error of the entries of P_i: scores off by e change it by a factor within e^(+-2 e); the subtraction of the
 * row's maximum rounds the difference of two scores. */
static double weight_error(const attention_head *head, const double *x, int i) {
  double largest = 0;
  for (int j = 0; j < attended_keys(head->mask, i, head->n); j++) {
    double size = 0;
    for (int r = 0; r < head->head_dim; r++)
      size += fabs(head->query[i * head->head_dim + r] * head->key[j * head->head_dim + r]);
    largest = fmax(largest, score_error(head, x, i, j) + rounding(1) * size / head->root);
  }
  return expm1(4 * largest) + rounding(head->n + 4);
}

/* ---- comparisons -------------------------------------------------------------------------------------------------- */

static void assert_projection(const layer_enclosure *e, const interval *exact, int h, const double *values,
                              const double *weight, const double *bias, const double *x) {
  for (int i = 0; i < e->n; i++)
    for (int r = 0; r < e->head_dim; r++)
      assert_near(values[i * e->head_dim + r], &exact[layer_enclosure_vec(e, h, i) + (size_t)r],
                  projection_error(weight + r * e->dim, x + i * e->dim, bias_entry(bias, r), e->dim));
}

/* P_i and y_i = sum_j P_ij v_j */
static void assert_row(const layer_enclosure *e, int h, const attention_head *head, const double *x, int i) {
  const double relative = weight_error(head, x, i);
  for (int j = 0; j < e->n; j++) {
    const double p = head->weights[i * e->n + j];
    assert_near(p, &e->p[layer_enclosure_row(e, h, i) + (size_t)j], relative * p + 0x1p-1000);
  }
  for (int r = 0; r < e->head_dim; r++) {
    double error = 0x1p-1000;
    for (int j = 0; j < e->n; j++) {
      const double p = head->weights[i * e->n + j], v = head->value[j * e->head_dim + r];
      const double v_error = projection_error(head->value_weight + r * e->dim, x + j * e->dim, 0, e->dim);
      error += p * ((relative + rounding(e->n)) * fabs(v) + (1 + relative) * v_error);
    }
    assert_near(head->output[i * e->head_dim + r], &e->y[layer_enclosure_vec(e, h, i) + (size_t)r], error);
  }
}

static void assert_head(const layer_enclosure *e, int h, const attention_head *head, const double *x) {
  assert_projection(e, e->q, h, head->query, head->query_weight, head->query_bias, x);
  assert_projection(e, e->k, h, head->key, head->key_weight, head->key_bias, x);
  assert_projection(e, e->v, h, head->value, head->value_weight, NULL, x);
  for (int i = 0; i < e->n; i++) assert_row(e, h, head, x, i);
}

static double *storage_new(size_t count) {
  double *storage = calloc(count > 0 ? count : 1, sizeof *storage);
  assert_non_null(storage);
  return storage;
}

/* b_V is left out on both sides: the interval layer does without it. */
static void test_forward_pass(void **state) {
  (void)state;
  for (size_t f = 0; f < FAMILIES; f++)
    for (uint64_t index = 0; index < CASES; index++) {
      layer_case c;
      layer_enclosure e;
      layer_case_init(&c, random_layer_family_find(FAMILY[f]), 21, index);
      attcert_layer layer = c.layer;
      layer.value_bias = NULL;
      assert_int_equal(layer_enclosure_init(&e, &layer, &c.x, 128, 1, NULL), ATTCERT_OK);
      double *storage = storage_new(attention_head_size(&layer, c.x.rows));
      for (int h = 0; h < layer.heads; h++) {
        attention_head head = attention_head_view(&layer, h, c.x.rows, storage);
        attention_head_forward(&head, c.x.data);
        assert_head(&e, h, &head, c.x.data);
      }
      free(storage);
      layer_enclosure_clear(&e);
      layer_case_clear(&c);
    }
}

/* The double Jacobian of the kernel; freed by the caller. */
static double *kernel_jacobian(const layer_case *c) {
  const int n = c->x.rows;
  attention_state state;
  double *storage = storage_new(attention_state_size(&c->layer, n));
  attention_state_init(&state, &c->layer, c->x.data, n, storage);
  double *scratch = storage_new(attention_jacobian_scratch(&state));
  double *jacobian = storage_new((size_t)(n * c->layer.out_dim) * (size_t)(n * c->layer.dim));
  attention_jacobian(jacobian, &state, scratch);
  free(scratch);
  free(storage);
  return jacobian;
}

/* Scores off by a few units in the last place of numbers up to about 100 move J by some 1e-13 of its size. */
static void assert_jacobian(const layer_case *c) {
  arb_mat_t exact;
  arb_t scale, distance;
  arb_init(scale);
  arb_init(distance);
  arb_mat_init(exact, (slong)c->x.rows * c->layer.out_dim, (slong)c->x.rows * c->layer.dim);
  jacobian_oracle_matrix(exact, &c->layer, &c->x, 256);
  arb_mat_frobenius_norm(scale, exact, 256);
  const double tolerance = 1e-11 * (1 + arf_get_d(arb_midref(scale), ARF_RND_UP));
  double *jacobian = kernel_jacobian(c);
  for (slong r = 0; r < arb_mat_nrows(exact); r++)
    for (slong l = 0; l < arb_mat_ncols(exact); l++) {
      arb_set_d(distance, jacobian[r * arb_mat_ncols(exact) + l]);
      arb_sub(distance, distance, arb_mat_entry(exact, r, l), 256);
      assert_true(arf_cmpabs_d(arb_midref(distance), tolerance) <= 0);
    }
  free(jacobian);
  arb_mat_clear(exact);
  arb_clear(scale);
  arb_clear(distance);
}

static void test_jacobian(void **state) {
  (void)state;
  static const char *const families[] = {"gaussian",     "larger",      "one-token",        "many-heads",
                                         "equal-tokens", "tied-scores", "duplicate-tokens", "orthogonal-tokens",
                                         "integers",     "sparse"};
  for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
    for (uint64_t index = 0; index < CASES; index++) {
      layer_case c;
      layer_case_init(&c, random_layer_family_find(families[f]), 22, index);
      assert_jacobian(&c);
      layer_case_clear(&c);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_forward_pass), cmocka_unit_test(test_jacobian)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
