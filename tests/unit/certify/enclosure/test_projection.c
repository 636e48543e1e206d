/* project: out[h][i][r] contains sum_c weight[h k + r, c] x_i[c] + bias[h k + r], tightly, on any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "certify/enclosure/projection.h"
#include "interval/interval_query.h"
#include "interval_relation.h"
#include "random_source.h"

typedef struct {
  projection_shape shape;
  double *weight, *bias, *tokens;
} setting;

static double *new_integers(size_t count, int limit, random_source *r) {
  double *a = malloc(count * sizeof *a);
  assert_non_null(a);
  random_fill_integers(a, count, -limit, limit, r);
  return a;
}

static void setting_init(setting *s, int n, int dim, int heads, int head_dim, int limit) {
  random_source r = random_source_make(7, (uint64_t)dim, (uint64_t)n);
  s->shape = (projection_shape){n, dim, heads, head_dim, 64, 1};
  s->weight = new_integers((size_t)(heads * head_dim * dim), limit, &r);
  s->bias = new_integers((size_t)(heads * head_dim), limit, &r);
  s->tokens = new_integers((size_t)(n * dim), limit, &r);
}

static void setting_clear(setting *s) {
  free(s->weight);
  free(s->bias);
  free(s->tokens);
}

static interval *projected(const setting *s, bool biased) {
  const projection_shape *const p = &s->shape;
  const size_t outputs = (size_t)(p->n * p->heads * p->head_dim);
  interval *const out = interval_vec_new(outputs, p->precision);
  assert_non_null(out);
  for (size_t i = 0; i < outputs; i++) mpfr_set_nan(out[i].lo); /* written without being read */
  assert_int_equal(projection_enclosure(out, s->weight, biased ? s->bias : NULL, s->tokens, p, NULL), ATTCERT_OK);
  return out;
}

/* Small integers: the result is a point. */
static void check_integers(setting *s, bool biased) {
  const projection_shape *const p = &s->shape;
  interval *const out = projected(s, biased), *y = out;
  for (int h = 0; h < p->heads; h++)
    for (int i = 0; i < p->n; i++)
      for (int r = 0; r < p->head_dim; r++, y++) {
        const int row = h * p->head_dim + r;
        double sum = biased ? s->bias[row] : 0;
        for (int c = 0; c < p->dim; c++) sum += s->weight[row * p->dim + c] * s->tokens[i * p->dim + c];
        assert_true(mpfr_cmp_d(y->lo, sum) == 0 && mpfr_cmp_d(y->hi, sum) == 0);
      }
  interval_vec_free(out);
}

static void test_integers(void **state) {
  (void)state;
  static const int shapes[][4] = {{1, 1, 1, 1}, {3, 4, 2, 3}, {5, 2, 3, 1}, {2, 7, 1, 5}};
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    setting s;
    setting_init(&s, shapes[i][0], shapes[i][1], shapes[i][2], shapes[i][3], 9);
    check_integers(&s, false);
    check_integers(&s, true);
    setting_clear(&s);
  }
}

/* 2^80 + 1 + 2^-80 takes more than 64 bits: the ends are a few units apart around it. */
static void test_outward(void **state) {
  (void)state;
  setting s;
  setting_init(&s, 1, 3, 1, 1, 1);
  const double row[] = {0x1p40, 1, 0x1p-40};
  for (int c = 0; c < 3; c++) s.weight[c] = s.tokens[c] = row[c];
  interval *const y = projected(&s, false);
  assert_true(mpfr_cmp_d(y->lo, 0x1p80) == 0);
  assert_true(mpfr_cmp_d(y->hi, 0x1p80) > 0 && mpfr_cmp_d(y->hi, 0x1p80 + 0x1p28) <= 0);
  interval_vec_free(y);
  setting_clear(&s);
}

static void test_threads_do_not_matter(void **state) {
  (void)state;
  setting s;
  setting_init(&s, 6, 5, 3, 4, 1000);
  interval *const one = projected(&s, true);
  s.shape.threads = 5;
  interval *const five = projected(&s, true);
  for (int i = 0; i < 6 * 3 * 4; i++) assert_true(interval_relation_same_ends(&one[i], &five[i]));
  interval_vec_free(one);
  interval_vec_free(five);
  setting_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_integers),
      cmocka_unit_test(test_outward),
      cmocka_unit_test(test_threads_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
