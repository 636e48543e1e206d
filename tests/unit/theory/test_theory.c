/* The table on layers whose norms are known: diagonal weights, so that every bound has a value to compare with. */
#include "theory/theory.h"
#include "with_norms.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* One head, k = d = 4, so that sqrt(k) = 2: ||V|| = 3, ||A|| = 1 * 2 / 2 = 1 (A = diag(1, -1/2, 0, 0)). */
enum { SIDE = 4, TOKENS = 3 };

typedef struct {
  attcert_layer layer;
  attcert_matrix x;
  theory_table table;
} fixture;

static void fixture_init(fixture *f, int heads, int out_dim, bool biases) {
  assert_int_equal(attcert_layer_init(&f->layer, SIDE, heads, SIDE, out_dim, biases, NULL), ATTCERT_OK);
  assert_int_equal(attcert_matrix_init(&f->x, TOKENS, SIDE, NULL), ATTCERT_OK);
  for (int h = 0; h < heads; h++) {
    const size_t first = (size_t)(h * SIDE * SIDE);
    f->layer.query_weight[first] = 1.0;
    f->layer.query_weight[first + SIDE + 1] = 1.0;
    f->layer.key_weight[first] = 2.0;
    f->layer.key_weight[first + SIDE + 1] = -1.0;
    f->layer.value_weight[first + 3] = 3.0;
  }
  theory_table_init(&f->table);
}

static void fixture_clear(fixture *f) {
  theory_table_clear(&f->table);
  attcert_matrix_clear(&f->x);
  attcert_layer_clear(&f->layer);
}

static attcert_status evaluate(fixture *f, double radius, attcert_error *err) {
  layer_enclosure e;
  assert_int_equal(layer_enclosure_init(&e, &f->layer, &f->x, 128, 1, NULL), ATTCERT_OK);
  const attcert_status status = theory_with_norms(&f->table, &f->layer, &f->x, &e, radius, err);
  layer_enclosure_clear(&e);
  return status;
}

/* The bound is on its side of the value, within 1e-11 of it. */
static void assert_bound(const fixture *f, theory_id id, double value) {
  const theory_bound *const b = &f->table.bound[id];
  const double slack = 1e-14 * fabs(value), got = mpfr_get_d(b->value, MPFR_RNDN); /* `value` itself is rounded */
  if (!b->available) fail_msg("%s is not available: %s", b->id, b->applies);
  if (b->lower ? !(got <= value + slack && got >= value * (1 - 1e-11))
               : !(got >= value - slack && got <= value * (1 + 1e-11)))
    fail_msg("%s is %.17g, expected %.17g (%s)", b->id, got, value, b->applies);
}

static void assert_applies(const fixture *f, theory_id id, const char *text) {
  if (strcmp(f->table.bound[id].applies, text) != 0)
    fail_msg("%s: \"%s\", expected \"%s\"", f->table.bound[id].id, f->table.bound[id].applies, text);
}

static void assert_refused(const fixture *f, theory_id id, const char *fragment) {
  assert_false(f->table.bound[id].available);
  assert_non_null(strstr(f->table.bound[id].applies, fragment));
}

/* ---- on a ball around 0 ------------------------------------------------------------------------------------------ */

static void unmasked_ball(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, 1, 0, false);
  const double r = 0.75, z = r * r, n = TOKENS;
  assert_int_equal(evaluate(&f, r, NULL), ATTCERT_OK);
  assert_bound(&f, THEORY_T1, sqrt(3.0) * 3 * sqrt(z * z * (4 * n + 1) + n));
  assert_bound(&f, THEORY_T2, 3 * (1 + 3 * z) * exp(2 * z));
  assert_bound(&f, THEORY_T4, 3 * (sqrt(fmin(n, exp(2 * z)) * (1 + z * z)) + z));
  assert_bound(&f, THEORY_T3, 3 * sqrt(n - 1) / (1 + (n - 1) * exp(-2 * r * r * 0.5))); /* eigenvalues 1, -1/2, 0, 0 */
  assert_bound(&f, THEORY_T9, 3 * (sqrt(n * (1 + pow(z + 0.25 / z, 2)) / 2) + z));      /* F(z) is larger */
  assert_bound(&f, THEORY_T10, 3 * sqrt(2 * (n - 2)) * z / (2 + (n - 2) * exp(-z)));
  assert_refused(&f, THEORY_T5, "causal mask only");
  assert_applies(&f, THEORY_T10, "B_R^n, R = 0.75, n = 3, for the worst A of this norm, without biases");
  assert_applies(&f, THEORY_T1, "B_R^n, R = 0.75, n = 3");
  assert_applies(&f, THEORY_T2, "B_R^n, R = 0.75, any n");
  assert_applies(&f, THEORY_T3, "B_R^n, R = 0.75, n = 3, at an input made for it");
  assert_true(f.table.bound[THEORY_T1].radius == r && !f.table.bound[THEORY_T1].centred);
  fixture_clear(&f);
}

static void masked_ball(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, 1, 0, false);
  f.layer.mask = ATTCERT_MASK_CAUSAL;
  const double r = 0.125, z = r * r, n = TOKENS;
  assert_int_equal(evaluate(&f, r, NULL), ATTCERT_OK);
  assert_bound(&f, THEORY_T1, sqrt(3.0) * 3 * sqrt(z * z * (4 * n + 1) + n));
  assert_bound(&f, THEORY_T4, 3 * (sqrt(fmin(n, (1 + log(n)) * exp(2 * z)) * (1 + z * z)) + z));
  assert_bound(&f, THEORY_T5, 3 * (2 * (1 + 2 * z) * exp(2 * z) + z));
  assert_refused(&f, THEORY_T2, "without a mask only");
  assert_refused(&f, THEORY_T3, "without a mask");
  fixture_clear(&f);
}

/* b_Q = (0, 5, 0, 0): K^T b_Q / 2 = (0, -5/2, 0, 0). b_K and b_V change nothing. */
static void query_bias(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, 1, 0, true);
  const double r = 0.5, z = r * r, w = r * (r + 2.5), n = TOKENS;
  f.layer.key_bias[0] = f.layer.value_bias[1] = 7.0;
  assert_int_equal(evaluate(&f, r, NULL), ATTCERT_OK);
  assert_bound(&f, THEORY_T2, 3 * (1 + 3 * z) * exp(2 * z));
  assert_true(f.table.bound[THEORY_T3].available);
  f.layer.query_bias[1] = 5.0;
  assert_int_equal(evaluate(&f, r, NULL), ATTCERT_OK);
  assert_bound(&f, THEORY_T1, sqrt(3.0) * 3 * sqrt(4 * n * w * w + z * z + n));
  assert_bound(&f, THEORY_T2, 3 * (1 + 3 * w) * exp(2 * w));
  assert_bound(&f, THEORY_T4, 3 * (sqrt(fmin(n, exp(2 * w)) * (1 + w * w)) + z));
  assert_refused(&f, THEORY_T3, "without query bias");
  fixture_clear(&f);
}

/* ---- on the tokens' own ball ------------------------------------------------------------------------------------- */

/* Tokens far from 0 and close to each other: the ball around them serves better, though their centre enters as a
 * bias. */
static void ball_around_the_tokens(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, 1, 0, false);
  for (int i = 0; i < TOKENS; i++) {
    f.x.data[i * SIDE] = 8.0;
    f.x.data[i * SIDE + 3] = i - 1.0; /* in A's kernel: scores are equal, P_ij = 1/3 */
  }
  assert_int_equal(evaluate(&f, 0.0, NULL), ATTCERT_OK);
  assert_true(f.table.bound[THEORY_T1].centred && f.table.bound[THEORY_T4].centred);
  const double r = f.table.bound[THEORY_T4].radius, z = r * r, w = r * (r + 8.0);
  assert_true(r >= 1.0 && r < 1.05);
  assert_true(fabs(mpfr_get_d(f.table.bound[THEORY_T4].value, MPFR_RNDN) / (3 * (sqrt(1 + w * w) + z)) - 1) < 0.01);
  assert_non_null(strstr(f.table.bound[THEORY_T4].applies, "of a centre, n = 3, column sums of this input"));
  assert_true(!f.table.bound[THEORY_T3].centred && f.table.bound[THEORY_T3].radius >= sqrt(65.0) * (1 - 1e-15));
  fixture_clear(&f);
}

/* Tokens around 0: the centre is 0, or so close that either ball will do. */
static void ball_around_zero(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, 1, 0, false);
  f.x.data[0] = 3.0;
  f.x.data[SIDE] = -3.0;
  assert_int_equal(evaluate(&f, 0.0, NULL), ATTCERT_OK);
  assert_true(f.table.bound[THEORY_T1].radius >= 3.0 && f.table.bound[THEORY_T1].radius < 3.0 * (1 + 1e-12));
  fixture_clear(&f);
}

/* ---- pointwise --------------------------------------------------------------------------------------------------- */

/* Tokens in A's kernel: P_ij = 1/n, so that ||P|| = 1 and p1 (1 - p1 + p2) = 1/n. */
static void spread_of_equal_weights(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, 1, 0, true);
  f.x.data[3] = 1.0;
  f.x.data[SIDE + 3] = 2.0;
  f.x.data[2 * SIDE + 3] = -2.0; /* ||X|| = 3 */
  assert_int_equal(evaluate(&f, 0.0, NULL), ATTCERT_OK);
  assert_bound(&f, THEORY_T7, 3 * (1 + 2 * 9.0 / 3));
  assert_applies(&f, THEORY_T7, "this input");
  f.layer.query_bias[1] = 5.0; /* scores stay equal: the keys' second entries are 0 */
  assert_int_equal(evaluate(&f, 0.0, NULL), ATTCERT_OK);
  assert_bound(&f, THEORY_T7, 3 * (1 + 3 * (2 * 3.0 + sqrt(3.0) * 2.5) / 3));
  fixture_clear(&f);
}

/* One token: J = V, and T6 is attained. */
static void single_token(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, 1, 0, false);
  f.x.rows = 1;
  f.x.data[0] = 2.0;
  assert_int_equal(evaluate(&f, 0.0, NULL), ATTCERT_OK);
  assert_bound(&f, THEORY_T6, 3.0);
  assert_bound(&f, THEORY_T7, 3.0); /* p1 = 1, p2 = 0 */
  assert_refused(&f, THEORY_T3, "two tokens");
  assert_refused(&f, THEORY_T10, "three tokens");
  fixture_clear(&f);
}

/* ---- heads ------------------------------------------------------------------------------------------------------- */

/* Two equal heads, concatenated: sqrt(2) times one. */
static void concatenated_heads(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, 2, 0, false);
  const double z = 0.25;
  assert_int_equal(evaluate(&f, 0.5, NULL), ATTCERT_OK);
  assert_bound(&f, THEORY_T2, sqrt(2.0) * 3 * (1 + 3 * z) * exp(2 * z));
  assert_refused(&f, THEORY_T3, "single head");
  fixture_clear(&f);
}

/* W_O = [a I, b I], ||W_O|| = sqrt(a^2 + b^2): the product with sqrt(2) B is the smaller bound for a = b ... */
static void output_shared_by_heads(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, 2, SIDE, false);
  const double z = 0.25, head = 3 * (1 + 3 * z) * exp(2 * z);
  for (int i = 0; i < SIDE; i++)
    f.layer.output_weight[i * 2 * SIDE + i] = f.layer.output_weight[i * 2 * SIDE + SIDE + i] = 5.0;
  assert_int_equal(evaluate(&f, 0.5, NULL), ATTCERT_OK);
  assert_bound(&f, THEORY_T2, 10 * head); /* 5 sqrt(2) sqrt(2) B, and (5 + 5) B as well */
  for (int i = 0; i < SIDE; i++) f.layer.output_weight[i * 2 * SIDE + SIDE + i] = 0.0;
  assert_int_equal(evaluate(&f, 0.5, NULL), ATTCERT_OK);
  assert_bound(&f, THEORY_T2, 5 * head); /* ... and sum ||W_h|| B_h where a head is not used */
  for (int i = 2; i < SIDE; i++) {
    f.layer.output_weight[i * 2 * SIDE + SIDE + i] = 5.0;
    f.layer.output_weight[i * 2 * SIDE + i] = 0.0;
  }
  assert_int_equal(evaluate(&f, 0.5, NULL), ATTCERT_OK);
  assert_bound(&f, THEORY_T2, 5 * sqrt(2.0) * head); /* heads with outputs of their own: ||W_O|| = 5 */
  fixture_clear(&f);
}

/* One head with W_O = 2 I: T3 takes ||W_O V||. */
static void lower_bound_through_output(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, 1, SIDE, false);
  for (int i = 0; i < SIDE; i++) f.layer.output_weight[i * SIDE + i] = 2.0;
  assert_int_equal(evaluate(&f, 1.0, NULL), ATTCERT_OK);
  assert_bound(&f, THEORY_T3, 6 * sqrt(2.0) / (1 + 2 * exp(-1.0)));
  fixture_clear(&f);
}

/* ---- what cannot be certified, and bad radii --------------------------------------------------------------------- */

/* A = rotation: no real eigenvalue. */
static void complex_eigenvalues(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, 1, 0, false);
  memset(f.layer.query_weight, 0, SIDE * SIDE * sizeof(double));
  f.layer.query_weight[1] = 1.0;
  f.layer.query_weight[SIDE] = 2.0;
  assert_int_equal(evaluate(&f, 1.0, NULL), ATTCERT_OK); /* K^T Q = [[0, 2], [-2, 0]] */
  assert_refused(&f, THEORY_T3, "no real eigenvalue");
  memset(f.layer.query_weight, 0, SIDE * SIDE * sizeof(double));
  assert_int_equal(evaluate(&f, 1.0, NULL), ATTCERT_OK);
  assert_refused(&f, THEORY_T3, "no real eigenvalue");
  assert_bound(&f, THEORY_T2, 3.0); /* A = 0: the mean of the values */
  fixture_clear(&f);
}

static void bad_radius(void **state) {
  (void)state;
  fixture f;
  attcert_error err;
  fixture_init(&f, 1, 0, false);
  assert_int_equal(evaluate(&f, -1.0, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "radius -1"));
  assert_int_equal(evaluate(&f, NAN, &err), ATTCERT_INPUT);
  assert_int_equal(evaluate(&f, INFINITY, &err), ATTCERT_INPUT);
  fixture_clear(&f);
}

/* e^{2z} beyond MPFR: T2 is +inf, T1 and T4 are numbers. */
static void enormous_radius(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, 1, 0, false);
  assert_int_equal(evaluate(&f, 1e300, NULL), ATTCERT_OK);
  assert_true(mpfr_inf_p(f.table.bound[THEORY_T2].value));
  assert_true(mpfr_number_p(f.table.bound[THEORY_T1].value));
  assert_true(mpfr_number_p(f.table.bound[THEORY_T4].value));
  assert_bound(&f, THEORY_T3, 3 * sqrt(2.0));
  fixture_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unmasked_ball),
      cmocka_unit_test(masked_ball),
      cmocka_unit_test(query_bias),
      cmocka_unit_test(ball_around_the_tokens),
      cmocka_unit_test(ball_around_zero),
      cmocka_unit_test(spread_of_equal_weights),
      cmocka_unit_test(single_token),
      cmocka_unit_test(concatenated_heads),
      cmocka_unit_test(output_shared_by_heads),
      cmocka_unit_test(lower_bound_through_output),
      cmocka_unit_test(complex_eigenvalues),
      cmocka_unit_test(bad_radius),
      cmocka_unit_test(enormous_radius),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
