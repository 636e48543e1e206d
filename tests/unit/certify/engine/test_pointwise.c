/* The pointwise bound against its own formula in plain double, where it is attained, and against the truth:
 *   B_h = sqrt( max_j sum_i P_ij alpha_i^2 ) + max_i beta_i,  ||W_O|| sqrt(sum_h B_h^2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "certify/engine/pointwise.h"
#include "certify_case.h"
#include "enclosure_verdict.h"

static void pointwise_of(mpfr_t upper, const certify_case *c) {
  attcert_options options;
  attcert_options_default(&options);
  options.threads = 2;
  assert_int_equal(pointwise_upper(upper, &c->input.layer, &c->e, &c->m, &options, NULL), ATTCERT_OK);
}

static double bound_of(const certify_case *c) {
  mpfr_t upper;
  mpfr_init2(upper, 64);
  pointwise_of(upper, c);
  const double bound = mpfr_get_d(upper, MPFR_RNDU);
  mpfr_clear(upper);
  return bound;
}

/* ---- the formula in double --------------------------------------------------------------------------------------- */

static double mid(const interval *x) {
  return (mpfr_get_d(x->lo, MPFR_RNDN) + mpfr_get_d(x->hi, MPFR_RNDN)) / 2;
}

/* || A ||_2^2 of a rows x cols matrix through the eigenvalues of A A^T. */
static double norm_squared(const double *a, int rows, int cols) {
  double *const gram = calloc((size_t)(rows * rows), sizeof *gram), *const value = calloc((size_t)rows, sizeof *value);
  assert_non_null(gram);
  assert_non_null(value);
  for (int i = 0; i < rows * rows; i++)
    for (int c = 0; c < cols; c++) gram[i] += a[i / rows * cols + c] * a[i % rows * cols + c];
  assert_int_equal(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', rows, gram, rows, value), 0);
  const double largest = value[rows - 1];
  free(gram);
  free(value);
  return largest;
}

/* g_i = K^T q_i / sqrt(k), or h_j = Q^T k_j / sqrt(k). */
static void pull_back(double *out, const certify_case *c, const double *weight, const interval *vector, int h) {
  const int k = c->m.head_dim, d = c->m.dim;
  for (int col = 0; col < d; col++) {
    out[col] = 0;
    for (int r = 0; r < k; r++) out[col] += weight[(h * k + r) * d + col] * mid(&vector[r]) / sqrt(k);
  }
}

enum { MAX_CHANNELS = 5, MAX_COLUMNS = 8 + 8, MAX_TOKENS = 5 };

/* alpha_i^2 and beta_i of one token; columns of [V, sqrt(P_ij) ||g_i|| (v_j - y_i)]. */
static void token_terms(double *alpha2, double *beta2, const certify_case *c, int h, int i) {
  const int n = c->m.n, k = c->m.head_dim, d = c->m.dim;
  const attcert_layer *const l = &c->input.layer;
  double a[MAX_CHANNELS * MAX_COLUMNS] = {0}, f[MAX_CHANNELS * MAX_COLUMNS] = {0}, g[MAX_COLUMNS], key[MAX_COLUMNS];
  pull_back(g, c, l->key_weight, c->e.q + layer_enclosure_vec(&c->e, h, i), h);
  double length = 0;
  for (int col = 0; col < d; col++) length += g[col] * g[col];
  for (int r = 0; r < k; r++)
    for (int col = 0; col < d; col++) a[r * (d + n) + col] = l->value_weight[(h * k + r) * d + col];
  for (int j = 0; j < n; j++) {
    const double p = mid(&c->e.p[layer_enclosure_row(&c->e, h, i) + (size_t)j]);
    pull_back(key, c, l->query_weight, c->e.k + layer_enclosure_vec(&c->e, h, j), h);
    for (int r = 0; r < k; r++) {
      const double v = mid(&c->e.v[layer_enclosure_vec(&c->e, h, j) + (size_t)r]);
      const double deviation = v - mid(&c->e.y[layer_enclosure_vec(&c->e, h, i) + (size_t)r]);
      a[r * (d + n) + d + j] = sqrt(p * length) * deviation;
      for (int col = 0; col < d; col++) f[r * d + col] += p * deviation * key[col];
    }
  }
  *alpha2 = norm_squared(a, k, d + n);
  *beta2 = norm_squared(f, k, d);
}

static double head_bound(const certify_case *c, int h) {
  const int n = c->m.n;
  double alpha2[MAX_TOKENS], beta2 = 0, largest = 0;
  for (int i = 0; i < n; i++) {
    double b;
    token_terms(&alpha2[i], &b, c, h, i);
    beta2 = fmax(beta2, b);
  }
  for (int j = 0; j < n; j++) {
    double column = 0;
    for (int i = 0; i < n; i++) column += mid(&c->e.p[layer_enclosure_row(&c->e, h, i) + (size_t)j]) * alpha2[i];
    largest = fmax(largest, column);
  }
  return sqrt(largest) + sqrt(fmax(beta2, 0));
}

/* W_O as it is; the library's own scaling of its columns only enters where channels differ by more than it allows. */
static double formula(const certify_case *c) {
  double squares = 0;
  for (int h = 0; h < c->m.heads; h++) squares += pow(head_bound(c, h), 2);
  const attcert_layer *const l = &c->input.layer;
  const double output = l->output_weight ? norm_squared(l->output_weight, l->out_dim, l->heads * l->head_dim) : 1;
  return sqrt(squares * output);
}

static void test_formula(void **state) {
  (void)state;
  for (int index = 0; index < CERTIFY_CASES; index++) {
    certify_case c;
    certify_case_init(&c, index);
    const double bound = bound_of(&c), expected = formula(&c);
    if (!(fabs(bound - expected) <= 1e-9 * expected)) fail_msg("case %d: %g, formula %g", index, bound, expected);
    certify_case_clear(&c);
  }
}

/* ---- the truth --------------------------------------------------------------------------------------------------- */

static void check_truth(const certify_case *c) {
  norm_oracle truth;
  arf_t value;
  mpfr_t upper;
  mpfr_init2(upper, 64);
  arf_init(value);
  truth_init(&truth, &c->input);
  pointwise_of(upper, c);
  arf_set_mpfr(value, upper);
  assert_true(mpfr_number_p(upper) && arf_cmp(value, truth.lower) >= 0);
  norm_oracle_clear(&truth);
  arf_clear(value);
  mpfr_clear(upper);
}

static void test_truth(void **state) {
  (void)state;
  for (int index = 0; index < ANY_CASES; index++) {
    certify_case c;
    any_case_init(&c, index);
    check_truth(&c);
    certify_case_clear(&c);
  }
}

/* ---- where rounding is all there is ------------------------------------------------------------------------------ */

/* One token, J = V: a row of 1 and many 2^-27, whose squares are lost when they are added to 1 one by one. */
static void test_vanishing_terms(void **state) {
  (void)state;
  const layer_shape shape = {.n = 1, .dim = 1200, .heads = 1, .head_dim = 1};
  certify_case c;
  layer_case_init_zero(&c.input, &shape);
  for (int i = 0; i < shape.dim; i++) c.input.layer.value_weight[i] = i == 0 ? 1 : 0x1p-27;
  certify_case_evaluate(&c, 128);
  check_truth(&c);
  certify_case_clear(&c);
}

/* Values 1 + 15 2^-56 and 1, which 53 bits do not tell apart, seen through g = 2^60: two equal rows, for which the
 * bound is attained, so that nothing but the radius of v - y keeps it above the truth. */
static void test_uncertain_values(void **state) {
  (void)state;
  const layer_shape shape = {.n = 2, .dim = 3, .heads = 1, .head_dim = 1, .biases = true};
  static const double tokens[] = {1, 1, 1, 1, 0, 1};
  certify_case c;
  layer_case_init_zero(&c.input, &shape);
  c.input.layer.value_weight[0] = c.input.layer.key_weight[2] = 1;
  c.input.layer.value_weight[1] = 15 * 0x1p-56;
  c.input.layer.query_bias[0] = 0x1p60;
  for (int i = 0; i < 6; i++) c.input.x.data[i] = tokens[i];
  certify_case_evaluate(&c, 53);
  check_truth(&c);
  certify_case_clear(&c);
}

/* ---- where it is attained ---------------------------------------------------------------------------------------- */

/* V = [[3, 4], [-4, 3]], of norm 5. */
static void rotation_case(certify_case *c, int n, attcert_mask mask) {
  const layer_shape shape = {.n = n, .dim = 2, .heads = 1, .head_dim = 2, .mask = mask};
  const double v[] = {3, 4, -4, 3};
  random_source r = random_source_make(25, 0, (uint64_t)n);
  layer_case_init_gaussian(&c->input, &shape, &r);
  for (int i = 0; i < 4; i++) c->input.layer.value_weight[i] = v[i];
}

static void assert_bound(const certify_case *c, double expected) {
  const double bound = bound_of(c);
  assert_true(bound >= expected * (1 - 1e-15) && bound <= expected * (1 + 1e-10));
}

static void test_one_token(void **state) {
  (void)state;
  certify_case c;
  rotation_case(&c, 1, ATTCERT_MASK_NONE);
  certify_case_evaluate(&c, 128);
  assert_bound(&c, 5);
  certify_case_clear(&c);
}

/* Without scores J = P (x) V: the norm is 5 ||P||, the bound 5 sqrt(largest column sum); both 5 for the uniform P.
 * Under the mask column 1 sums to 1 + 1/2 + 1/3 + 1/4. However large the tokens are. */
static void check_uniform(attcert_mask mask, double column_sum, int exponent) {
  certify_case c;
  rotation_case(&c, 4, mask);
  for (int i = 0; i < 4; i++) c.input.layer.query_weight[i] = 0;
  for (int i = 0; i < 8; i++) c.input.x.data[i] = ldexp(c.input.x.data[i], exponent);
  certify_case_evaluate(&c, 128);
  assert_bound(&c, 5 * sqrt(column_sum));
  certify_case_clear(&c);
}

static void test_uniform_attention(void **state) {
  (void)state;
  static const int exponents[] = {0, 600, 1020, -1050};
  for (int i = 0; i < 4; i++) {
    check_uniform(ATTCERT_MASK_NONE, 1, exponents[i]);
    check_uniform(ATTCERT_MASK_CAUSAL, 1 + 1 / 2.0 + 1 / 3.0 + 1 / 4.0, exponents[i]);
  }
}

/* An infinite radius of one token is infinite in the bound, masked or not. */
static void test_infinite_radius(void **state) {
  (void)state;
  static const attcert_mask masks[] = {ATTCERT_MASK_NONE, ATTCERT_MASK_CAUSAL};
  for (int m = 0; m < 2; m++)
    for (int token = 0; token < 4; token++) {
      certify_case c;
      rotation_case(&c, 4, masks[m]);
      certify_case_evaluate(&c, 128);
      c.m.g_radius[token] = INFINITY;
      assert_true(token == 0 && masks[m] == ATTCERT_MASK_CAUSAL ? bound_of(&c) > 0 : isinf(bound_of(&c)));
      certify_case_clear(&c);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_formula),         cmocka_unit_test(test_truth),
      cmocka_unit_test(test_vanishing_terms), cmocka_unit_test(test_uncertain_values),
      cmocka_unit_test(test_one_token),       cmocka_unit_test(test_uniform_attention),
      cmocka_unit_test(test_infinite_radius),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
