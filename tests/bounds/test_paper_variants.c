/* Dropout: the Jacobian against differences of the map itself, and against attention's own where nothing is dropped; the drawing.
 * Slicing: which numbers end up in which head. */
#include "dropout_jacobian.h"
#include "enclosed_norm.h"
#include "sliced_layer.h"

#include "random_layer.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 6, TOKENS = 4, DIM = 3, HEAD_DIM = 2, INPUTS = TOKENS * DIM, OUTPUTS = TOKENS * HEAD_DIM };

typedef struct {
  layer_case drawn;
  layer_enclosure e;
  bool kept[TOKENS * TOKENS];
} dropout_case;

static void dropout_case_init(dropout_case *t, int index) {
  random_source r = random_source_make(61, 0, (uint64_t)index);
  const layer_shape shape = {
      TOKENS, DIM, 1, HEAD_DIM, 0, index % 3 != 0, index % 2 == 1 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
  layer_case_init_gaussian(&t->drawn, &shape, &r);
  assert_int_equal(layer_enclosure_init(&t->e, &t->drawn.layer, &t->drawn.x, 128, 1, NULL), ATTCERT_OK);
  for (int i = 0; i < TOKENS * TOKENS; i++) t->kept[i] = random_chance(&r, 0.6);
}

static void dropout_case_clear(dropout_case *t) {
  layer_enclosure_clear(&t->e);
  layer_case_clear(&t->drawn);
}

/* out (k) := W x + b. */
static void affine(double *out, const double *w, const double *b, const double *x) {
  for (int r = 0; r < HEAD_DIM; r++) {
    out[r] = b != NULL ? b[r] : 0.0;
    for (int c = 0; c < DIM; c++) out[r] += w[r * DIM + c] * x[c];
  }
}

/* One row of softmax attention whose weights pass through dropout, straight from the definition. */
static void dropped_row(double *y, const dropout_case *t, const double *x, int i) {
  const attcert_layer *const l = &t->drawn.layer;
  const int attended = l->mask == ATTCERT_MASK_CAUSAL ? i + 1 : TOKENS;
  double q[HEAD_DIM], k[HEAD_DIM], v[HEAD_DIM], sum = 0.0;
  memset(y, 0, HEAD_DIM * sizeof(double));
  affine(q, l->query_weight, l->query_bias, x + i * DIM);
  for (int j = 0; j < attended; j++) {
    affine(k, l->key_weight, l->key_bias, x + j * DIM);
    affine(v, l->value_weight, l->value_bias, x + j * DIM);
    const double weight = exp((q[0] * k[0] + q[1] * k[1]) / sqrt(2.0));
    sum += weight;
    for (int r = 0; r < HEAD_DIM; r++) y[r] += t->kept[i * TOKENS + j] ? weight / 0.9 * v[r] : 0.0;
  }
  for (int r = 0; r < HEAD_DIM; r++) y[r] /= sum;
}

static void forward(double *y, const dropout_case *t, const double *x) {
  for (int i = 0; i < TOKENS; i++) dropped_row(y + i * HEAD_DIM, t, x, i);
}

/* Five-point differences, whose error is of the order of h^4. */
static void derivative_of_the_map(void **state) {
  (void)state;
  static const double h = 1e-3, weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
  for (int index = 0; index < CASES; index++) {
    dropout_case t;
    jacobian_midpoint j;
    double x[INPUTS], y[OUTPUTS];
    dropout_case_init(&t, index);
    memcpy(x, t.drawn.x.data, sizeof x);
    assert_int_equal(dropout_jacobian(&j, &t.drawn.layer, &t.e, t.kept, NULL), ATTCERT_OK);
    assert_true(mpfr_get_d(j.radius, MPFR_RNDU) < 1e-14);
    for (int col = 0; col < INPUTS; col++) {
      double sum[OUTPUTS] = {0};
      for (int p = 0; p < 4; p++) {
        x[col] = t.drawn.x.data[col] + at[p] * h;
        forward(y, &t, x);
        for (int row = 0; row < OUTPUTS; row++) sum[row] += weight[p] / h * y[row];
      }
      x[col] = t.drawn.x.data[col];
      for (int row = 0; row < OUTPUTS; row++)
        assert_true(fabs(j.mid[row * INPUTS + col] - sum[row]) <= 1e-6 * (1.0 + fabs(sum[row])));
    }
    jacobian_midpoint_clear(&j);
    dropout_case_clear(&t);
  }
}

/* Nothing dropped: 10/9 of attention's own Jacobian. Everything dropped: 0. */
static void nothing_and_everything(void **state) {
  (void)state;
  enclosed_norm own, dropped;
  enclosed_norm_init(&own);
  enclosed_norm_init(&dropped);
  for (int index = 0; index < CASES; index++) {
    dropout_case t;
    jacobian_midpoint j;
    dropout_case_init(&t, index);
    assert_int_equal(enclosed_norm_certify(&own, &t.drawn.layer, &t.drawn.x, NULL), ATTCERT_OK);
    for (int all = 0; all < 2; all++) {
      for (int i = 0; i < TOKENS * TOKENS; i++) t.kept[i] = all == 1;
      assert_int_equal(dropout_jacobian(&j, &t.drawn.layer, &t.e, t.kept, NULL), ATTCERT_OK);
      assert_int_equal(enclosed_norm_of_jacobian(&dropped, &j, NULL), ATTCERT_OK);
      const double low = mpfr_get_d(dropped.lower, MPFR_RNDD), high = mpfr_get_d(dropped.upper, MPFR_RNDU);
      if (all == 0) {
        assert_true(low == 0.0 && high == 0.0);
      } else {
        assert_true(0.9 * low <= mpfr_get_d(own.upper, MPFR_RNDU) * (1 + 1e-15));
        assert_true(0.9 * high >= mpfr_get_d(own.lower, MPFR_RNDD) * (1 - 1e-15));
        assert_true(high <= low * (1 + 1e-9));
      }
      jacobian_midpoint_clear(&j);
    }
    dropout_case_clear(&t);
  }
  enclosed_norm_clear(&dropped);
  enclosed_norm_clear(&own);
}

/* About a tenth of the weights, the same ones for the same seed. */
static void drawing(void **state) {
  (void)state;
  enum { N = 100, WEIGHTS = N * N };
  static bool kept[WEIGHTS], again[WEIGHTS], other[WEIGHTS];
  int dropped = 0;
  dropout_draw(kept, N, 7);
  dropout_draw(again, N, 7);
  dropout_draw(other, N, 8);
  for (int i = 0; i < WEIGHTS; i++) dropped += !kept[i];
  assert_in_range(dropped, 850, 1150); /* five standard deviations */
  assert_memory_equal(kept, again, sizeof kept);
  assert_memory_not_equal(kept, other, sizeof kept);
}

static void sliced_weights(void **state) {
  (void)state;
  const layer_shape shape = {1, 4, 2, 2, 4, true, ATTCERT_MASK_CAUSAL};
  random_source r = random_source_make(62, 0, 0);
  layer_case c;
  attcert_layer sliced, back;
  layer_case_init_gaussian(&c, &shape, &r);
  assert_int_equal(sliced_layer_init(&sliced, &c.layer, NULL), ATTCERT_OK);
  const struct {
    const double *sliced, *own;
  } weight[] = {{sliced.query_weight, c.layer.query_weight},
                {sliced.key_weight, c.layer.key_weight},
                {sliced.value_weight, c.layer.value_weight}};
  for (int w = 0; w < 3; w++) {
    for (int row = 0; row < 4; row++) {
      for (int col = 0; col < 4; col++) assert_true(weight[w].sliced[row * 4 + col] == weight[w].own[col * 4 + row]);
    }
  }
  assert_int_equal(sliced.mask, ATTCERT_MASK_CAUSAL);
  assert_memory_equal(sliced.query_bias, c.layer.query_bias, 4 * sizeof(double));
  assert_memory_equal(sliced.value_bias, c.layer.value_bias, 4 * sizeof(double));
  assert_memory_equal(sliced.output_weight, c.layer.output_weight, 16 * sizeof(double));
  assert_int_equal(sliced_layer_init(&back, &sliced, NULL), ATTCERT_OK);
  assert_memory_equal(back.key_weight, c.layer.key_weight, 16 * sizeof(double));
  attcert_layer_clear(&back);
  attcert_layer_clear(&sliced);
  layer_case_clear(&c);
}

static void weights_that_are_not_square(void **state) {
  (void)state;
  const layer_shape shape = {1, 5, 2, 2, 0, false, ATTCERT_MASK_NONE};
  random_source r = random_source_make(63, 0, 0);
  layer_case c;
  attcert_layer sliced;
  attcert_error err;
  layer_case_init_gaussian(&c, &shape, &r);
  assert_int_equal(sliced_layer_init(&sliced, &c.layer, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "expected a square map"));
  layer_case_clear(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivative_of_the_map), cmocka_unit_test(nothing_and_everything),      cmocka_unit_test(drawing),
      cmocka_unit_test(sliced_weights),        cmocka_unit_test(weights_that_are_not_square),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
