/* LayerNorm in intervals against the kernel in double; Jacobians of attention composed with LayerNorm against
 * differences of the composed map itself; and where the models keep their LayerNorms. */
#include "certify/explicit/explicit_jacobian_init.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_query.h"
#include "interval/interval_set.h"
#include "interval_attention.h"
#include "jacobian_norm.h"
#include "kernel/layernorm/layernorm.h"
#include "model_site.h"

#include "random_layer.h"
#include "test_data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 6, PRECISION = 128, DIM = 6 };

/* A random layer from R^DIM to R^DIM at a random input, and a random LayerNorm. */
typedef struct {
  layer_case drawn;
  layernorm ln;
  interval *x; /* the input, exactly */
} composed_case;

static void composed_case_init(composed_case *t, int index) {
  random_source r = random_source_make(51, 0, (uint64_t)index);
  const layer_shape shape = {
      1 + index, DIM, 1 + index % 2, 3, DIM, index % 3 != 0, index % 2 == 1 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
  layer_case_init_gaussian(&t->drawn, &shape, &r);
  assert_int_equal(layernorm_init(&t->ln, DIM, 1e-3, NULL), ATTCERT_OK);
  random_fill_gaussian(t->ln.gamma, DIM, 1.0, &r);
  random_fill_gaussian(t->ln.beta, DIM, 0.5, &r);
  const size_t count = (size_t)shape.n * DIM;
  t->x = interval_vec_new(count, PRECISION);
  assert_non_null(t->x);
  for (size_t i = 0; i < count; i++) interval_set_d(&t->x[i], t->drawn.x.data[i]);
}

static void composed_case_clear(composed_case *t) {
  interval_vec_free(t->x);
  layernorm_clear(&t->ln);
  layer_case_clear(&t->drawn);
}

static void expect_near(const interval *a, double expected, double tolerance) {
  const double mid = interval_get_d_lower(a);
  if (!(fabs(mid - expected) <= tolerance * (1.0 + fabs(expected)))) fail_msg("%.17g, expected %.17g", mid, expected);
  assert_true(interval_get_d_upper(a) - mid <= 1e-15 * (1.0 + fabs(expected)));
}

static void values_agree(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    composed_case t;
    layernorm_enclosure e;
    composed_case_init(&t, index);
    const int n = t.drawn.x.rows;
    double out[CASES * DIM];
    layernorm_rows(out, t.drawn.x.data, n, DIM, t.ln.gamma, t.ln.beta, t.ln.epsilon);
    assert_int_equal(layernorm_enclosure_init(&e, &t.ln, t.x, n, PRECISION, NULL), ATTCERT_OK);
    for (int i = 0; i < n * DIM; i++) expect_near(&e.out[i], out[i], 1e-13);
    layernorm_enclosure_clear(&e);
    composed_case_clear(&t);
  }
}

static void products_agree(void **state) {
  (void)state;
  interval_scratch ws;
  interval_scratch_init(&ws, PRECISION);
  interval *const v = interval_vec_new(DIM, PRECISION);
  for (int index = 0; index < CASES; index++) {
    composed_case t;
    layernorm_enclosure e;
    composed_case_init(&t, index);
    random_source r = random_source_make(52, 0, (uint64_t)index);
    const int last = t.drawn.x.rows - 1;
    double z[DIM], direction[DIM], product[DIM];
    const double s = layernorm_standardize(z, t.drawn.x.data + last * DIM, t.ln.epsilon, DIM);
    assert_int_equal(layernorm_enclosure_init(&e, &t.ln, t.x, t.drawn.x.rows, PRECISION, NULL), ATTCERT_OK);
    for (int transpose = 0; transpose < 2; transpose++) {
      random_fill_gaussian(direction, DIM, 1.0, &r);
      for (int a = 0; a < DIM; a++) interval_set_d(&v[a], direction[a]);
      layernorm_enclosure_apply(v, &e, last, transpose == 1, &ws);
      (transpose == 1 ? layernorm_vjp : layernorm_jvp)(product, t.ln.gamma, z, s, direction, DIM);
      for (int a = 0; a < DIM; a++) expect_near(&v[a], product[a], 1e-12);
    }
    layernorm_enclosure_clear(&e);
    composed_case_clear(&t);
  }
  interval_vec_free(v);
  interval_scratch_clear(&ws);
}

/* The radius holds every output, and is reached: gamma largest along z = sqrt(d) (1, -1, 0, ..., 0) / sqrt(2), beta
 * along gamma z. */
static void radius_holds_and_is_near(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    composed_case t;
    composed_case_init(&t, index);
    double x[DIM], out[DIM];
    random_source r = random_source_make(53, 0, (uint64_t)index);
    for (int trial = 0; trial < 200; trial++) {
      random_fill_gaussian(x, DIM, 10.0, &r);
      layernorm_rows(out, x, 1, DIM, t.ln.gamma, t.ln.beta, t.ln.epsilon);
      double square = 0.0;
      for (int a = 0; a < DIM; a++) square += out[a] * out[a];
      assert_true(sqrt(square) <= layernorm_radius(&t.ln));
    }
    composed_case_clear(&t);
  }
  double gamma[DIM] = {3.0, 3.0, 0.5, 0.5, 0.5, 0.5}, beta[DIM] = {2.0, -2.0}, x[DIM] = {1e6, -1e6}, out[DIM];
  const layernorm ln = {DIM, gamma, beta, 1e-3};
  layernorm_rows(out, x, 1, DIM, gamma, beta, ln.epsilon);
  const double length = sqrt(2.0) * out[0];
  assert_true(length <= layernorm_radius(&ln) && length >= layernorm_radius(&ln) * (1 - 1e-9));
}

/* ---- compositions ------------------------------------------------------------------------------------------------ */

/* y := f(LN(x)), or LN(x + f(x)). */
typedef void composed_map(double *y, const composed_case *t, const double *x);

static void forward(double *y, const composed_case *t, double *x) {
  attcert_matrix in = {t->drawn.x.rows, DIM, x}, out = {t->drawn.x.rows, DIM, y};
  assert_int_equal(attcert_layer_forward(&out, &t->drawn.layer, &in, NULL), ATTCERT_OK);
}

static void after(double *y, const composed_case *t, const double *x) {
  double normed[CASES * DIM];
  layernorm_rows(normed, x, t->drawn.x.rows, DIM, t->ln.gamma, t->ln.beta, t->ln.epsilon);
  forward(y, t, normed);
}

static void before(double *y, const composed_case *t, const double *x) {
  double copy[CASES * DIM];
  const int n = t->drawn.x.rows;
  memcpy(copy, x, (size_t)(n * DIM) * sizeof(double));
  forward(y, t, copy);
  for (int i = 0; i < n * DIM; i++) y[i] += x[i];
  layernorm_rows(y, y, n, DIM, t->ln.gamma, t->ln.beta, t->ln.epsilon);
}

/* Every column, by the five-point formula, whose error is of the order of h^4. */
static void expect_derivative(const jacobian_midpoint *j, const composed_case *t, composed_map *map) {
  static const double h = 1e-3, weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
  double x[CASES * DIM], y[CASES * DIM], sum[CASES * DIM];
  const int count = t->drawn.x.rows * DIM;
  memcpy(x, t->drawn.x.data, (size_t)count * sizeof(double));
  for (int col = 0; col < count; col++) {
    memset(sum, 0, sizeof sum);
    for (int p = 0; p < 4; p++) {
      x[col] = t->drawn.x.data[col] + at[p] * h;
      map(y, t, x);
      for (int row = 0; row < count; row++) sum[row] += weight[p] / h * y[row];
    }
    x[col] = t->drawn.x.data[col];
    for (int row = 0; row < count; row++) {
      const double entry = j->mid[row * count + col];
      if (!(fabs(entry - sum[row]) <= 1e-4 * (1.0 + fabs(sum[row]))))
        fail_msg("entry (%d, %d): %.17g, differences say %.17g", row, col, entry, sum[row]);
    }
  }
}

static void expect_sharp_norm(const jacobian_midpoint *j) {
  mpfr_t lo, hi;
  mpfr_inits2(53, lo, hi, (mpfr_ptr)0);
  assert_int_equal(jacobian_midpoint_norm(lo, hi, j, NULL), ATTCERT_OK);
  assert_true(mpfr_lessequal_p(lo, hi) != 0 && mpfr_get_d(hi, MPFR_RNDU) <= mpfr_get_d(lo, MPFR_RNDD) * (1 + 1e-10));
  mpfr_clears(lo, hi, (mpfr_ptr)0);
}

/* x := x + f(x) in intervals. */
static void add_output(interval *x, const composed_case *t, const layer_enclosure *e) {
  const size_t count = (size_t)e->n * DIM;
  interval *const out = interval_vec_new(count, PRECISION);
  assert_non_null(out);
  assert_int_equal(interval_attention_output(out, &t->drawn.layer, e, NULL), ATTCERT_OK);
  for (size_t i = 0; i < count; i++) interval_add(&x[i], &x[i], &out[i]);
  interval_vec_free(out);
}

static void attention_after_layernorm(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    composed_case t;
    layernorm_enclosure ln;
    layer_enclosure e;
    jacobian_midpoint j;
    composed_case_init(&t, index);
    const attcert_layer *const layer = &t.drawn.layer;
    const int n = t.drawn.x.rows;
    assert_int_equal(layernorm_enclosure_init(&ln, &t.ln, t.x, n, PRECISION, NULL), ATTCERT_OK);
    assert_int_equal(interval_attention_init(&e, layer, ln.out, n, PRECISION, NULL), ATTCERT_OK);
    assert_int_equal(jacobian_after_layernorm(&j, layer, &e, &ln, NULL), ATTCERT_OK);
    expect_derivative(&j, &t, after);
    expect_sharp_norm(&j);
    jacobian_midpoint_clear(&j);
    layer_enclosure_clear(&e);
    layernorm_enclosure_clear(&ln);
    composed_case_clear(&t);
  }
}

static void attention_before_layernorm(void **state) {
  (void)state;
  for (int index = 0; index < CASES; index++) {
    composed_case t;
    layernorm_enclosure ln;
    layer_enclosure e;
    jacobian_midpoint j;
    composed_case_init(&t, index);
    const attcert_layer *const layer = &t.drawn.layer;
    const int n = t.drawn.x.rows;
    assert_int_equal(interval_attention_init(&e, layer, t.x, n, PRECISION, NULL), ATTCERT_OK);
    add_output(t.x, &t, &e);
    assert_int_equal(layernorm_enclosure_init(&ln, &t.ln, t.x, n, PRECISION, NULL), ATTCERT_OK);
    assert_int_equal(jacobian_before_layernorm(&j, layer, &e, &ln, NULL), ATTCERT_OK);
    expect_derivative(&j, &t, before);
    expect_sharp_norm(&j);
    jacobian_midpoint_clear(&j);
    layer_enclosure_clear(&e);
    layernorm_enclosure_clear(&ln);
    composed_case_clear(&t);
  }
}

/* A layer known to few bits: what is not known of its Jacobian, times ||D LN||, is in the radius. */
static void radius_of_the_layer_counts(void **state) {
  (void)state;
  enum { FEW_BITS = 30 };
  typedef attcert_status composition(jacobian_midpoint * j, const attcert_layer *layer, const layer_enclosure *e,
                                     const layernorm_enclosure *ln, attcert_error *err);
  composition *const compositions[] = {jacobian_after_layernorm, jacobian_before_layernorm};
  composed_case t;
  layernorm_enclosure ln;
  layer_enclosure e;
  explicit_jacobian inner;
  jacobian_midpoint j;
  mpfr_t expected;
  mpfr_init2(expected, 53);
  composed_case_init(&t, 3);
  const attcert_layer *const layer = &t.drawn.layer;
  const int n = t.drawn.x.rows;
  assert_int_equal(layernorm_enclosure_init(&ln, &t.ln, t.x, n, PRECISION, NULL), ATTCERT_OK);
  assert_int_equal(interval_attention_init(&e, layer, t.x, n, FEW_BITS, NULL), ATTCERT_OK);
  assert_int_equal(explicit_jacobian_init(&inner, layer, &e, 1, NULL), ATTCERT_OK);
  layernorm_enclosure_norm(expected, &ln);
  mpfr_mul(expected, expected, inner.radius, MPFR_RNDD);
  assert_true(mpfr_get_d(expected, MPFR_RNDN) > 1e-9);
  for (int c = 0; c < 2; c++) {
    assert_int_equal(compositions[c](&j, layer, &e, &ln, NULL), ATTCERT_OK);
    assert_true(mpfr_greaterequal_p(j.radius, expected) != 0);
    jacobian_midpoint_clear(&j);
  }
  explicit_jacobian_clear(&inner);
  layer_enclosure_clear(&e);
  layernorm_enclosure_clear(&ln);
  composed_case_clear(&t);
  mpfr_clear(expected);
}

/* Entries that are intervals: the radius covers what the doubles leave out. */
static void radii_are_counted(void **state) {
  (void)state;
  jacobian_midpoint j;
  mpfr_t sum, more;
  interval_scratch ws;
  interval *const v = interval_vec_new(2, PRECISION);
  mpfr_inits2(64, sum, more, (mpfr_ptr)0);
  interval_scratch_init(&ws, PRECISION);
  assert_int_equal(jacobian_midpoint_init(&j, 2, 1, NULL), ATTCERT_OK);
  mpfr_set_zero(sum, 1);
  mpfr_set_d(more, 0.25, MPFR_RNDU);
  for (int a = 0; a < 2; a++) {
    mpfr_set_d(v[a].lo, a == 0 ? 1.0 : -2.0, MPFR_RNDD);
    mpfr_set_d(v[a].hi, a == 0 ? 7.0 : 6.0, MPFR_RNDU);
  }
  jacobian_midpoint_put_column(&j, sum, 0, 0, v, 2, &ws);
  jacobian_midpoint_finish(&j, sum, more);
  assert_true(j.mid[0] == 4.0 && j.mid[1] == 2.0);
  const double radius = mpfr_get_d(j.radius, MPFR_RNDU);
  assert_true(radius >= 5.25 && radius <= 5.25 * (1 + 1e-12)); /* sqrt(3^2 + 4^2) + 1/4 */
  jacobian_midpoint_clear(&j);
  interval_scratch_clear(&ws);
  mpfr_clears(sum, more, (mpfr_ptr)0);
  interval_vec_free(v);
}

/* The largest of the tokens, below the closed formula; equal to it for one gamma and a token of zeros, where D LN =
 * gamma / s times a projection. */
static void norm_of_layernorm(void **state) {
  (void)state;
  mpfr_t lo, hi, formula;
  mpfr_inits2(53, lo, hi, formula, (mpfr_ptr)0);
  for (int index = 0; index < CASES; index++) {
    composed_case t;
    layernorm_enclosure e;
    composed_case_init(&t, index);
    if (index == 0) {
      for (size_t a = 0; a < DIM; a++) {
        t.ln.gamma[a] = 2.0;
        interval_set_zero(&t.x[a]);
      }
    }
    assert_int_equal(layernorm_enclosure_init(&e, &t.ln, t.x, t.drawn.x.rows, PRECISION, NULL), ATTCERT_OK);
    layernorm_enclosure_norm(formula, &e);
    assert_int_equal(layernorm_jacobian_norm(lo, hi, &e, NULL), ATTCERT_OK);
    assert_true(mpfr_lessequal_p(lo, hi) != 0 && mpfr_lessequal_p(lo, formula) != 0 && mpfr_sgn(lo) > 0);
    const double expected = 2.0 / sqrt(1e-3);
    if (index == 0) assert_true(fabs(mpfr_get_d(lo, MPFR_RNDD) - expected) <= 1e-12 * expected);
    layernorm_enclosure_clear(&e);
    composed_case_clear(&t);
  }
  mpfr_clears(lo, hi, formula, (mpfr_ptr)0);
}

/* ---- models ------------------------------------------------------------------------------------------------------ */

/* The LayerNorm found, applied to the hidden state found, is the input of the attention. */
static void expect_layernorm_before(const char *spec, int layer, const char *source, int offset) {
  model_site s;
  layernorm ln;
  attcert_matrix h;
  assert_int_equal(model_site_open(&s, spec, layer, source, offset, 5, NULL), ATTCERT_OK);
  assert_int_equal(model_site_layernorm_before(&ln, &h, &s, NULL), ATTCERT_OK);
  const size_t bytes = (size_t)(h.rows * h.cols) * sizeof(double);
  assert_int_equal(h.rows, 5);
  assert_memory_not_equal(h.data, s.x.data, bytes);
  layernorm_rows(h.data, h.data, h.rows, h.cols, ln.gamma, ln.beta, ln.epsilon);
  assert_memory_equal(h.data, s.x.data, bytes);
  attcert_matrix_clear(&h);
  layernorm_clear(&ln);
  model_site_close(&s);
}

static void layernorm_before_attention(void **state) {
  (void)state;
  for (int layer = 0; layer < 3; layer++) {
    if (layer > 0) expect_layernorm_before("random:bert:8,2,3", layer, "src/cli/demo.txt", 3);
    expect_layernorm_before("random:gpt2:8,2,3", layer, "src/cli/demo.txt", 3);
  }
}

/* Trained LayerNorms differ from each other. */
static void layernorm_of_trained_models(void **state) {
  (void)state;
  char spec[512], source[512];
  test_data_path(spec, "models/bert-tiny-sst2");
  expect_layernorm_before(spec, 1, test_data_path(source, "models/bert-tiny-sst2/input_1.npy"), 0);
  test_data_path(spec, "models/mini-gpt");
  test_data_path(source, "text/carroll-alice.txt");
  for (int layer = 0; layer < 4; layer++) expect_layernorm_before(spec, layer, source, 1000);
}

static void places_without_layernorm(void **state) {
  (void)state;
  model_site s;
  layernorm ln;
  attcert_matrix h;
  attcert_error err;
  assert_int_equal(model_site_open(&s, "random:bert:8,2,3", 0, "src/cli/demo.txt", 0, 2, &err), ATTCERT_OK);
  assert_int_equal(model_site_layernorm_before(&ln, &h, &s, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "expected layer 1"));
  attcert_matrix_clear(&h);
  assert_int_equal(model_site_layernorm_after(&ln, &s, &err), ATTCERT_OK);
  layernorm_clear(&ln);
  model_site_close(&s);
  assert_int_equal(model_site_open(&s, "random:gpt2:8,2,3", 0, "src/cli/demo.txt", 0, 2, &err), ATTCERT_OK);
  assert_int_equal(model_site_layernorm_after(&ln, &s, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "expected a BERT"));
  model_site_close(&s);
  assert_int_equal(model_site_open(&s, "random:gpt2:8,2,3", 0, "src/cli/demo.txt", 0, 100000, &err), ATTCERT_INPUT);
  model_site_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_agree),
      cmocka_unit_test(products_agree),
      cmocka_unit_test(radius_holds_and_is_near),
      cmocka_unit_test(attention_after_layernorm),
      cmocka_unit_test(attention_before_layernorm),
      cmocka_unit_test(radius_of_the_layer_counts),
      cmocka_unit_test(radii_are_counted),
      cmocka_unit_test(norm_of_layernorm),
      cmocka_unit_test(layernorm_before_attention),
      cmocka_unit_test(layernorm_of_trained_models),
      cmocka_unit_test(places_without_layernorm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
