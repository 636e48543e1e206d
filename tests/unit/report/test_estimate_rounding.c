/* The model of a format's roundings against estimates in float and in double of random layers, whose scores are small
 * and large: none is further off. */
#include "report/estimate_rounding.h"

#include "random_layer.h"
#include "report/estimate_check.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DEFAULT_CASES = 60, MOST_TOKENS = 24, MOST_WIDTH = 64 };

/* ---- an estimate as a program in float makes it ------------------------------------------------------------------ */

typedef struct {
  float q[MOST_TOKENS][MOST_WIDTH], k[MOST_TOKENS][MOST_WIDTH], v[MOST_TOKENS][MOST_WIDTH];
} projections;

static float project_one(const attcert_matrix *x, int i, const double *w, int r) {
  float sum = 0.0F;
  for (int c = 0; c < x->cols; c++) sum += (float)w[r * x->cols + c] * (float)x->data[i * x->cols + c];
  return sum;
}

static void project(projections *p, const attcert_layer *l, const attcert_matrix *x) {
  for (int i = 0; i < x->rows; i++) {
    for (int r = 0; r < l->heads * l->head_dim; r++) {
      p->q[i][r] = project_one(x, i, l->query_weight, r);
      p->k[i][r] = project_one(x, i, l->key_weight, r);
      p->v[i][r] = project_one(x, i, l->value_weight, r);
    }
  }
}

/* y_i of one head := J u's part, from a row of weights and of their derivatives. */
static void attend(float *y, const attcert_layer *l, const projections *at, const projections *du, int i, int n,
                   int h) {
  const int k = l->head_dim, from = h * k;
  float weight[MOST_TOKENS], change[MOST_TOKENS], largest = -INFINITY, total = 0.0F, mean = 0.0F;
  for (int j = 0; j < n; j++) {
    float score = 0.0F, slope = 0.0F;
    for (int c = from; c < from + k; c++) {
      score += at->q[i][c] * at->k[j][c];
      slope += du->q[i][c] * at->k[j][c] + at->q[i][c] * du->k[j][c];
    }
    weight[j] = score / sqrtf((float)k);
    change[j] = slope / sqrtf((float)k);
    largest = fmaxf(largest, weight[j]);
  }
  for (int j = 0; j < n; j++) total += weight[j] = expf(weight[j] - largest);
  for (int j = 0; j < n; j++) mean += (weight[j] /= total) * change[j];
  for (int c = 0; c < k; c++) {
    y[from + c] = 0.0F;
    for (int j = 0; j < n; j++)
      y[from + c] += weight[j] * (change[j] - mean) * at->v[j][from + c] + weight[j] * du->v[j][from + c];
  }
}

/* ||J u|| / ||u|| of a layer without mask, biases and output projection. */
static double estimate_in_float(const attcert_layer *l, const attcert_matrix *x, const attcert_matrix *u) {
  static projections at, du;
  float image = 0.0F, length = 0.0F;
  project(&at, l, x);
  project(&du, l, u);
  for (int i = 0; i < x->rows; i++) {
    float y[MOST_WIDTH];
    for (int h = 0; h < l->heads; h++) attend(y, l, &at, &du, i, x->rows, h);
    for (int c = 0; c < l->heads * l->head_dim; c++) image += y[c] * y[c];
    for (int c = 0; c < x->cols; c++) length += (float)u->data[i * x->cols + c] * (float)u->data[i * x->cols + c];
  }
  return (double)(sqrtf(image) / sqrtf(length));
}

static double estimate_in_double(const attcert_layer *l, const attcert_matrix *x, const attcert_matrix *u) {
  attcert_matrix y;
  double image = 0.0, length = 0.0;
  assert_int_equal(attcert_matrix_init(&y, x->rows, l->out_dim, NULL), ATTCERT_OK);
  assert_int_equal(attcert_layer_jvp(&y, l, x, u, NULL), ATTCERT_OK);
  for (int i = 0; i < y.rows * y.cols; i++) image += y.data[i] * y.data[i];
  for (int i = 0; i < u->rows * u->cols; i++) length += u->data[i] * u->data[i];
  attcert_matrix_clear(&y);
  return sqrt(image) / sqrt(length);
}

/* |estimate - truth| / truth, the truth an enclosure's lower end, which is at most 1e-30 off. */
static double off_by(double estimate, mpfr_srcptr truth) {
  mpfr_t gap;
  mpfr_init2(gap, 200);
  mpfr_d_sub(gap, estimate, truth, MPFR_RNDN);
  mpfr_div(gap, gap, truth, MPFR_RNDN);
  const double off = fabs(mpfr_get_d(gap, MPFR_RNDN));
  mpfr_clear(gap);
  return off;
}

static void no_estimate_is_further_off(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", DEFAULT_CASES);
  attcert_options options;
  mpfr_t lo, hi;
  mpfr_inits2(200, lo, hi, (mpfr_ptr)0);
  attcert_options_default(&options);
  options.precision = 300;
  for (uint64_t index = 0; index < cases; index++) {
    random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 50, index);
    const int n = random_integer(&r, 2, MOST_TOKENS), k = random_integer(&r, 1, 16), heads = random_integer(&r, 1, 4);
    const double scale = random_magnitude(&r, -2, 1);
    attcert_layer l;
    attcert_matrix x, u;
    double rounding[FLOAT_FORMATS];
    const int d = random_integer(&r, 1, 32);
    assert_int_equal(attcert_layer_init(&l, d, heads, k, 0, false, NULL), ATTCERT_OK);
    assert_int_equal(attcert_matrix_init(&x, n, d, NULL), ATTCERT_OK);
    assert_int_equal(attcert_matrix_init(&u, n, d, NULL), ATTCERT_OK);
    random_fill_gaussian(l.query_weight, (size_t)(heads * k * d), scale, &r);
    random_fill_gaussian(l.key_weight, (size_t)(heads * k * d), scale, &r);
    random_fill_gaussian(l.value_weight, (size_t)(heads * k * d), 1.0, &r);
    random_fill_gaussian(x.data, (size_t)(n * d), 1.0, &r);
    random_fill_gaussian(u.data, (size_t)(n * d), 1.0, &r);
    assert_int_equal(estimate_rounding(rounding, &l, &x, NULL), ATTCERT_OK);
    assert_int_equal(attcert_direction(lo, hi, &l, &x, &u, &options, NULL), ATTCERT_OK);
    const double in_float = off_by(estimate_in_float(&l, &x, &u), lo);
    const double in_double = off_by(estimate_in_double(&l, &x, &u), lo);
    if (in_float > rounding[1]) fail_msg("case %d: float is off by %g, model %g", (int)index, in_float, rounding[1]);
    if (in_double > rounding[0]) fail_msg("case %d: double is off by %g, model %g", (int)index, in_double, rounding[0]);
    for (int i = 1; i < FLOAT_FORMATS; i++) assert_true(rounding[i - 1] < rounding[i] || rounding[i] == 1.0);
    if (scale < 0.5) assert_true(rounding[1] < 1e-4);
    attcert_layer_clear(&l);
    attcert_matrix_clear(&x);
    attcert_matrix_clear(&u);
  }
  mpfr_clears(lo, hi, (mpfr_ptr)0);
}

/* Two tokens, one coordinate: q = k = x, so that the largest score is 9, under a causal mask 4 and 9. */
static void the_formula(void **state) {
  (void)state;
  double weights[] = {1.0}, tokens[] = {2.0, -3.0}, rounding[FLOAT_FORMATS];
  const attcert_matrix x = {2, 1, tokens};
  const attcert_layer l = {.dim = 1,
                           .heads = 1,
                           .head_dim = 1,
                           .out_dim = 1,
                           .query_weight = weights,
                           .key_weight = weights,
                           .value_weight = weights};
  assert_int_equal(estimate_rounding(rounding, &l, &x, NULL), ATTCERT_OK);
  assert_true(fabs(rounding[0] / (10.0 * sqrt(5.0 + 8.0) * 0x1p-53) - 1.0) < 1e-12);
  assert_true(fabs(rounding[1] / (10.0 * sqrt(5.0 + 8.0) * 0x1p-24) - 1.0) < 1e-12);
  assert_true(fabs(rounding[3] / (10.0 * sqrt(8.0) * 0x1p-8) - 1.0) < 1e-6);
  weights[0] = 1e200;
  assert_int_equal(estimate_rounding(rounding, &l, &x, NULL), ATTCERT_OK);
  assert_true(rounding[0] == 1.0);
  tokens[0] = 0.0; /* attends to itself alone */
  tokens[1] = 1e-200;
  const attcert_layer causal = {.dim = 1,
                                .heads = 1,
                                .head_dim = 1,
                                .out_dim = 1,
                                .mask = ATTCERT_MASK_CAUSAL,
                                .query_weight = weights,
                                .key_weight = weights,
                                .value_weight = weights};
  assert_int_equal(estimate_rounding(rounding, &causal, &x, NULL), ATTCERT_OK);
  assert_true(fabs(rounding[0] / (2.0 * sqrt(13.0) * 0x1p-53) - 1.0) < 1e-12);
  assert_null(float_format_named("int8"));
  assert_null(float_format_named(NULL));
  assert_ptr_equal(float_format_named("float16"), &float_formats[2]);
}

static void the_finest_explains(void **state) {
  (void)state;
  static const double rounding[FLOAT_FORMATS] = {1e-14, 1e-6, 1e-3, 1e-2};
  static const struct {
    const char *text, *format; /* NULL: none */
  } cases[] = {{"1", NULL},
               {"1.000000000000005", "float64"},
               {"0.999999999999995", "float64"},
               {"1.0000001", "float32"},
               {"0.9999", "float16"},
               {"0.995", "bfloat16"},
               {"0.98", NULL},
               {"1.02", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    estimate_check check;
    mpfr_t one;
    mpfr_init_set_ui(one, 1, MPFR_RNDN);
    estimate_check_init(&check);
    assert_int_equal(estimate_check_read(&check, cases[i].text, NULL), ATTCERT_OK);
    estimate_check_judge(&check, one, one, 0.0);
    assert_null(check.explains);
    estimate_check_explain(&check, rounding);
    assert_true((check.explains == NULL) == (cases[i].format == NULL));
    if (check.explains != NULL) assert_string_equal(check.explains->name, cases[i].format);
    assert_int_equal(check.consistent, i == 0);
    estimate_check_clear(&check);
    mpfr_clear(one);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_estimate_is_further_off),
      cmocka_unit_test(the_formula),
      cmocka_unit_test(the_finest_explains),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
