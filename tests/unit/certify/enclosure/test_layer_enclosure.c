/* The layer in intervals where its values are rational and known: uniform and one-hot attention, means of the values, both masks.
 * (Random layers against Arb: tests/oracle.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "certify/enclosure/layer_enclosure.h"
#include "certify/enclosure/projection.h"
#include "interval/interval_query.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"
#include "random_layer.h"

enum { PRECISION = 128 };

static const attcert_mask MASKS[] = {ATTCERT_MASK_NONE, ATTCERT_MASK_CAUSAL};

/* Two heads of dimension 2 on four tokens of small integers, with biases. */
static void integer_case(layer_case *c, attcert_mask mask) {
  const layer_shape shape = {.n = 4, .dim = 3, .heads = 2, .head_dim = 2, .biases = true, .mask = mask};
  random_source r = random_source_make(8, 0, (uint64_t)mask);
  layer_case_init_zero(c, &shape);
  double *const arrays[] = {c->layer.key_weight, c->layer.value_weight, c->x.data};
  for (int i = 0; i < 3; i++) random_fill_integers(arrays[i], 12, -9, 9, &r);
  random_fill_integers(c->layer.key_bias, 4, -9, 9, &r);
  random_fill_integers(c->layer.value_bias, 4, 1, 9, &r);
}

static void evaluate(layer_enclosure *e, const layer_case *c) {
  assert_int_equal(layer_enclosure_init(e, &c->layer, &c->x, PRECISION, 1, NULL), ATTCERT_OK);
}

/* x contains numerator / denominator and is narrow. */
static void assert_fraction(const interval *x, double numerator, int denominator) {
  mpfr_t t;
  mpfr_init2(t, 2 * PRECISION);
  mpfr_mul_si(t, x->lo, denominator, MPFR_RNDN); /* exact */
  assert_true(mpfr_cmp_d(t, numerator) <= 0);
  mpfr_mul_si(t, x->hi, denominator, MPFR_RNDN);
  assert_true(mpfr_cmp_d(t, numerator) >= 0);
  mpfr_sub(t, x->hi, x->lo, MPFR_RNDU);
  assert_true(mpfr_cmp_d(t, ldexp(1 + fabs(numerator), 24 - PRECISION)) <= 0);
  mpfr_clear(t);
}

static double value_of(const layer_case *c, int h, int j, int r) {
  double sum = 0; /* without the bias, which cancels in the Jacobian */
  for (int d = 0; d < 3; d++) sum += c->layer.value_weight[(h * 2 + r) * 3 + d] * c->x.data[j * 3 + d];
  return sum;
}

/* With Q = 0 and no b_Q attention is the mean over N(i). */
static void check_means(attcert_mask mask) {
  layer_case c;
  layer_enclosure e;
  integer_case(&c, mask);
  evaluate(&e, &c);
  for (int h = 0; h < 2; h++)
    for (int i = 0; i < 4; i++) {
      const int attended = mask == ATTCERT_MASK_CAUSAL ? i + 1 : 4;
      assert_int_equal(attended_keys(e.mask, i, e.n), attended);
      const interval *const p = e.p + layer_enclosure_row(&e, h, i), *const y = e.y + layer_enclosure_vec(&e, h, i);
      for (int j = 0; j < attended; j++) assert_fraction(&p[j], 1, attended);
      for (int j = attended; j < 4; j++) assert_true(mpfr_zero_p(p[j].lo) && mpfr_zero_p(p[j].hi));
      for (int r = 0; r < 2; r++) {
        double sum = 0;
        for (int j = 0; j < attended; j++) sum += value_of(&c, h, j, r);
        assert_fraction(&y[r], sum, attended);
      }
    }
  layer_enclosure_clear(&e);
  layer_case_clear(&c);
}

static void test_uniform_attention(void **state) {
  (void)state;
  for (int m = 0; m < 2; m++) check_means(MASKS[m]);
}

/* Equal tokens: equal scores whatever Q and K are, so attention is uniform and y = v. */
static void test_equal_tokens(void **state) {
  (void)state;
  for (int m = 0; m < 2; m++) {
    layer_case c;
    layer_enclosure e;
    integer_case(&c, MASKS[m]);
    for (int i = 0; i < 12; i++) {
      c.layer.query_weight[i] = i - 5;
      c.x.data[i] = c.x.data[i % 3];
    }
    evaluate(&e, &c);
    for (int i = 0; i < 4; i++) {
      const int attended = attended_keys(e.mask, i, e.n);
      for (int j = 0; j < attended; j++) assert_fraction(&e.p[layer_enclosure_row(&e, 1, i) + (size_t)j], 1, attended);
      assert_fraction(&e.y[layer_enclosure_vec(&e, 1, i)], value_of(&c, 1, i, 0), 1);
    }
    layer_enclosure_clear(&e);
    layer_case_clear(&c);
  }
}

/* Scores of +-2^600: all weight on one token, no overflow, no NaN, and every end within [0, 1]. */
static void test_saturated_attention(void **state) {
  (void)state;
  for (int m = 0; m < 2; m++) {
    const layer_shape shape = {.n = 3, .dim = 1, .heads = 1, .head_dim = 1, .mask = MASKS[m]};
    layer_case c;
    layer_enclosure e;
    layer_case_init_zero(&c, &shape);
    c.layer.query_weight[0] = c.layer.key_weight[0] = 0x1p300;
    c.layer.value_weight[0] = 1;
    c.x.data[0] = 1, c.x.data[1] = 2, c.x.data[2] = -1;
    evaluate(&e, &c);
    for (int i = 0; i < 3; i++) {
      const interval *const p = e.p + layer_enclosure_row(&e, 0, i);
      const int attended = attended_keys(e.mask, i, e.n), top = c.x.data[i] < 0 ? 2 : attended > 1 ? 1 : 0;
      for (int j = 0; j < attended; j++) {
        assert_true(mpfr_sgn(p[j].lo) >= 0 && mpfr_cmp_ui(p[j].hi, 1) <= 0);
        assert_true(j == top ? mpfr_cmp_d(p[j].lo, 1 - 0x1p-50) > 0 : mpfr_cmp_d(p[j].hi, 0x1p-1000) < 0);
        assert_true(j == top || mpfr_sgn(p[j].hi) > 0); /* underflow is rounded outward */
      }
    }
    layer_enclosure_clear(&e);
    layer_case_clear(&c);
  }
}

/* v_j - y_i in [0, 0] where a token attends to itself alone, and an enclosure of it elsewhere. */
static void test_deviation(void **state) {
  (void)state;
  layer_case c;
  layer_enclosure e;
  interval deviation;
  interval_init(&deviation, PRECISION);
  integer_case(&c, ATTCERT_MASK_CAUSAL);
  evaluate(&e, &c);
  layer_enclosure_deviation(&deviation, &e, 0, 0, 0, 1);
  assert_true(mpfr_zero_p(deviation.lo) && mpfr_zero_p(deviation.hi));
  layer_enclosure_deviation(&deviation, &e, 1, 1, 0, 1);
  assert_fraction(&deviation, value_of(&c, 1, 0, 1) - value_of(&c, 1, 1, 1), 2); /* y_1 is the mean of v_0 and v_1 */
  layer_enclosure_clear(&e);
  layer_case_clear(&c);
  interval_clear(&deviation);
}

/* The plan's bytes: all five arrays at this precision, and the tokens. */
static void test_bytes(void **state) {
  (void)state;
  layer_case c;
  integer_case(&c, ATTCERT_MASK_NONE);
  for (mpfr_prec_t precision = 53; precision <= 4096; precision *= 3) {
    const uint64_t arrays = 4 * interval_vec_bytes(16, precision) + interval_vec_bytes(32, precision);
    assert_true(layer_enclosure_bytes(&c.layer, 4, precision) >= arrays + projection_bytes(4, c.layer.dim));
  }
  layer_case_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_uniform_attention),
      cmocka_unit_test(test_equal_tokens),
      cmocka_unit_test(test_saturated_attention),
      cmocka_unit_test(test_deviation),
      cmocka_unit_test(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
