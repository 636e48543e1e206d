/* Vector and matrix products on small integers, where double arithmetic is exact. */
#include "kernel/linear/matrix.h"
#include "kernel/linear/vector.h"
#include "random_source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MAX = 6, CASES = 200 };

/* Sides and integer operands of one case. */
typedef struct {
  int n, rows, cols;
  double m[MAX * MAX], x[MAX * MAX], a[MAX], b[MAX], out[MAX * MAX], before[MAX * MAX];
} operands;

static operands draw(int index) {
  operands o;
  random_source r = random_source_make(2, 0, (uint64_t)index);
  o.n = random_integer(&r, 0, MAX);
  o.rows = random_integer(&r, 0, MAX);
  o.cols = random_integer(&r, 0, MAX);
  double *const arrays[] = {o.m, o.x, o.out, o.a, o.b};
  for (int i = 0; i < 5; i++) random_fill_integers(arrays[i], i < 3 ? MAX * MAX : MAX, -9, 9, &r);
  memcpy(o.before, o.out, sizeof o.out);
  return o;
}

/* Nothing past the first `count` entries was written. */
static void assert_rest_untouched(const operands *o, int count) {
  for (int i = count; i < MAX * MAX; i++) assert_true(o->out[i] == o->before[i]);
}

static void test_vectors(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    operands o = draw(index);
    double sum = 0, dot = 0;
    for (int t = 0; t < o.n; t++) {
      sum += o.a[t];
      dot += o.a[t] * o.b[t];
    }
    assert_true(vector_sum(o.a, o.n) == sum);
    assert_true(vector_dot(o.a, o.b, o.n) == dot);
    vector_add_scaled(o.out, 3, o.a, o.n);
    for (int t = 0; t < o.n; t++) assert_true(o.out[t] == o.before[t] + 3 * o.a[t]);
    vector_copy(o.out, o.b, o.n);
    assert_memory_equal(o.out, o.b, (size_t)o.n * sizeof(double));
    vector_zero(o.out, o.n);
    for (int t = 0; t < o.n; t++) assert_true(o.out[t] == 0);
    assert_rest_untouched(&o, o.n);
  }
}

static void test_max(void **state) {
  (void)state;
  const double a[] = {-3, -1, -2, -1, -7};
  for (int n = 1; n <= 5; n++) assert_true(vector_max(a, n) == (n == 1 ? -3 : -1));
}

static void test_affine(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    operands o = draw(index);
    const double *bias = index % 2 ? o.b : NULL;
    affine_rows(o.out, o.m, bias, o.x, o.n, o.rows, o.cols);
    for (int i = 0; i < o.n; i++) {
      for (int r = 0; r < o.rows; r++) {
        double expected = bias ? bias[r] : 0;
        for (int c = 0; c < o.cols; c++) expected += o.m[r * o.cols + c] * o.x[i * o.cols + c];
        assert_true(o.out[i * o.rows + r] == expected);
      }
    }
    assert_rest_untouched(&o, o.n * o.rows);
  }
}

static void test_vector_matrix(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    operands o = draw(index);
    double added[MAX * MAX];
    memcpy(added, o.before, sizeof added);
    vector_matrix(o.out, o.a, o.m, o.rows, o.cols);
    vector_matrix_add(added, o.a, o.m, o.rows, o.cols);
    for (int j = 0; j < o.cols; j++) {
      double expected = 0;
      for (int t = 0; t < o.rows; t++) expected += o.a[t] * o.m[t * o.cols + j];
      assert_true(o.out[j] == expected);
      assert_true(added[j] == o.before[j] + expected);
    }
    assert_rest_untouched(&o, o.cols);
  }
}

static void test_rank_one(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    operands o = draw(index);
    rank_one_add(o.out, o.a, o.b, o.rows, o.cols);
    for (int i = 0; i < o.rows; i++)
      for (int j = 0; j < o.cols; j++) assert_true(o.out[i * o.cols + j] == o.before[i * o.cols + j] + o.a[i] * o.b[j]);
    assert_rest_untouched(&o, o.rows * o.cols);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_vectors),       cmocka_unit_test(test_max),      cmocka_unit_test(test_affine),
      cmocka_unit_test(test_vector_matrix), cmocka_unit_test(test_rank_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
