/* The scaled doubles of the midpoint layer: 2^exponent J~ is the Jacobian within the radii, the sums that vanish do so within the
 * radii, nothing leaves [-2, 2], and what is masked is zero. (Against Arb on random layers: tests/oracle/test_error_terms.c.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "certify/explicit_jacobian.h"
#include "certify_case.h"

typedef void check(const certify_case *c, const char *name);

static void for_every_case(check *check_case) {
  for (int index = 0; index < CERTIFY_CASES + HOSTILE_CASES; index++) {
    certify_case c;
    const char *name = "gaussian";
    if (index < CERTIFY_CASES)
      certify_case_init(&c, index);
    else
      name = hostile_case_init(&c, index - CERTIFY_CASES);
    check_case(&c, name);
    certify_case_clear(&c);
  }
}

/* ---- the Jacobian ------------------------------------------------------------------------------------------------- */

/* || 2^-exponent J - J~ ||_F with the explicit Jacobian's midpoints for J; they cover what its radius says. */
static long double distance_to_explicit(const certify_case *c, long double *explicit_radius) {
  explicit_jacobian j;
  mpfr_t t;
  mpfr_init2(t, 64);
  assert_int_equal(explicit_jacobian_init(&j, &c->input.layer, &c->e, 1, NULL), ATTCERT_OK);
  long double *const a = midpoint_jacobian(&c->m);
  const size_t count = certify_case_rows(c) * certify_case_cols(c);
  for (size_t i = 0; i < count; i++) {
    mpfr_mul_2si(t, j.mid[i].v, -c->m.exponent, MPFR_RNDN);
    a[i] -= mpfr_get_ld(t, MPFR_RNDN);
  }
  const long double distance = frobenius_norm(a, count);
  mpfr_mul_2si(t, j.radius, -c->m.exponent, MPFR_RNDU);
  *explicit_radius = mpfr_get_ld(t, MPFR_RNDU);
  free(a);
  mpfr_clear(t);
  explicit_jacobian_clear(&j);
  return distance;
}

/* The radius bounds a spectral norm; the Frobenius norm is at most sqrt(rank) times that. */
static void check_jacobian(const certify_case *c, const char *name) {
  double radius = NAN;
  long double explicit_radius;
  assert_int_equal(midpoint_layer_radius(&radius, &c->m, NULL), ATTCERT_OK);
  const long double distance = distance_to_explicit(c, &explicit_radius);
  const long double rank = sqrtl(fminl(certify_case_rows(c), certify_case_cols(c)));
  const double allowance = 1e-18; /* of the long double arithmetic here; J~ is of order 1 */
  if (!(distance <= rank * radius + explicit_radius + allowance)) fail_msg("%s: %Lg beyond %g", name, distance, radius);
  if (!(radius <= 1e-13)) fail_msg("%s: radius %g", name, radius);
}

static void test_jacobian(void **state) {
  (void)state;
  for_every_case(check_jacobian);
}

/* ---- the factors -------------------------------------------------------------------------------------------------- */

static void assert_at_most(const double *a, size_t count, double limit, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (!(fabs(a[i]) <= limit)) fail_msg("%s: %g", name, a[i]);
}

static void check_magnitudes(const certify_case *c, const char *name) {
  const midpoint_layer *const m = &c->m;
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

/* sum_j P_ij = 1 and sum_j w_ij = 0 exactly, so the midpoints' sums are within the radii's. */
static void check_sums(const certify_case *c, const char *name) {
  const midpoint_layer *const m = &c->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim;
  for (size_t at = 0; at < (size_t)m->heads * n; at++) {
    const size_t reach = m->mask == ATTCERT_MASK_CAUSAL ? at % n + 1 : n;
    long double p = 0, p_radius = 0, w_radius = 0;
    for (size_t j = 0; j < n; j++) {
      p += m->p[at * n + j];
      p_radius += m->p_radius[at * n + j];
      w_radius += m->w_radius[at * n + j];
      assert_true(m->p[at * n + j] >= 0);
      assert_true(j < reach || (m->p[at * n + j] == 0 && m->p_radius[at * n + j] == 0));
    }
    if (!(fabsl(p - 1) <= p_radius + 1e-18L)) fail_msg("%s: sum of P is %Lg", name, p);
    for (size_t r = 0; r < k; r++) {
      long double w = 0;
      for (size_t j = 0; j < n; j++) {
        w += m->w[(at * k + r) * n + j];
        assert_true(j < reach || m->w[(at * k + r) * n + j] == 0);
      }
      if (!(fabsl(w) <= w_radius + 1e-18L)) fail_msg("%s: sum of w is %Lg, radii %Lg", name, w, w_radius);
    }
  }
}

static void test_sums(void **state) {
  (void)state;
  for_every_case(check_sums);
}

/* F~_i = rho_i (sum_j w_ij kappa_j^T) Q' within its radius, and the same from the block function. */
static void check_diagonal(const certify_case *c, const char *name) {
  const midpoint_layer *const m = &c->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim;
  double *const block = malloc(k * d * sizeof *block), *const s = malloc(k * k * sizeof *s);
  assert_non_null(block);
  assert_non_null(s);
  for (size_t at = 0; at < (size_t)m->heads * n; at++) {
    const size_t h = at / n;
    long double squares = 0;
    double radius;
    midpoint_layer_diagonal_block(block, &radius, m, (int)h, (int)(at % n), s);
    assert_true(radius == m->f_radius[at]);
    assert_memory_equal(block, m->f + at * k * d, k * d * sizeof *block);
    for (size_t r = 0; r < k; r++)
      for (size_t col = 0; col < d; col++) {
        long double sum = 0;
        for (size_t j = 0; j < n; j++)
          for (size_t a = 0; a < k; a++)
            sum +=
                (long double)m->w[(at * k + r) * n + j] * m->kappa[(h * n + j) * k + a] * m->q[(h * k + a) * d + col];
        const long double error = sum * m->rho[at] - block[r * d + col];
        squares += error * error;
      }
    if (!(sqrtl(squares) <= radius)) fail_msg("%s: %Lg beyond the radius %g of F", name, sqrtl(squares), radius);
  }
  free(block);
  free(s);
}

static void test_diagonal(void **state) {
  (void)state;
  for_every_case(check_diagonal);
}

/* ---- zero, excess, bytes ------------------------------------------------------------------------------------------ */

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
    certify_case_evaluate(&c);
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
    midpoint_layer m;
    certify_case_init(&c, index);
    assert_true(c.m.excess <= 0x1p-60);
    assert_int_equal(layer_enclosure_init(&e, &c.input.layer, &c.input.x, 53, 1, NULL), ATTCERT_OK);
    assert_int_equal(midpoint_layer_init(&m, &c.input.layer, &e, 1, NULL), ATTCERT_OK);
    assert_true(c.m.n == 1 || m.excess > 0x1p-60);
    midpoint_layer_clear(&m);
    layer_enclosure_clear(&e);
    certify_case_clear(&c);
  }
}

static void test_bytes(void **state) {
  (void)state;
  attcert_layer layer = {.dim = 11, .heads = 3, .head_dim = 5, .out_dim = 15};
  const uint64_t n = 7, w = 3 * n * 5 * n, f = 3 * n * 5 * 11;
  assert_true(midpoint_layer_bytes(&layer, 7, 128) >= 8 * (w + 3 * 3 * n * n));
  assert_true(midpoint_layer_bytes(&layer, 7, 65536) >= 3 * 11 * 5 * 8192); /* K^T */
  assert_true(midpoint_layer_diagonal_bytes(&layer, 7) == 8 * f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_jacobian), cmocka_unit_test(test_magnitudes), cmocka_unit_test(test_sums),
      cmocka_unit_test(test_diagonal), cmocka_unit_test(test_zero),       cmocka_unit_test(test_excess),
      cmocka_unit_test(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
