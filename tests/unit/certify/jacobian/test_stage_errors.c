/* Stage by stage: the bounds are those of the formula with the true norms of the factors, or not much larger. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "certify/jacobian/stage_errors.h"
#include "certify/jacobian/structured_jacobian.h"
#include "certify_case.h"
#include "singular_value.h"

static double frobenius(const double *a, size_t count) {
  double sum = 0.0;
  for (size_t i = 0; i < count; i++) sum += a[i] * a[i];
  return sqrt(sum);
}

/* The formula of stage_errors.h to first order, with true norms: of one product, and of both. */
static void expected(double *product, double *gram, const factored_jacobian *m) {
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim;
  const structured_path p = structured_jacobian_path(m, false), q = structured_jacobian_path(m, true);
  double sigma = 0.0, phi = 0.0;
  for (size_t h = 0; h < (size_t)m->heads; h++) {
    const double *const v = m->v + h * k * d, *const w_q = m->q + h * k * d;
    double omega = 0.0, c = 0.0;
    for (size_t at = h * n; at < (h + 1) * n; at++) {
      omega += pow(frobenius(m->w + at * k * n, k * n) * frobenius(m->g + at * d, d), 2.0);
      c = fmax(c, frobenius(m->covariance + at * k * k, k * k));
    }
    omega = sqrt(omega);
    const double rho = largest_singular_value(m->p + h * n * n, m->n, m->n);
    sigma += pow(rho * largest_singular_value(v, m->head_dim, m->dim) + omega +
                     c * largest_singular_value(w_q, m->head_dim, m->dim),
                 2.0);
    phi += pow(rho * frobenius(v, k * d) + omega + c * frobenius(w_q, k * d), 2.0);
  }
  sigma = sqrt(sigma), phi = sqrt(phi);
  const int width = m->heads * m->head_dim;
  const double tau = m->output != NULL ? largest_singular_value(m->output, m->out_dim, width) : 1.0;
  const double whole = m->output != NULL ? frobenius(m->output, (size_t)m->out_dim * (size_t)width) : 0.0;
  const double e = tau * (p.stage[0] * phi + p.stage[1] * sigma) + p.stage[2] * whole * sigma;
  const double f = q.stage[0] * whole * sigma + tau * (q.stage[1] * sigma + q.stage[2] * phi);
  *product = fmax(e, f) * 0x1p-53;
  *gram = tau * sigma * (e + f) * 0x1p-53;
}

static void check(const factored_jacobian *m, double factor, const char *name, int index) {
  jacobian_errors errors, by_paths;
  double product, gram;
  assert_int_equal(stage_errors_of(&errors, m, 2, NULL), ATTCERT_OK);
  expected(&product, &gram, m);
  if (!(errors.product >= product * (1.0 - 1e-10) && errors.gram >= gram * (1.0 - 1e-10)))
    fail_msg("%s, case %d: %g, %g for %g, %g", name, index, errors.product, errors.gram, product, gram);
  if (errors.product > factor * product + 1e-150 || errors.gram > factor * factor * gram + 1e-150)
    fail_msg("%s, case %d: %g, %g for %g, %g", name, index, errors.product, errors.gram, product, gram);
  assert_int_equal(jacobian_errors_of(&by_paths, m, NULL), ATTCERT_OK);
  assert_true(errors.radius == by_paths.radius);
}

static void test_formula(void **state) {
  (void)state;
  for (int index = 0; index < ANY_CASES; index++) {
    certify_case c;
    const char *const name = any_case_init(&c, index);
    check(&c.m, 4.0, name, index); /* rho by sums of rows and columns, norms by six squarings */
    certify_case_clear(&c);
  }
}

/* Where sides are large, far below the bound by absolute values. */
static void test_gain(void **state) {
  const layer_shape shape = {.n = 24, .dim = 64, .heads = 4, .head_dim = 16, .out_dim = 64, .biases = true};
  certify_case c;
  jacobian_errors before, after;
  (void)state;
  certify_case_init_shape(&c, &shape, 3);
  assert_int_equal(jacobian_errors_of(&before, &c.m, NULL), ATTCERT_OK);
  assert_int_equal(stage_errors_of(&after, &c.m, 1, NULL), ATTCERT_OK);
  if (!(after.gram < 0.5 * before.gram)) fail_msg("%g after %g", after.gram, before.gram);
  certify_case_clear(&c);
}

/* NaN in a factor claims nothing. */
static void test_nan(void **state) {
  const layer_shape shape = {.n = 3, .dim = 4, .heads = 2, .head_dim = 2, .out_dim = 3};
  (void)state;
  for (int which = 0; which < 7; which++) {
    certify_case c;
    jacobian_errors errors;
    certify_case_init_shape(&c, &shape, 3);
    double *const array[] = {c.m.p, c.m.w, c.m.g, c.m.v, c.m.q, c.m.covariance, c.m.output};
    array[which][1] = NAN;
    assert_int_equal(stage_errors_of(&errors, &c.m, 1, NULL), ATTCERT_OK);
    assert_false(errors.product < INFINITY || errors.gram < INFINITY);
    certify_case_clear(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_formula),
      cmocka_unit_test(test_gain),
      cmocka_unit_test(test_nan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
