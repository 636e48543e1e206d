/* Products with J~ without forming it: the matrix of its doubles, its transpose, and both one after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "certify/jacobian/structured_jacobian.h"
#include "certify_case.h"
#include "kernel_case.h"

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

/* ---- against the matrix ------------------------------------------------------------------------------------------ */

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

/* Every column number that is a multiple of `step`. */
static void assert_matrix(const factored_jacobian *m, const arb_mat_t a, int step, double tolerance) {
  structured_jacobian s;
  assert_int_equal(structured_jacobian_init(&s, m, 1, NULL), ATTCERT_OK);
  const linear_operator op = structured_jacobian_operator(&s);
  assert_int_equal(op.rows, m->n * m->out_dim);
  assert_int_equal(op.cols, m->n * m->dim);
  for (int e = 0; e < op.cols; e += step) assert_column(&op, a, e, false, tolerance);
  for (int e = 0; e < op.rows; e += step) assert_column(&op, a, e, true, tolerance);
  structured_jacobian_clear(&s);
}

static void check_matrix(const certify_case *c, int step) {
  arb_mat_t a;
  expanded_jacobian_init(a, &c->m);
  assert_matrix(&c->m, a, step, 1e-14 * (1 + frobenius_norm(a)));
  arb_mat_clear(a);
}

static void test_matrix(void **state) {
  (void)state;
  for (int index = 0; index < ANY_CASES; index++) {
    certify_case c;
    any_case_init(&c, index);
    check_matrix(&c, 1);
    certify_case_clear(&c);
  }
}

/* More heads than are weighed at a time, two of them in the last group. */
static void test_groups_of_heads(void **state) {
  const layer_shape shape = {.n = 350, .dim = 2, .heads = 4, .head_dim = 1, .mask = ATTCERT_MASK_NONE};
  certify_case c;
  (void)state;
  certify_case_init_shape(&c, &shape, 0);
  check_matrix(&c, 61);
  certify_case_clear(&c);
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
static void check_block(const factored_jacobian *m, bool transpose) {
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

/* J~ J~^T x at once, for `count` vectors, against one product after the other. */
static void check_square(const factored_jacobian *m, bool expected, int count) {
  structured_jacobian s;
  assert_int_equal(structured_jacobian_init(&s, m, VECTORS, NULL), ATTCERT_OK);
  assert_int_equal(structured_jacobian_prepare_square(&s, NULL), ATTCERT_OK);
  assert_true((s.square != NULL) == expected);
  const size_t rows = (size_t)m->n * (size_t)m->out_dim, cols = (size_t)m->n * (size_t)m->dim,
               all = (size_t)count * rows;
  double *const x = new_doubles(all), *const y = new_doubles(all), *const z = new_doubles(all);
  double *const image = new_doubles((size_t)count * cols), size = 0;
  random_source r = random_source_make(31, 0, (uint64_t)count);
  random_fill_gaussian(x, all, 1, &r);
  structured_jacobian_square(&s, y, image, x, count);
  structured_jacobian_multiply(&s, image, x, count, true);
  structured_jacobian_multiply(&s, z, image, count, false);
  for (size_t i = 0; i < all; i++) size = fmax(size, fabs(z[i]));
  for (size_t i = 0; i < all; i++) assert_true(fabs(y[i] - z[i]) <= 1e-14 * size);
  free(x);
  free(y);
  free(z);
  free(image);
  structured_jacobian_clear(&s);
}

/* One head of few channels and tokens beside its dimension, down to 2 k + n = d; more heads or a smaller dimension go
 * the long way. */
static void test_square(void **state) {
  (void)state;
  for (int index = 0; index < 24; index++) {
    const int dim = 10 + index % 3, heads = 1 + index / 12;
    const layer_shape shape = {.n = 5,
                               .dim = dim,
                               .heads = heads,
                               .head_dim = 3,
                               .out_dim = index / 3 % 2 ? 4 : 0,
                               .mask = index / 6 % 2 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
    certify_case c;
    certify_case_init_shape(&c, &shape, index);
    check_square(&c.m, heads == 1 && dim >= 11, VECTORS);
    check_square(&c.m, heads == 1 && dim >= 11, 1);
    certify_case_clear(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_matrix),  cmocka_unit_test(test_groups_of_heads),
      cmocka_unit_test(test_adjoint), cmocka_unit_test(test_blocks_of_vectors),
      cmocka_unit_test(test_square),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
