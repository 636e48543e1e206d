/* The layer and its derivatives of attcert.h against the definition in long double and the Jacobian in Arb: both masks,
 * with and without biases and W_O, from one token on; and what is refused. */
#include "jacobian_oracle.h"
#include "kernel_case.h"
#include "long_attention.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double tolerance = 1e-12; /* some hundred roundings of numbers up to about 100 */

static attcert_matrix matrix_new(int rows, int cols) {
  attcert_matrix m = {rows, cols, new_doubles((size_t)rows * (size_t)cols)};
  return m;
}

static attcert_matrix gaussian_new(int rows, int cols, uint64_t index) {
  attcert_matrix m = matrix_new(rows, cols);
  random_source r = random_source_make(31, 0, index);
  random_fill_gaussian(m.data, (size_t)rows * (size_t)cols, 1, &r);
  return m;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void test_forward(void **state) {
  (void)state;
  for (int index = 0; index < KERNEL_CASES; index++) {
    kernel_case c;
    kernel_case_init(&c, index);
    long double x[5 * 7], expected[5 * 18];
    attcert_matrix y = matrix_new(c.n, c.out_dim);
    for (int e = 0; e < c.n * c.dim; e++) x[e] = c.input.x.data[e];
    long_attention(expected, &c.input.layer, x, c.n);
    assert_int_equal(attcert_layer_forward(&y, &c.input.layer, &c.input.x, NULL), ATTCERT_OK);
    for (int e = 0; e < c.n * c.out_dim; e++)
      assert_true(fabsl(y.data[e] - expected[e]) <= tolerance * (1 + fabsl(expected[e])));
    attcert_matrix_clear(&y);
    kernel_case_clear(&c);
  }
}

/* The oracle's Jacobian, rounded to double. */
static attcert_matrix oracle_jacobian(const kernel_case *c) {
  attcert_matrix jacobian = matrix_new(c->n * c->out_dim, c->n * c->dim);
  arb_mat_t exact;
  arb_mat_init(exact, jacobian.rows, jacobian.cols);
  jacobian_oracle_matrix(exact, &c->input.layer, &c->input.x, 256);
  double *entry = jacobian.data;
  for (slong r = 0; r < jacobian.rows; r++)
    for (slong l = 0; l < jacobian.cols; l++)
      *entry++ = arf_get_d(arb_midref(arb_mat_entry(exact, r, l)), ARF_RND_NEAR);
  arb_mat_clear(exact);
  return jacobian;
}

static void check_jacobian(const kernel_case *c, const attcert_matrix *exact) {
  attcert_matrix jacobian = matrix_new(exact->rows, exact->cols);
  double size = 1;
  for (int e = 0; e < exact->rows * exact->cols; e++) size = fmax(size, fabs(exact->data[e]));
  assert_int_equal(attcert_layer_jacobian(&jacobian, &c->input.layer, &c->input.x, NULL), ATTCERT_OK);
  for (int e = 0; e < exact->rows * exact->cols; e++)
    assert_true(fabs(jacobian.data[e] - exact->data[e]) <= tolerance * size);
  attcert_matrix_clear(&jacobian);
}

/* image = J u, or J^T u, up to roundings of every term. */
static void assert_product(const attcert_matrix *image, const attcert_matrix *jacobian, const attcert_matrix *u,
                           bool transposed) {
  const int rows = image->rows * image->cols, terms = u->rows * u->cols;
  for (int r = 0; r < rows; r++) {
    double sum = 0, size = 1;
    for (int t = 0; t < terms; t++) {
      const double term = jacobian->data[transposed ? t * rows + r : r * terms + t] * u->data[t];
      sum += term;
      size += fabs(term);
    }
    assert_true(fabs(image->data[r] - sum) <= tolerance * size);
  }
}

static void check_products(const kernel_case *c, const attcert_matrix *exact, int index) {
  attcert_matrix dx = gaussian_new(c->n, c->dim, 2 * (uint64_t)index), dy = matrix_new(c->n, c->out_dim);
  assert_int_equal(attcert_layer_jvp(&dy, &c->input.layer, &c->input.x, &dx, NULL), ATTCERT_OK);
  assert_product(&dy, exact, &dx, false);
  attcert_matrix cotangent = gaussian_new(c->n, c->out_dim, 2 * (uint64_t)index + 1);
  assert_int_equal(attcert_layer_vjp(&dx, &c->input.layer, &c->input.x, &cotangent, NULL), ATTCERT_OK);
  assert_product(&dx, exact, &cotangent, true);
  attcert_matrix_clear(&cotangent);
  attcert_matrix_clear(&dy);
  attcert_matrix_clear(&dx);
}

static void test_derivatives(void **state) {
  (void)state;
  for (int index = 0; index < KERNEL_CASES; index++) {
    kernel_case c;
    kernel_case_init(&c, index);
    attcert_matrix exact = oracle_jacobian(&c);
    check_jacobian(&c, &exact);
    check_products(&c, &exact, index);
    attcert_matrix_clear(&exact);
    kernel_case_clear(&c);
  }
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

/* n = 3, d = 4, H k = 4, out_dim = 2. */
static const layer_shape shape = {.n = 3, .dim = 4, .heads = 2, .head_dim = 2, .out_dim = 2};

typedef struct {
  layer_case input;
  attcert_matrix y, dx, jacobian;
} fixture;

static void fixture_init(fixture *f) {
  random_source r = random_source_make(32, 0, 0);
  layer_case_init_gaussian(&f->input, &shape, &r);
  f->y = gaussian_new(3, 2, 0);
  f->dx = gaussian_new(3, 4, 1);
  f->jacobian = matrix_new(6, 12);
}

static void fixture_clear(fixture *f) {
  attcert_matrix_clear(&f->jacobian);
  attcert_matrix_clear(&f->dx);
  attcert_matrix_clear(&f->y);
  layer_case_clear(&f->input);
}

typedef attcert_status call(fixture *f, attcert_error *err);

static attcert_status forward(fixture *f, attcert_error *err) {
  return attcert_layer_forward(&f->y, &f->input.layer, &f->input.x, err);
}

static attcert_status jvp(fixture *f, attcert_error *err) {
  return attcert_layer_jvp(&f->y, &f->input.layer, &f->input.x, &f->dx, err);
}

static attcert_status vjp(fixture *f, attcert_error *err) {
  return attcert_layer_vjp(&f->dx, &f->input.layer, &f->input.x, &f->y, err);
}

static attcert_status jacobian(fixture *f, attcert_error *err) {
  return attcert_layer_jacobian(&f->jacobian, &f->input.layer, &f->input.x, err);
}

static call *const calls[] = {forward, jvp, vjp, jacobian};

static void assert_refused(call *c, fixture *f, attcert_status status, const char *expected) {
  attcert_error err = {0};
  assert_int_equal(c(f, &err), status);
  assert_int_equal(err.status, status);
  if (strstr(err.message, expected) == NULL) fail_msg("'%s' does not say '%s'", err.message, expected);
}

/* One side more or less than expected, of each matrix of each function. */
static void test_other_shapes(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  for (size_t i = 0; i < 4; i++) assert_int_equal(calls[i](&f, NULL), ATTCERT_OK);
  f.y.cols = 3;
  assert_refused(forward, &f, ATTCERT_INPUT, "y is 3 x 3, expected 3 x 2");
  assert_refused(jvp, &f, ATTCERT_INPUT, "dy is 3 x 3, expected 3 x 2");
  assert_refused(vjp, &f, ATTCERT_INPUT, "dy is 3 x 3, expected 3 x 2");
  f.y.cols = 2;
  f.dx.rows = 2;
  assert_refused(jvp, &f, ATTCERT_INPUT, "dx is 2 x 4, expected 3 x 4");
  assert_refused(vjp, &f, ATTCERT_INPUT, "dx is 2 x 4, expected 3 x 4");
  f.dx.rows = 3;
  f.jacobian.rows = 5;
  assert_refused(jacobian, &f, ATTCERT_INPUT, "the Jacobian is 5 x 12, expected 6 x 12");
  f.jacobian.rows = 6;
  f.input.x.cols = 3;
  for (size_t i = 0; i < 4; i++) assert_refused(calls[i], &f, ATTCERT_INPUT, "tokens of dimension 3");
  f.input.x.cols = 4;
  fixture_clear(&f);
}

static void test_not_finite(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  f.dx.data[5] = NAN;
  assert_refused(jvp, &f, ATTCERT_INPUT, "dx: entry [1, 1] is nan, expected a finite number");
  f.y.data[5] = INFINITY;
  assert_refused(vjp, &f, ATTCERT_INPUT, "dy: entry [2, 1] is inf, expected a finite number");
  f.input.x.data[11] = -INFINITY;
  for (size_t i = 0; i < 4; i++) assert_refused(calls[i], &f, ATTCERT_INPUT, "input: entry [2, 3] is -inf");
  fixture_clear(&f);
}

/* What went wrong leaves the result alone. */
static void test_result_is_kept(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  const double before = f.y.data[0];
  f.dx.data[0] = NAN;
  assert_refused(jvp, &f, ATTCERT_INPUT, "dx");
  assert_true(f.y.data[0] == before);
  fixture_clear(&f);
}

/* An address sanitizer ends a program that asks for this much, unless it is told otherwise. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}

/* H = n = 2^15 on scalars: the heads' weights P are 2^45 doubles, more than an address space holds. */
static void test_out_of_memory(void **state) {
  (void)state;
  static const layer_shape large = {
      .n = ATTCERT_SIDE_MAX, .dim = 1, .heads = ATTCERT_SIDE_MAX, .head_dim = 1, .out_dim = 1};
  random_source r = random_source_make(33, 0, 0);
  fixture f;
  layer_case_init_gaussian(&f.input, &large, &r);
  f.y = gaussian_new(large.n, 1, 0);
  f.dx = gaussian_new(large.n, 1, 1);
  f.jacobian = (attcert_matrix){large.n, large.n, f.y.data}; /* borrowed: refused before it is written */
  for (size_t i = 1; i < 4; i++)
    assert_refused(calls[i], &f, ATTCERT_RESOURCE, "32768 heads on 32768 tokens needs 281509336449024 bytes");
  f.jacobian.data = NULL;
  fixture_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_forward),    cmocka_unit_test(test_derivatives),    cmocka_unit_test(test_other_shapes),
      cmocka_unit_test(test_not_finite), cmocka_unit_test(test_result_is_kept), cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
