/* The basis of a deflation: orthonormal, with its images, whatever its size, and rich in the top of the spectrum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cblas.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "certify/engine/krylov_basis.h"
#include "certify_case.h"
#include "linalg/operator/lanczos.h"

enum { VECTORS = 32 };

typedef struct {
  certify_case c;
  structured_jacobian jacobian;
  krylov_basis s;
  int length; /* N */
} setting;

static void setting_init(setting *t, int index, int capacity) {
  const layer_shape shape = {.n = 12,
                             .dim = 8,
                             .heads = 2,
                             .head_dim = 5,
                             .out_dim = 8,
                             .mask = index % 2 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
  certify_case_init_shape(&t->c, &shape, index);
  assert_int_equal(structured_jacobian_init(&t->jacobian, &t->c.m, VECTORS, NULL), ATTCERT_OK);
  assert_int_equal(krylov_basis_init(&t->s, &t->jacobian, capacity, NULL), ATTCERT_OK);
  t->length = t->c.m.n * t->c.m.out_dim;
}

static void setting_clear(setting *t) {
  krylov_basis_clear(&t->s);
  structured_jacobian_clear(&t->jacobian);
  certify_case_clear(&t->c);
}

static const double *row(const double *rows, const setting *t, int i) {
  return rows + (size_t)i * (size_t)t->length;
}

static void assert_basis(const setting *t, double sigma) {
  const linear_operator op = structured_jacobian_operator(&t->jacobian);
  double *const image = malloc((size_t)op.cols * sizeof(double)), *const y = malloc((size_t)t->length * sizeof(double));
  assert_true(image != NULL && y != NULL);
  for (int i = 0; i < t->s.size; i++) {
    for (int j = 0; j <= i; j++) {
      const double product = cblas_ddot(t->length, row(t->s.q, t, i), 1, row(t->s.q, t, j), 1);
      assert_true(fabs(product - (i == j)) < 1e-13);
    }
    op.apply(op.context, image, row(t->s.q, t, i), true);
    op.apply(op.context, y, image, false);
    cblas_daxpy(t->length, -1.0, row(t->s.y, t, i), 1, y, 1);
    assert_true(cblas_dnrm2(t->length, y, 1) < 1e-13 * sigma * sigma);
  }
  free(image);
  free(y);
}

/* The largest eigenvalue of Q^T G Q, by the power iteration. */
static double ritz_value(const setting *t) {
  const int s = t->s.size;
  double *const b = malloc((size_t)s * (size_t)s * sizeof(double)), *const v = malloc((size_t)s * sizeof(double)),
                *const w = malloc((size_t)s * sizeof(double)), value = 0.0;
  assert_true(b != NULL && v != NULL && w != NULL);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, s, s, t->length, 1.0, t->s.q, t->length, t->s.y, t->length, 0.0,
              b, s);
  for (int i = 0; i < s; i++) v[i] = 1.0 / sqrt(s);
  for (int step = 0; step < 2000; step++) {
    cblas_dgemv(CblasRowMajor, CblasNoTrans, s, s, 1.0, b, s, v, 1, 0.0, w, 1);
    value = cblas_dnrm2(s, w, 1);
    for (int i = 0; i < s; i++) v[i] = w[i] / value;
  }
  free(b);
  free(v);
  free(w);
  return value;
}

static void test_basis(void **state) {
  (void)state;
  for (int index = 0; index < 4; index++) {
    setting t;
    setting_init(&t, index, 96);
    double sigma, *const top = malloc((size_t)t.c.m.n * (size_t)t.c.m.dim * sizeof(double));
    const linear_operator op = structured_jacobian_operator(&t.jacobian);
    assert_non_null(top);
    assert_int_equal(lanczos_top(top, &sigma, &op, NULL, NULL), ATTCERT_OK);
    attcert_options options;
    attcert_options_default(&options);
    assert_int_equal(krylov_basis_extend(&t.s, 50, &options, NULL), ATTCERT_OK); /* the last block is no whole one */
    assert_int_equal(t.s.size, 50);
    assert_basis(&t, sigma);
    assert_true(fabs(ritz_value(&t) - sigma * sigma) < 1e-5 * sigma * sigma);
    for (size_t i = 0; i < 50 * (size_t)t.length; i++) t.s.y[i] = NAN;
    t.s.overwritten = true;
    assert_int_equal(krylov_basis_extend(&t.s, 96, &options, NULL), ATTCERT_OK); /* all of the space */
    assert_int_equal(t.s.size, 96);
    assert_basis(&t, sigma);
    assert_true(fabs(ritz_value(&t) - sigma * sigma) < 1e-12 * sigma * sigma);
    free(top);
    setting_clear(&t);
  }
}

/* A start that is the whole space, and one that is a single vector. */
static void test_extremes(void **state) {
  (void)state;
  static const int sizes[] = {1, 96};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    setting t;
    setting_init(&t, 0, sizes[i]);
    attcert_options options;
    attcert_options_default(&options);
    assert_int_equal(krylov_basis_extend(&t.s, sizes[i], &options, NULL), ATTCERT_OK);
    assert_basis(&t, 10.0);
    setting_clear(&t);
  }
}

/* J~ J~^T of rank 12, 1 and 0: its powers lead nowhere after a block, and the basis is orthonormal all the same. */
static void test_exhausted(void **state) {
  (void)state;
  for (int index = 0; index < 3; index++) {
    setting t;
    setting_init(&t, 0, 96);
    factored_jacobian *const m = &t.c.m;
    const size_t heads = (size_t)m->heads, n = (size_t)m->n, k = (size_t)m->head_dim,
                 values = heads * k * (size_t)m->dim;
    memset(m->w, 0, heads * n * k * n * sizeof(double));
    memset(m->covariance, 0, heads * n * k * k * sizeof(double));
    memset(m->v + 1, 0, (values - 1) * sizeof(double));
    if (index > 0) memset(m->p + n, 0, (n - 1) * n * sizeof(double));
    if (index > 1) m->v[0] = 0.0;
    attcert_options options;
    attcert_options_default(&options);
    assert_int_equal(krylov_basis_extend(&t.s, 96, &options, NULL), ATTCERT_OK);
    assert_basis(&t, 10.0);
    setting_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_basis),
      cmocka_unit_test(test_extremes),
      cmocka_unit_test(test_exhausted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
