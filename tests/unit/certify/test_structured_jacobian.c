/* Products with J~ without forming it: the matrix of its doubles, its transpose; and the norm of the absolute values that a-priori
 * rounding bounds rest on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "certify/structured_jacobian.h"
#include "certify_case.h"
#include "kernel_case.h"
#include "spectral_oracle.h"

enum { LARGER_CASES = 6 };

static void larger_case_init(certify_case *c, int index) {
  const layer_shape shape = {.n = 13,
                             .dim = 9,
                             .heads = 1 + index % 3,
                             .head_dim = 5,
                             .out_dim = index % 2 ? 8 : 0,
                             .mask = index < 3 ? ATTCERT_MASK_NONE : ATTCERT_MASK_CAUSAL};
  certify_case_init_shape(c, &shape, index);
}

/* ---- against the matrix ------------------------------------------------------------------------------------------- */

/* Column e of A (of A^T when transposed) by the operator, against the matrix. */
static void assert_column(const linear_operator *op, const arb_mat_t a, int e, bool transpose, double tolerance) {
  const int count = transpose ? op->cols : op->rows, length = transpose ? op->rows : op->cols;
  double *const unit = calloc((size_t)length, sizeof *unit), *const image = new_doubles((size_t)count);
  assert_non_null(unit);
  unit[e] = 1;
  op->apply(op->context, image, unit, transpose);
  for (int i = 0; i < count; i++) {
    arb_srcptr const expected = transpose ? arb_mat_entry(a, e, i) : arb_mat_entry(a, i, e);
    assert_true(fabs(image[i] - arf_get_d(arb_midref(expected), ARF_RND_NEAR)) <= tolerance);
  }
  free(unit);
  free(image);
}

static void assert_matrix(const midpoint_layer *m, const arb_mat_t a, double tolerance) {
  structured_jacobian s;
  assert_int_equal(structured_jacobian_init(&s, m, 1, NULL), ATTCERT_OK);
  const linear_operator op = structured_jacobian_operator(&s);
  assert_int_equal(op.rows, m->n * m->out_dim);
  assert_int_equal(op.cols, m->n * m->dim);
  for (int e = 0; e < op.cols; e++) assert_column(&op, a, e, false, tolerance);
  for (int e = 0; e < op.rows; e++) assert_column(&op, a, e, true, tolerance);
  structured_jacobian_clear(&s);
}

static void check_matrix(const certify_case *c) {
  arb_mat_t a;
  midpoint_jacobian_init(a, &c->m);
  assert_matrix(&c->m, a, 1e-14 * (1 + frobenius_norm(a)));
  arb_mat_clear(a);
}

static void test_matrix(void **state) {
  (void)state;
  for (int index = 0; index < CERTIFY_CASES; index++) {
    certify_case c;
    certify_case_init(&c, index);
    check_matrix(&c);
    certify_case_clear(&c);
  }
  for (int index = 0; index < HOSTILE_CASES; index++) {
    certify_case c;
    hostile_case_init(&c, index);
    check_matrix(&c);
    certify_case_clear(&c);
  }
}

/* <J u, c> = <u, J^T c> */
static void test_adjoint(void **state) {
  (void)state;
  for (int index = 0; index < LARGER_CASES; index++) {
    certify_case c;
    structured_jacobian s;
    larger_case_init(&c, index);
    assert_int_equal(structured_jacobian_init(&s, &c.m, 1, NULL), ATTCERT_OK);
    const linear_operator op = structured_jacobian_operator(&s);
    const size_t rows = (size_t)op.rows, cols = (size_t)op.cols;
    double *const u = new_doubles(cols), *const v = new_doubles(rows);
    double *const ju = new_doubles(rows), *const jtv = new_doubles(cols);
    random_source r = random_source_make(23, 0, (uint64_t)index);
    random_fill_gaussian(u, cols, 1, &r);
    random_fill_gaussian(v, rows, 1, &r);
    op.apply(op.context, ju, u, false);
    op.apply(op.context, jtv, v, true);
    double left = 0, right = 0, size = 0;
    for (size_t i = 0; i < rows; i++) left += ju[i] * v[i], size += fabs(ju[i] * v[i]);
    for (size_t i = 0; i < cols; i++) right += jtv[i] * u[i];
    assert_true(fabs(left - right) <= 1e-13 * size);
    free(u);
    free(v);
    free(ju);
    free(jtv);
    structured_jacobian_clear(&s);
    certify_case_clear(&c);
  }
}

enum { VECTORS = 7 };

/* VECTORS products at a time, against one at a time. */
static void check_block(const midpoint_layer *m, bool transpose) {
  structured_jacobian s;
  assert_int_equal(structured_jacobian_init(&s, m, VECTORS, NULL), ATTCERT_OK);
  const linear_operator op = structured_jacobian_operator(&s);
  const size_t in = (size_t)(transpose ? op.rows : op.cols), out = (size_t)(transpose ? op.cols : op.rows);
  double *const x = new_doubles(VECTORS * in), *const y = new_doubles(VECTORS * out), *const one = new_doubles(out);
  random_source r = random_source_make(29, 0, transpose);
  random_fill_gaussian(x, VECTORS * in, 1, &r);
  structured_jacobian_multiply(&s, y, x, VECTORS, transpose);
  for (size_t b = 0; b < VECTORS; b++) {
    double size = 0;
    op.apply(op.context, one, x + b * in, transpose);
    for (size_t i = 0; i < out; i++) size = fmax(size, fabs(one[i]));
    for (size_t i = 0; i < out; i++) assert_true(fabs(y[b * out + i] - one[i]) <= 1e-13 * size);
  }
  free(x);
  free(y);
  free(one);
  structured_jacobian_clear(&s);
}

static void test_blocks_of_vectors(void **state) {
  (void)state;
  for (int index = 0; index < LARGER_CASES; index++) {
    certify_case c;
    larger_case_init(&c, index);
    for (int transpose = 0; transpose < 2; transpose++) check_block(&c.m, transpose);
    certify_case_clear(&c);
  }
}

/* ---- absolute values ---------------------------------------------------------------------------------------------- */

/* || J^ ||_2^2 of the concatenated heads in absolute value, from the oracle. */
static double absolute_norm_squared(const certify_case *c) {
  arb_mat_t matrix;
  arf_t lower, upper;
  arf_init(lower);
  arf_init(upper);
  midpoint_heads_init(matrix, &c->m, true);
  spectral_oracle(lower, upper, matrix, CERTIFY_CASE_BITS);
  arf_mul(lower, lower, lower, CERTIFY_CASE_BITS, ARF_RND_DOWN);
  const double squared = arf_get_d(lower, ARF_RND_DOWN);
  arb_mat_clear(matrix);
  arf_clear(lower);
  arf_clear(upper);
  return squared;
}

/* An upper bound, not ten percent above it. */
static void test_absolute_norm(void **state) {
  (void)state;
  for (int index = 0; index < CERTIFY_CASES + HOSTILE_CASES; index++) {
    certify_case c;
    double bound = NAN;
    if (index < CERTIFY_CASES)
      certify_case_init(&c, index);
    else
      hostile_case_init(&c, index - CERTIFY_CASES);
    assert_int_equal(structured_jacobian_absolute_norm(&bound, &c.m, NULL), ATTCERT_OK);
    const double exact = absolute_norm_squared(&c);
    assert_true(bound >= exact);
    if (!(bound <= 1.1 * exact)) fail_msg("case %d: %g for %g", index, bound, exact);
    certify_case_clear(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_matrix),
      cmocka_unit_test(test_adjoint),
      cmocka_unit_test(test_blocks_of_vectors),
      cmocka_unit_test(test_absolute_norm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
