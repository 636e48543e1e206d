/* score_gradients: contains K^T q / sqrt(k) for queries drawn from their intervals, and is narrow, whatever the sizes
 * of channels and tokens. Oracle: rational numbers, with k a square. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "certify/enclosure/score_gradients.h"
#include "interval/interval_vec.h"
#include "random_source.h"

enum { N = 4, ROOT = 3, K = ROOT * ROOT, D = 5, HEADS = 2, HEAD = 1 };

typedef struct {
  double weight[HEADS * K * D], q[HEADS * N * K];
  double width; /* of the intervals around q, relative */
  mpfr_prec_t precision;
  layer_enclosure e;
} setting;

static attcert_layer layer_of(setting *s) {
  return (attcert_layer){.dim = D, .heads = HEADS, .head_dim = K, .key_weight = s->weight};
}

static void setting_init(setting *s) {
  s->e = (layer_enclosure){.n = N,
                           .dim = D,
                           .heads = HEADS,
                           .head_dim = K,
                           .precision = s->precision,
                           .q = interval_vec_new(HEADS * N * K, s->precision)};
  assert_non_null(s->e.q);
  for (size_t at = 0; at < HEADS * N * K; at++) {
    mpfr_set_d(s->e.q[at].lo, s->q[at] - fabs(s->q[at]) * s->width, MPFR_RNDD);
    mpfr_set_d(s->e.q[at].hi, s->q[at] + fabs(s->q[at]) * s->width, MPFR_RNDU);
  }
}

/* g = K^T q / 3 for a point of the intervals: their ends where bit r of `ends` says so. size: the same with absolute
 * values. */
static void exact_gradient(mpq_t g, mpq_t size, const setting *s, int i, int c, unsigned ends) {
  mpq_t term, weight;
  mpq_inits(term, weight, (mpq_ptr)0);
  mpq_set_ui(g, 0, 1);
  mpq_set_ui(size, 0, 1);
  for (int r = 0; r < K; r++) {
    const interval *const q = &s->e.q[(HEAD * N + i) * K + r];
    mpfr_get_q(term, ends >> r & 1U ? q->hi : q->lo);
    mpq_set_d(weight, s->weight[(HEAD * K + r) * D + c]);
    mpq_mul(term, term, weight);
    mpq_add(g, g, term);
    mpq_abs(term, term);
    mpq_add(size, size, term);
  }
  mpq_set_ui(weight, 1, ROOT);
  mpq_mul(g, g, weight);
  mpq_mul(size, size, weight);
  mpq_clears(term, weight, (mpq_ptr)0);
}

/* hi - lo <= size (width + 2^(8 - precision)) */
static void assert_narrow(const interval *g, const mpq_t size, const setting *s, double width) {
  mpfr_t actual, allowed;
  mpfr_inits2(64, actual, allowed, (mpfr_ptr)0);
  mpfr_sub(actual, g->hi, g->lo, MPFR_RNDU);
  mpfr_set_q(allowed, size, MPFR_RNDD);
  mpfr_mul_d(allowed, allowed, width + ldexp(1.0, 8 - (int)s->precision), MPFR_RNDD);
  assert_true(mpfr_lessequal_p(actual, allowed));
  mpfr_clears(actual, allowed, (mpfr_ptr)0);
}

/* width: that of the result may be so much of the sum of the terms' sizes. */
static void check(setting *s, int threads, double width) {
  static const unsigned ends[] = {0U, 0x1ffU, 0x155U, 0x0aaU};
  setting_init(s);
  const attcert_layer layer = layer_of(s);
  interval *const g = interval_vec_new(N * D, s->precision);
  mpq_t exact, size;
  mpq_inits(exact, size, (mpq_ptr)0);
  assert_non_null(g);
  assert_int_equal(score_gradients(g, &layer, &s->e, HEAD, threads, NULL), ATTCERT_OK);
  for (int i = 0; i < N; i++)
    for (int c = 0; c < D; c++)
      for (size_t t = 0; t < sizeof ends / sizeof ends[0]; t++) {
        const interval *const x = &g[i * D + c];
        exact_gradient(exact, size, s, i, c, ends[t]);
        assert_true(mpfr_cmp_q(x->lo, exact) <= 0 && mpfr_cmp_q(x->hi, exact) >= 0);
        assert_narrow(x, size, s, width);
      }
  mpq_clears(exact, size, (mpq_ptr)0);
  interval_vec_free(g);
  interval_vec_free(s->e.q);
}

static void test_queries_of_one_size(void **state) {
  (void)state;
  static const mpfr_prec_t precisions[] = {53, 64, 128, 300};
  for (uint64_t f = 0; f < 40; f++) {
    random_source r = random_source_make(73, f, 0);
    setting s = {.precision = precisions[f % 4], .width = f % 2 == 0 ? 0.0 : 0x1p-40};
    random_fill_gaussian(s.weight, HEADS * K * D, 1.0, &r);
    random_fill_gaussian(s.q, HEADS * N * K, 1.0, &r);
    for (int at = 0; at < HEADS * N * K; at++) s.q[at] += s.q[at] > 0.0 ? 1.0 : -1.0;
    /* the widest channel's radius is that of all */
    check(&s, 1 + (int)(f % 3), s.width == 0.0 ? 0.0 : 16.0 * s.width);
  }
}

/* Channels and tokens of their own sizes, from 2^-300 to 2^300 each, and the weights the other way round: every term
 * counts. */
static void test_sizes_of_their_own(void **state) {
  (void)state;
  for (uint64_t f = 0; f < 40; f++) {
    random_source r = random_source_make(74, f, 0);
    setting s = {.precision = 128, .width = f % 2 == 0 ? 0.0 : 0x1p-40};
    int channel[K];
    for (int c = 0; c < K; c++) channel[c] = random_integer(&r, -300, 300);
    for (int at = 0; at < HEADS * K * D; at++)
      s.weight[at] = ldexp(random_uniform(&r, -2.0, 2.0), -channel[at / D % K]);
    for (int row = 0; row < HEADS * N; row++) {
      const int token = random_integer(&r, -300, 300);
      for (int c = 0; c < K; c++) s.q[row * K + c] = ldexp(random_uniform(&r, 1.0, 2.0), channel[c] + token);
    }
    check(&s, 1, 32.0 * s.width);
  }
}

/* Entries smaller than the largest of token and channel by more bits than there are: rounded, which the radius pays
 * for. */
static void test_rounded_entries(void **state) {
  (void)state;
  for (uint64_t f = 0; f < 40; f++) {
    random_source r = random_source_make(76, f, 0);
    setting s = {.precision = 53};
    random_fill_gaussian(s.weight, HEADS * K * D, 1.0, &r);
    for (int at = 0; at < HEADS * N * K; at++) s.q[at] = random_magnitude(&r, -300, 300);
    for (int at = 0; at < HEADS * K * D; at++)
      if (at / D % K != (int)(f % K)) s.weight[at] = 0.0; /* where nothing larger hides it */
    check(&s, 1, INFINITY);
  }
}

static void test_zeros(void **state) {
  (void)state;
  random_source r = random_source_make(75, 0, 0);
  setting s = {.precision = 64};
  check(&s, 1, 0.0);
  random_fill_gaussian(s.weight, HEADS * K * D, 1.0, &r);
  check(&s, 1, 0.0);
  for (int i = 0; i < N; i++) s.q[(HEAD * N + i) * K] = 0x1p-1074; /* one channel alone */
  check(&s, 1, 0.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_queries_of_one_size),
      cmocka_unit_test(test_sizes_of_their_own),
      cmocka_unit_test(test_rounded_entries),
      cmocka_unit_test(test_zeros),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
