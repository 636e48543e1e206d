/* The scaled doubles of the factored Jacobian: 2^exponent J~ is the Jacobian within the radii, the sums that vanish do
 * so within the radii, nothing leaves [-2, 2], and what is masked is zero. (Against Arb on random layers:
 * tests/oracle/test_error_terms.c.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arb_head.h"
#include "certify/explicit/explicit_jacobian_init.h"
#include "certify/jacobian/factored_jacobian_from_enclosure.h"
#include "certify/jacobian/factored_jacobian_radius.h"
#include "certify_case.h"
#include "kernel_case.h"

typedef void check(const certify_case *c, const char *name);

static void for_every_case(check *check_case) {
  for (int index = 0; index < ANY_CASES; index++) {
    certify_case c;
    const char *const name = any_case_init(&c, index);
    check_case(&c, name);
    certify_case_clear(&c);
  }
}

/* ---- the Jacobian ------------------------------------------------------------------------------------------------ */

/* Bits of the explicit Jacobian that is compared with. */
enum { REFERENCE_PRECISION = 400 };

/* difference := 2^-exponent J - J~ with the explicit Jacobian's midpoints for J; returns their radius in the same
 * units. */
static double subtract_midpoints(arb_mat_t difference, const certify_case *c) {
  layer_enclosure e;
  explicit_jacobian j;
  arb_t entry;
  arb_init(entry);
  assert_int_equal(layer_enclosure_init(&e, &c->input.layer, &c->input.x, REFERENCE_PRECISION, 1, NULL), ATTCERT_OK);
  assert_int_equal(explicit_jacobian_init(&j, &c->input.layer, &e, 1, NULL), ATTCERT_OK);
  expanded_jacobian_init(difference, &c->m);
  arb_mat_neg(difference, difference);
  for (slong i = 0; i < (slong)j.rows * j.cols; i++) {
    arb_ptr to = arb_mat_entry(difference, i / j.cols, i % j.cols);
    arf_set_mpfr(arb_midref(entry), j.mid[i].v);
    arb_mul_2exp_si(entry, entry, -c->m.exponent);
    arb_add(to, to, entry, CERTIFY_CASE_BITS);
  }
  mpfr_mul_2si(j.radius, j.radius, -c->m.exponent, MPFR_RNDU);
  const double radius = mpfr_get_d(j.radius, MPFR_RNDU);
  arb_clear(entry);
  explicit_jacobian_clear(&j);
  layer_enclosure_clear(&e);
  return radius;
}

/* The radius bounds a spectral norm; the Frobenius norm is at most sqrt(rank) times that. Returns the radius. */
static double check_distance(const certify_case *c, const char *name) {
  double radius = NAN;
  arb_mat_t difference;
  assert_int_equal(factored_jacobian_radius(&radius, &c->m, NULL), ATTCERT_OK);
  const double explicit_radius = subtract_midpoints(difference, c);
  const double rank = (double)FLINT_MIN(certify_case_rows(c), certify_case_cols(c));
  if (!frobenius_norm_is_within(difference, sqrt(rank) * radius + explicit_radius))
    fail_msg("%s: %g beyond %g", name, frobenius_norm(difference), radius);
  arb_mat_clear(difference);
  return radius;
}

static void check_jacobian(const certify_case *c, const char *name) {
  const double radius = check_distance(c, name);
  if (!(radius <= 1e-13)) fail_msg("%s: radius %g", name, radius);
}

static void test_jacobian(void **state) {
  (void)state;
  for_every_case(check_jacobian);
}

/* Two tokens with P_ij = 1/2, w_ij = +-1/4 (1, 1) exactly, and F = 0 as their keys are equal: only g = (1, 0) sqrt(2)
 * is rounded. */
static void test_only_the_gradients_are_rounded(void **state) {
  (void)state;
  const layer_shape shape = {.n = 2, .dim = 2, .heads = 1, .head_dim = 2, .biases = true};
  certify_case c;
  layer_case_init_zero(&c.input, &shape);
  attcert_layer *const l = &c.input.layer;
  l->key_weight[0] = l->key_weight[2] = l->query_bias[0] = l->query_bias[1] = 1;
  l->value_weight[1] = l->value_weight[3] = 0.5;
  c.input.x.data[0] = c.input.x.data[1] = c.input.x.data[2] = 1;
  c.input.x.data[3] = -1;
  certify_case_evaluate(&c, 128);
  assert_true(c.m.p[0] == 0.5 && c.m.p_radius[0] < 1e-30 && c.m.w_radius[0] < 1e-30 && c.m.f_radius[0] < 1e-30);
  check_distance(&c, "only g is rounded");
  certify_case_clear(&c);
}

/* 53 bits hold neither key 1 + 2^-60 nor 1 - 2^-60: their difference, all that F is made of, is uncertain. q = 0, so P
 * = 1/2. */
static void test_only_the_keys_are_uncertain(void **state) {
  (void)state;
  const layer_shape shape = {.n = 2, .dim = 3, .heads = 1, .head_dim = 1, .biases = true};
  static const double tokens[] = {1, 1, 1, 1, -1, -1};
  certify_case c;
  layer_case_init_zero(&c.input, &shape);
  attcert_layer *const l = &c.input.layer;
  l->query_weight[0] = l->key_weight[0] = l->value_weight[2] = 1;
  l->query_bias[0] = -1;
  l->key_weight[1] = 0x1p-60;
  memcpy(c.input.x.data, tokens, sizeof tokens);
  certify_case_evaluate(&c, 53);
  assert_true(c.m.p[0] == 0.5 && c.m.p_radius[0] == 0 && c.m.w_radius[0] < 1e-30);
  check_distance(&c, "only kappa is uncertain");
  certify_case_clear(&c);
}

/* ---- the factors ------------------------------------------------------------------------------------------------- */

static void assert_at_most(const double *a, size_t count, double limit, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (!(fabs(a[i]) <= limit)) fail_msg("%s: %g", name, a[i]);
}

static void check_magnitudes(const certify_case *c, const char *name) {
  const factored_jacobian *const m = &c->m;
  const size_t tokens = (size_t)m->heads * (size_t)m->n, n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim;
  assert_at_most(m->p, tokens * n, 1, name);
  assert_at_most(m->w, tokens * k * n, 2, name);
  assert_at_most(m->g, tokens * d, 2, name);
  assert_at_most(m->kappa, tokens * k, 2, name);
  assert_at_most(m->v, (size_t)m->heads * k * d, 2, name);
  assert_at_most(m->q, (size_t)m->heads * k * d, 2, name);
  if (m->output != NULL) assert_at_most(m->output, (size_t)m->out_dim * (size_t)m->heads * k, 2, name);
  for (size_t at = 0; at < tokens; at++) {
    int exponent;
    const double mantissa = frexp(m->rho[at], &exponent);
    assert_true(m->rho[at] == 0 || (mantissa == 0.5 && m->rho[at] <= 1));
  }
}

static void test_magnitudes(void **state) {
  (void)state;
  for_every_case(check_magnitudes);
}

/* | sum of a_j - expected | <= sum of radius_j */
static bool sums_to(double expected, const double *a, const double *radius, size_t n) {
  arb_t sum, term;
  arb_init(sum);
  arb_init(term);
  arb_set_d(sum, -expected);
  for (size_t j = 0; j < n; j++) {
    arb_set_d(term, a[j]);
    mag_set_d(arb_radref(term), radius[j]);
    arb_add(sum, sum, term, CERTIFY_CASE_BITS);
  }
  const bool does = arb_contains_zero(sum);
  arb_clear(sum);
  arb_clear(term);
  return does;
}

/* sum_j P_ij = 1 and sum_j w_ij = 0 exactly, so the midpoints' sums are within the radii's; nothing is beyond the
 * mask. */
static void check_sums(const certify_case *c, const char *name) {
  const factored_jacobian *const m = &c->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim;
  for (size_t at = 0; at < (size_t)m->heads * n; at++) {
    const double *const p = m->p + at * n, *const p_radius = m->p_radius + at * n;
    const size_t attended = m->mask == ATTCERT_MASK_CAUSAL ? at % n + 1 : n;
    if (!sums_to(1, p, p_radius, n)) fail_msg("%s: sum of P", name);
    for (size_t j = 0; j < n; j++) assert_true(j < attended ? p[j] >= 0 : p[j] == 0 && p_radius[j] == 0);
    for (size_t r = 0; r < k; r++) {
      const double *const w = m->w + (at * k + r) * n;
      if (!sums_to(0, w, m->w_radius + at * n, n)) fail_msg("%s: sum of w", name);
      for (size_t j = attended; j < n; j++) assert_true(w[j] == 0);
    }
  }
}

static void test_sums(void **state) {
  (void)state;
  for_every_case(check_sums);
}

/* out (k x d) = rho_i (sum_j w_ij kappa_j^T) Q'. */
static void diagonal_block(arb_mat_t out, const factored_jacobian *m, size_t h, size_t i) {
  const slong n = m->n, k = m->head_dim, d = m->dim;
  const size_t at = factored_jacobian_token(m, (int)h, (int)i), first = factored_jacobian_token(m, (int)h, 0);
  arb_mat_t w, kappa, q, square;
  arb_t rho;
  arb_init(rho);
  arb_mat_init(w, k, n);
  arb_mat_init(kappa, n, k);
  arb_mat_init(q, k, d);
  arb_mat_init(square, k, k);
  arb_mat_set_doubles(w, m->w + at * (size_t)(k * n));
  arb_mat_set_doubles(kappa, m->kappa + first * (size_t)k);
  arb_mat_set_doubles(q, m->q + h * (size_t)(k * d));
  arb_set_d(rho, m->rho[at]);
  arb_mat_mul(square, w, kappa, CERTIFY_CASE_BITS);
  arb_mat_mul(out, square, q, CERTIFY_CASE_BITS);
  arb_mat_scalar_mul_arb(out, out, rho, CERTIFY_CASE_BITS);
  arb_mat_clear(w);
  arb_mat_clear(kappa);
  arb_mat_clear(q);
  arb_mat_clear(square);
  arb_clear(rho);
}

/* out (k x d) := C~_i Q', exactly. */
static void kept_block(arb_mat_t out, const factored_jacobian *m, size_t h, size_t i) {
  const slong k = m->head_dim, d = m->dim;
  arb_mat_t c, q;
  arb_mat_init(c, k, k);
  arb_mat_init(q, k, d);
  arb_mat_set_doubles(c, m->covariance + factored_jacobian_token(m, (int)h, (int)i) * (size_t)(k * k));
  arb_mat_set_doubles(q, m->q + h * (size_t)(k * d));
  arb_mat_mul(out, c, q, CERTIFY_CASE_BITS);
  arb_mat_clear(c);
  arb_mat_clear(q);
}

/* F~ within its radius. */
static void check_block(const factored_jacobian *m, size_t h, size_t i, const char *name) {
  const double radius = m->f_radius[factored_jacobian_token(m, (int)h, (int)i)];
  arb_mat_t exact, kept;
  arb_mat_init(exact, m->head_dim, m->dim);
  arb_mat_init(kept, m->head_dim, m->dim);
  diagonal_block(exact, m, h, i);
  kept_block(kept, m, h, i);
  arb_mat_sub(exact, exact, kept, CERTIFY_CASE_BITS);
  if (!frobenius_norm_is_within(exact, radius))
    fail_msg("%s: F off by %g, radius %g", name, frobenius_norm(exact), radius);
  arb_mat_clear(exact);
  arb_mat_clear(kept);
}

static void check_diagonal(const certify_case *c, const char *name) {
  for (size_t h = 0; h < (size_t)c->m.heads; h++)
    for (size_t i = 0; i < (size_t)c->m.n; i++) check_block(&c->m, h, i, name);
}

static void test_diagonal(void **state) {
  (void)state;
  for_every_case(check_diagonal);
}

/* ---- zero, excess, bytes ----------------------------------------------------------------------------------------- */

/* J = 0 exactly when every channel's V is 0, or W_O does not look at the others. */
static void test_zero(void **state) {
  (void)state;
  const layer_shape shape = {.n = 3, .dim = 2, .heads = 2, .head_dim = 1, .out_dim = 2};
  for (int kept = 0; kept < 4; kept++) { /* bit 0: V of head 1, bit 1: W_O's column of head 1 */
    certify_case c;
    random_source r = random_source_make(22, 0, 0);
    layer_case_init_gaussian(&c.input, &shape, &r);
    for (int i = 0; i < 2; i++) {
      c.input.layer.value_weight[i] = 0;
      if (!(kept & 1)) c.input.layer.value_weight[2 + i] = 0;
      if (!(kept & 2)) c.input.layer.output_weight[2 * i + 1] = 0;
    }
    certify_case_evaluate(&c, 128);
    assert_int_equal(c.m.zero, kept != 3);
    certify_case_clear(&c);
  }
}

/* At 53 bits the intervals are wider than a double's rounding, at 128 they are not. */
static void test_excess(void **state) {
  (void)state;
  for (int index = 1; index < CERTIFY_CASES; index += 6) {
    certify_case c;
    layer_enclosure e;
    factored_jacobian m;
    certify_case_init(&c, index);
    assert_true(c.m.excess <= 0x1p-60);
    assert_int_equal(layer_enclosure_init(&e, &c.input.layer, &c.input.x, 53, 1, NULL), ATTCERT_OK);
    assert_int_equal(factored_jacobian_from_enclosure(&m, &c.input.layer, &e, 1, NULL), ATTCERT_OK);
    assert_true(c.m.n == 1 || m.excess > 0x1p-60);
    factored_jacobian_clear(&m);
    layer_enclosure_clear(&e);
    certify_case_clear(&c);
  }
}

static void test_bytes(void **state) {
  (void)state;
  attcert_layer layer = {.dim = 11, .heads = 3, .head_dim = 5, .out_dim = 15};
  const uint64_t n = 7, w = 3 * n * 5 * n, covariance = 3 * n * 5 * 5;
  assert_true(factored_jacobian_bytes(&layer, 7) >= 8 * (w + 3 * 3 * n * n + covariance));
  assert_true(factored_jacobian_from_enclosure_bytes(&layer, 7, 65536) >= 7 * 11 * 2 * 8192); /* g */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_jacobian),
      cmocka_unit_test(test_only_the_gradients_are_rounded),
      cmocka_unit_test(test_only_the_keys_are_uncertain),
      cmocka_unit_test(test_magnitudes),
      cmocka_unit_test(test_sums),
      cmocka_unit_test(test_diagonal),
      cmocka_unit_test(test_zero),
      cmocka_unit_test(test_excess),
      cmocka_unit_test(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
