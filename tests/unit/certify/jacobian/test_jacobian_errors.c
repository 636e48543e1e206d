/* What double arithmetic owes to the Jacobian: the norm of the absolute values is right, and the bounds of products
 * follow from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "certify/jacobian/jacobian_errors.h"
#include "certify/jacobian/structured_jacobian.h"
#include "certify_case.h"
#include "spectral_oracle.h"

/* About ||a||_2, from below. */
static double norm_of(const arb_mat_t a) {
  arf_t lower, upper;
  arf_init(lower);
  arf_init(upper);
  spectral_oracle(lower, upper, a, CERTIFY_CASE_BITS);
  const double norm = arf_get_d(lower, ARF_RND_DOWN);
  arf_clear(lower);
  arf_clear(upper);
  return norm;
}

/* || J^ ||_2 of the concatenated heads in absolute value. */
static double absolute_norm(const certify_case *c) {
  arb_mat_t heads;
  expanded_heads_init(heads, &c->m, true);
  const double norm = norm_of(heads);
  arb_mat_clear(heads);
  return norm;
}

/* || (I (x) |W'|) J^ ||_2 */
static double absolute_jacobian_norm(const certify_case *c) {
  const size_t width = (size_t)c->m.heads * (size_t)c->m.head_dim, size = (size_t)c->m.out_dim * width;
  arb_mat_t heads, output, product;
  if (c->m.output == NULL) return absolute_norm(c);
  expanded_heads_init(heads, &c->m, true);
  arb_mat_init(output, (slong)c->m.n * c->m.out_dim, arb_mat_nrows(heads));
  arb_mat_init(product, arb_mat_nrows(output), arb_mat_ncols(heads));
  for (size_t i = 0; i < (size_t)c->m.n; i++)
    for (size_t at = 0; at < size; at++)
      arb_set_d(arb_mat_entry(output, i * (size_t)c->m.out_dim + at / width, i * width + at % width),
                fabs(c->m.output[at]));
  arb_mat_mul(product, output, heads, CERTIFY_CASE_BITS);
  const double norm = norm_of(product);
  arb_mat_clear(product);
  arb_mat_clear(output);
  arb_mat_clear(heads);
  return norm;
}

/* An upper bound, not ten percent above it. */
static void test_absolute_norm(void **state) {
  (void)state;
  for (int index = 0; index < ANY_CASES; index++) {
    certify_case c;
    jacobian_errors errors;
    const char *const name = any_case_init(&c, index);
    assert_int_equal(jacobian_errors_of(&errors, &c.m, NULL), ATTCERT_OK);
    const double norm = absolute_norm(&c), exact = norm * norm * (1 - 0x1p-50);
    assert_true(errors.absolute >= exact);
    if (!(errors.absolute <= 1.1 * exact)) fail_msg("%s, case %d: %g for %g", name, index, errors.absolute, exact);
    certify_case_clear(&c);
  }
}

/* gamma_p >= p u of one product, and gamma_p+q of two. */
static void test_products(void **state) {
  (void)state;
  for (int index = 0; index < ANY_CASES; index++) {
    certify_case c;
    jacobian_errors errors;
    const char *const name = any_case_init(&c, index);
    assert_int_equal(jacobian_errors_of(&errors, &c.m, NULL), ATTCERT_OK);
    const double p = structured_jacobian_roundings(&c.m, false), q = structured_jacobian_roundings(&c.m, true);
    const double norm = absolute_jacobian_norm(&c), one = fmax(p, q) * 0x1p-53 * norm;
    const double two = (p + q) * 0x1p-53 * norm * norm;
    if (!(errors.product >= one * (1 - 0x1p-50))) fail_msg("%s, case %d: %g for %g", name, index, errors.product, one);
    if (!(errors.gram >= two * (1 - 0x1p-50))) fail_msg("%s, case %d: %g for %g", name, index, errors.gram, two);
    certify_case_clear(&c);
  }
}

/* w_il = 2^-542 1 and g_i = 2 alone: J^ = 2^-541 1 1^T, but every product of w with what J^ makes of 1 underflows. */
static void test_products_that_underflow(void **state) {
  (void)state;
  enum { SIDE = 128 }; /* n and k */
  const attcert_layer layer = {.heads = 1, .head_dim = SIDE, .dim = 1, .out_dim = SIDE};
  factored_jacobian m;
  jacobian_errors errors;
  assert_int_equal(factored_jacobian_init(&m, &layer, SIDE, NULL), ATTCERT_OK);
  for (size_t at = 0; at < (size_t)SIDE * SIDE * SIDE; at++) m.w[at] = 0x1p-542;
  for (size_t i = 0; i < SIDE; i++) m.g[i] = 2;
  assert_int_equal(jacobian_errors_of(&errors, &m, NULL), ATTCERT_OK);
  const double squared = ldexp((double)SIDE * SIDE * SIDE, -1082); /* of a matrix of n k x n equal entries */
  assert_true(errors.absolute >= squared && errors.absolute <= 1e-100);
  factored_jacobian_clear(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_absolute_norm),
      cmocka_unit_test(test_products),
      cmocka_unit_test(test_products_that_underflow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
