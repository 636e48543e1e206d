/* The Jacobian against central differences of the forward pass, and its two products against it. */
#include "kernel_case.h"
#include "long_attention.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Central differences with step h are off by h^2 |f'''| / 6 and by one rounding of f over h: below 1e-9 of the largest entry
 * here in double as well as in long double. */
static const double step = 0x1p-15, difference_tolerance = 1e-7;

static const double product_tolerance = 1e-13; /* relative to sum |J| |u| */

static double largest(const double *a, size_t count) {
  double m = 0;
  for (size_t i = 0; i < count; i++) m = fmax(m, fabs(a[i]));
  return m;
}

typedef void check(const kernel_case *c, const double *jacobian, random_source *r);

static void for_every_case(check *check_case) {
  for (int index = 0; index < KERNEL_CASES; index++) {
    kernel_case c;
    kernel_case_init(&c, index);
    random_source r = random_source_make(4, 0, (uint64_t)index);
    double *jacobian = kernel_case_jacobian(&c);
    check_case(&c, jacobian, &r);
    free(jacobian);
    kernel_case_clear(&c);
  }
}

/* ---- finite differences ------------------------------------------------------------------------------------------- */

static void check_differences(const kernel_case *c, const double *jacobian, random_source *r) {
  (void)r;
  const size_t rows = (size_t)(c->n * c->out_dim), cols = (size_t)(c->n * c->dim);
  const double allowed = difference_tolerance * (1 + largest(jacobian, rows * cols));
  for (size_t col = 0; col < cols; col++) {
    double *entry = &c->input.x.data[col], x = *entry;
    *entry = x + step;
    double *above = kernel_case_forward(c);
    const double up = *entry;
    *entry = x - step;
    double *below = kernel_case_forward(c);
    const double width = up - *entry;
    *entry = x;
    for (size_t row = 0; row < rows; row++)
      assert_true(fabs((above[row] - below[row]) / width - jacobian[row * cols + col]) <= allowed);
    free(above);
    free(below);
  }
}

static void test_differences_of_forward(void **state) {
  (void)state;
  for_every_case(check_differences);
}

static void check_long_differences(const kernel_case *c, const double *jacobian, random_source *r) {
  (void)r;
  const size_t rows = (size_t)(c->n * c->out_dim), cols = (size_t)(c->n * c->dim);
  const double allowed = difference_tolerance * (1 + largest(jacobian, rows * cols));
  long double x[5 * 7], above[5 * 18], below[5 * 18];
  for (size_t e = 0; e < cols; e++) x[e] = c->input.x.data[e];
  for (size_t col = 0; col < cols; col++) {
    const long double middle = x[col];
    x[col] = middle + step;
    long_attention(above, &c->input.layer, x, c->n);
    x[col] = middle - step;
    long_attention(below, &c->input.layer, x, c->n);
    x[col] = middle;
    for (size_t row = 0; row < rows; row++)
      assert_true(fabsl((above[row] - below[row]) / (2 * step) - jacobian[row * cols + col]) <= allowed);
  }
}

/* The same against the independent forward pass: the kernel's two parts cannot be wrong together. */
static void test_differences_of_definition(void **state) {
  (void)state;
  for_every_case(check_long_differences);
}

/* ---- products ----------------------------------------------------------------------------------------------------- */

static double *random_vector(size_t count, random_source *r) {
  double *a = new_doubles(count);
  random_fill_gaussian(a, count, 1, r);
  return a;
}

static void check_jvp(const kernel_case *c, const double *jacobian, random_source *r) {
  const size_t rows = (size_t)(c->n * c->out_dim), cols = (size_t)(c->n * c->dim);
  double *u = random_vector(cols, r), *image = kernel_case_jvp(c, u);
  for (size_t row = 0; row < rows; row++) {
    double sum = 0, size = 1;
    for (size_t col = 0; col < cols; col++) {
      sum += jacobian[row * cols + col] * u[col];
      size += fabs(jacobian[row * cols + col] * u[col]);
    }
    assert_true(fabs(image[row] - sum) <= product_tolerance * size);
  }
  free(image);
  free(u);
}

static void test_jvp_is_the_matrix(void **state) {
  (void)state;
  for_every_case(check_jvp);
}

static void check_vjp(const kernel_case *c, const double *jacobian, random_source *r) {
  const size_t rows = (size_t)(c->n * c->out_dim), cols = (size_t)(c->n * c->dim);
  double *v = random_vector(rows, r), *image = kernel_case_vjp(c, v);
  for (size_t col = 0; col < cols; col++) {
    double sum = 0, size = 1;
    for (size_t row = 0; row < rows; row++) {
      sum += jacobian[row * cols + col] * v[row];
      size += fabs(jacobian[row * cols + col] * v[row]);
    }
    assert_true(fabs(image[col] - sum) <= product_tolerance * size);
  }
  free(image);
  free(v);
}

static void test_vjp_is_the_transposed_matrix(void **state) {
  (void)state;
  for_every_case(check_vjp);
}

/* <J u, v> = <u, J^T v> on layers larger than the matrix tests use. */
static void test_adjoint(void **state) {
  (void)state;
  for (int index = 0; index < 8; index++) {
    const layer_shape shape = {.n = 17,
                               .dim = 24,
                               .heads = 1 + index % 3,
                               .head_dim = 8,
                               .out_dim = index % 2 ? 20 : 0,
                               .biases = index / 2 % 2,
                               .mask = index / 4 % 2 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
    kernel_case c;
    kernel_case_init_shape(&c, &shape, index);
    random_source r = random_source_make(5, 0, (uint64_t)index);
    const size_t rows = (size_t)(c.n * c.out_dim), cols = (size_t)(c.n * c.dim);
    double *u = random_vector(cols, &r), *v = random_vector(rows, &r);
    double *ju = kernel_case_jvp(&c, u), *jtv = kernel_case_vjp(&c, v);
    double left = 0, right = 0, size = 0;
    for (size_t e = 0; e < rows; e++) left += ju[e] * v[e], size += fabs(ju[e] * v[e]);
    for (size_t e = 0; e < cols; e++) right += jtv[e] * u[e];
    assert_true(fabs(left - right) <= product_tolerance * size);
    free(jtv);
    free(ju);
    free(v);
    free(u);
    kernel_case_clear(&c);
  }
}

/* ---- structure ---------------------------------------------------------------------------------------------------- */

static void check_mask(const kernel_case *c, const double *jacobian, random_source *r) {
  (void)r;
  if (c->input.layer.mask != ATTCERT_MASK_CAUSAL) return;
  for (int row = 0; row < c->n * c->out_dim; row++)
    for (int col = (row / c->out_dim + 1) * c->dim; col < c->n * c->dim; col++)
      assert_true(jacobian[row * c->n * c->dim + col] == 0);
}

static void test_masked_blocks_vanish(void **state) {
  (void)state;
  for_every_case(check_mask);
}

/* With Q = 0 and no bias attention is the mean over N(i), so J_il = V / |N(i)|. */
static void test_without_queries_the_blocks_are_means(void **state) {
  (void)state;
  for (int masked = 0; masked < 2; masked++) {
    const layer_shape shape = {
        .n = 4, .dim = 3, .heads = 1, .head_dim = 2, .mask = masked ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
    kernel_case c;
    kernel_case_init_shape(&c, &shape, 1);
    attcert_layer *layer = &c.input.layer;
    for (int e = 0; e < 2 * 3; e++) layer->query_weight[e] = 0;
    attention_state_init(&c.state, layer, c.input.x.data, 4, c.state.storage);
    double *jacobian = kernel_case_jacobian(&c);
    for (int row = 0; row < 4 * 2; row++) {
      const int attended = masked ? row / 2 + 1 : 4;
      for (int col = 0; col < 4 * 3; col++) {
        const double expected = col / 3 < attended ? layer->value_weight[row % 2 * 3 + col % 3] / attended : 0;
        assert_true(fabs(jacobian[row * 12 + col] - expected) <= product_tolerance);
      }
    }
    free(jacobian);
    kernel_case_clear(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_differences_of_forward),
      cmocka_unit_test(test_differences_of_definition),
      cmocka_unit_test(test_jvp_is_the_matrix),
      cmocka_unit_test(test_vjp_is_the_transposed_matrix),
      cmocka_unit_test(test_adjoint),
      cmocka_unit_test(test_masked_blocks_vanish),
      cmocka_unit_test(test_without_queries_the_blocks_are_means),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
