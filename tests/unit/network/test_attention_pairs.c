/* Masks and biases of pairs: the certificate contains the norm of a Jacobian written out from its formula; a mask that
 * says what the causal one says gives its certificate, and so does -inf what a mask gives; keys one a row; biases that
 * no double's exponential holds; what is refused, and by whom. */
#include "lipschitz/lipschitz.h"
#include "network/affine/step_affine.h"
#include "network/attention/attention_pairs.h"
#include "network/attention/step_attention.h"
#include "network/network_linear.h"
#include "network/select/step_select.h"
#include "random_source.h"
#include "singular_value.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N = 4, D = 3, HEADS = 2, K = 2, PAIRS = HEADS * N * N, WIDE = HEADS * K };

typedef struct {
  double x[N * D], q[WIDE * D], k[WIDE * D], v[WIDE * D], o[D * WIDE], low, high;
  bool mask[PAIRS];
  double bias[PAIRS];
  network_steps network;
} pairs_case;

static void draw(pairs_case *c, uint64_t index) {
  random_source r = random_source_make(1, 31, index);
  double *const all[] = {c->x, c->q, c->k, c->v, c->o, c->bias};
  const size_t count[] = {N * D, WIDE * D, WIDE * D, WIDE * D, D * WIDE, PAIRS};
  for (int i = 0; i < 6; i++) random_fill_gaussian(all[i], count[i], 1.0, &r);
  for (int i = 0; i < PAIRS; i++) c->mask[i] = random_chance(&r, 0.5) || i % N == i / N % N;
}

/* token: the only query's; -1: all. */
static void build(pairs_case *c, int after, int token) {
  c->network = (network_steps){.tokens = N, .dim = D};
  network_builder b = {.network = &c->network};
  attention_heads heads = step_attention_plain(HEADS, K);
  heads.after = after;
  heads.token = token;
  const int from = token >= 0 ? step_select_add(&b, 0, token) : 0;
  const int input[] = {step_affine_add(&b, from, &(affine_weights){c->q, NULL}, WIDE),
                       step_affine_add(&b, 0, &(affine_weights){c->k, NULL}, WIDE),
                       step_affine_add(&b, 0, &(affine_weights){c->v, NULL}, WIDE)};
  step_affine_add(&b, step_attention_add(&b, input, &heads), &(affine_weights){c->o, NULL}, D);
  assert_int_equal(b.status, ATTCERT_OK);
}

static attention_pairs pairs_of(const pairs_case *c, int masks, int biases) {
  return (attention_pairs){.rows = N, .keys = N, .masks = masks, .mask = c->mask, .biases = biases, .bias = c->bias};
}

static void restrict_to(pairs_case *c, int masks, int biases) {
  const attention_pairs pairs = pairs_of(c, masks, biases);
  attcert_error err = {.message = ""};
  if (attention_pairs_restrict(&c->network, &pairs, &err) != ATTCERT_OK) fail_msg("%s", err.message);
}

/* low and high, and the network is cleared. */
static void certify(pairs_case *c, attcert_engine engine) {
  const attcert_matrix x = {N, D, c->x};
  attcert_certificate found;
  attcert_options options;
  attcert_error err = {.message = ""};
  attcert_options_default(&options);
  options.engine = engine;
  options.seeded = true;
  attcert_certificate_init(&found);
  if (lipschitz_certify(&found, &c->network, &x, &options, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  c->low = mpfr_get_d(found.lower, MPFR_RNDD);
  c->high = mpfr_get_d(found.upper, MPFR_RNDU);
  attcert_certificate_clear(&found);
  network_clear(&c->network);
}

static double dot(const double *a, const double *b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* y := W x, W rows x D. */
static void map(double *y, const double *w, const double *x, int rows) {
  for (int r = 0; r < rows; r++) y[r] = dot(w + r * D, x, D);
}

/* ---- by the formula ---------------------------------------------------------------------------------------------- */

static int number_of(int count, int h, int i, int j) {
  return ((count == 1 ? 0 : h) * N + i) * N + j;
}

static bool attends(const pairs_case *c, int masks, int biases, int after, int h, int i, int j) {
  if (j - i > after || (masks > 0 && !c->mask[number_of(masks, h, i, j)])) return false;
  return biases == 0 || c->bias[number_of(biases, h, i, j)] > -INFINITY;
}

/* jacobian[row N D + column] += head h's, as
 *   J_il = W_O ( P_il (V + (v_l - y_i) (K^T q_i)^T) + [i = l] sum_j P_ij (v_j - y_i) (Q^T k_j)^T ), scores over a. */
static void add_head(double *jacobian, const pairs_case *c, int masks, int biases, int after, int h) {
  const double a = sqrt(K), *const wq = c->q + h * K * D, *const wk = c->k + h * K * D, *const wv = c->v + h * K * D;
  for (int i = 0; i < N; i++) {
    double p[N] = {0.0}, y[K] = {0.0}, v[N][K], k[N][K], q[K], sum = 0.0;
    map(q, wq, c->x + i * D, K);
    for (int j = 0; j < N; j++) {
      map(k[j], wk, c->x + j * D, K);
      map(v[j], wv, c->x + j * D, K);
      const double b = biases > 0 ? c->bias[number_of(biases, h, i, j)] : 0.0;
      if (attends(c, masks, biases, after, h, i, j)) sum += p[j] = exp(dot(q, k[j], K) / a + b);
    }
    for (int j = 0; j < N; j++) {
      p[j] /= sum;
      for (int r = 0; r < K; r++) y[r] += p[j] * v[j][r];
    }
    for (int j = 0; j < N; j++)
      for (int r = 0; r < K; r++)
        for (int e = 0; e < D; e++) {
          double g = 0.0, own = 0.0;
          for (int m = 0; m < K; m++) {
            g += wk[m * D + e] * q[m] / a;
            own += wq[m * D + e] * k[j][m] / a;
          }
          for (int row = 0; row < D; row++) {
            const double w = c->o[row * WIDE + h * K + r], deviation = v[j][r] - y[r];
            double *const line = jacobian + (i * D + row) * N * D;
            line[j * D + e] += w * p[j] * (wv[r * D + e] + deviation * g);
            line[i * D + e] += w * p[j] * deviation * own;
          }
        }
  }
}

static void check_formula(pairs_case *c, int masks, int biases, int after) {
  static const attcert_engine engines[] = {ATTCERT_ENGINE_DENSE, ATTCERT_ENGINE_MPFR, ATTCERT_ENGINE_RANDOM};
  double jacobian[N * D * N * D] = {0.0};
  for (int h = 0; h < HEADS; h++) add_head(jacobian, c, masks, biases, after, h);
  const double norm = largest_singular_value(jacobian, N * D, N * D);
  for (int e = 0; e < 3; e++) {
    build(c, after, -1);
    restrict_to(c, masks, biases);
    certify(c, engines[e]);
    if (!(c->low <= norm * (1.0 + 1e-11) && norm <= c->high * (1.0 + 1e-11)))
      fail_msg("%d masks, %d biases, after %d: [%.17g, %.17g], expected %.17g", masks, biases, after, c->low, c->high,
               norm);
    assert_true(c->high <= c->low * (engines[e] == ATTCERT_ENGINE_RANDOM ? 1.2 : 1.0 + 1e-6));
  }
}

static void certificates_contain_the_formula(void **state) {
  (void)state;
  for (uint64_t k = 0; k < 12; k++) {
    pairs_case c;
    draw(&c, k);
    for (int i = 0; i < PAIRS && k % 3 == 0; i++)
      if (i % N != i / N % N && i % 3 == 0) c.bias[i] = -INFINITY;
    const int count[] = {0, 1, HEADS}, after = k % 2 == 0 ? ATTENTION_ALL : 0;
    for (int m = 0; m < 3; m++)
      for (int b = m == 0 ? 1 : 0; b < 3; b++) check_formula(&c, count[m], count[b], after);
  }
}

/* ---- the same functions said otherwise --------------------------------------------------------------------------- */

static void a_mask_may_say_causal(void **state) {
  (void)state;
  pairs_case c;
  for (int e = 0; e < 2; e++) {
    const attcert_engine engine = e == 0 ? ATTCERT_ENGINE_DENSE : ATTCERT_ENGINE_MPFR;
    draw(&c, 50);
    build(&c, 0, -1);
    certify(&c, engine);
    const double low = c.low, high = c.high;
    for (int i = 0; i < PAIRS; i++) c.mask[i] = i % N <= i / N % N;
    for (int masks = 1; masks <= HEADS; masks++) {
      build(&c, masks == 1 ? ATTENTION_ALL : 0, -1);
      restrict_to(&c, masks, 0);
      certify(&c, engine);
      assert_true(c.low == low && c.high == high);
    }
  }
}

static void infinite_biases_are_a_mask(void **state) {
  (void)state;
  pairs_case c;
  draw(&c, 60);
  build(&c, ATTENTION_ALL, -1);
  restrict_to(&c, HEADS, 0);
  certify(&c, ATTCERT_ENGINE_DENSE);
  const double low = c.low, high = c.high;
  for (int i = 0; i < PAIRS; i++) c.bias[i] = c.mask[i] ? 0.0 : -INFINITY;
  build(&c, ATTENTION_ALL, -1);
  restrict_to(&c, 0, HEADS);
  certify(&c, ATTCERT_ENGINE_DENSE);
  assert_true(c.low == low && c.high == high);
}

/* Finite ones leave a key something, if ever so little: another function, as good as the same. */
static void far_biases(void **state) {
  (void)state;
  static const double far[] = {-800.0, -1e9, -FLT_MAX, -DBL_MAX};
  pairs_case c;
  draw(&c, 60);
  build(&c, ATTENTION_ALL, -1);
  restrict_to(&c, HEADS, 0);
  certify(&c, ATTCERT_ENGINE_MPFR);
  const double low = c.low, high = c.high;
  for (int k = 0; k < 4; k++) {
    for (int e = 0; e < 2; e++) {
      for (int i = 0; i < PAIRS; i++) c.bias[i] = c.mask[i] ? 0.0 : far[k];
      build(&c, ATTENTION_ALL, -1);
      restrict_to(&c, 0, HEADS);
      certify(&c, e == 0 ? ATTCERT_ENGINE_DENSE : ATTCERT_ENGINE_MPFR);
      assert_true(c.low <= high * (1.0 + 1e-15) && low <= c.high * (1.0 + 1e-15) && c.high <= c.low * (1.0 + 1e-6));
    }
  }
}

/* Of each row its own key: W_O V of one head beside the other, whatever the scores are. */
static void one_key_a_row(void **state) {
  (void)state;
  pairs_case c;
  double product[D * D] = {0.0};
  draw(&c, 70);
  for (int i = 0; i < D * D; i++)
    for (int r = 0; r < WIDE; r++) product[i] += c.o[i / D * WIDE + r] * c.v[r * D + i % D];
  const double norm = largest_singular_value(product, D, D);
  for (int i = 0; i < PAIRS; i++) c.mask[i] = i % N == i / N % N;
  for (int k = 0; k < N * D; k++) c.x[k] *= 1e3;
  build(&c, ATTENTION_ALL, -1);
  restrict_to(&c, 1, HEADS);
  certify(&c, ATTCERT_ENGINE_DENSE);
  assert_true(c.low <= norm * (1.0 + 1e-12) && norm <= c.high * (1.0 + 1e-12) && c.high <= c.low * (1.0 + 1e-6));
}

/* Of tokens whose scores are all 0 the weights are one over how many keys there are. */
static void zero_queries(void **state) {
  (void)state;
  pairs_case c;
  draw(&c, 75);
  memset(c.q, 0, sizeof c.q);
  memset(c.k, 0, sizeof c.k);
  check_formula(&c, HEADS, 0, ATTENTION_ALL);
  memset(c.x, 0, sizeof c.x);
  check_formula(&c, 1, HEADS, ATTENTION_ALL);
}

/* A query alone has its own row of the mask: that of all rows, with zeros for W_O of the others. */
static void one_query_has_its_row(void **state) {
  (void)state;
  pairs_case c;
  draw(&c, 80);
  const int token = 2;
  double jacobian[N * D * N * D] = {0.0};
  for (int h = 0; h < HEADS; h++) add_head(jacobian, &c, HEADS, 1, ATTENTION_ALL, h);
  const double norm = largest_singular_value(jacobian + (size_t)token * D * N * D, D, N * D);
  for (int i = 0; i < HEADS * N; i++) c.mask[i * N + i % N] = i % N == token && c.mask[i * N + i % N];
  for (int i = 0; i < HEADS * N; i++)
    for (int j = 0; j < N && i % N != token; j++) c.mask[i * N + j] = false; /* rows that nobody asks for */
  build(&c, ATTENTION_ALL, token);
  restrict_to(&c, HEADS, 1);
  certify(&c, ATTCERT_ENGINE_DENSE);
  assert_true(c.low <= norm * (1.0 + 1e-12) && norm <= c.high * (1.0 + 1e-12) && c.high <= c.low * (1.0 + 1e-6));
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void assert_refused(pairs_case *c, const attention_pairs *pairs, const char *text) {
  attcert_error err = {.message = ""};
  build(c, ATTENTION_ALL, -1);
  assert_int_equal(attention_pairs_restrict(&c->network, pairs, &err), ATTCERT_INPUT);
  if (strstr(err.message, text) == NULL) fail_msg("'%s' has no '%s'", err.message, text);
  network_clear(&c->network);
}

static void refusals(void **state) {
  (void)state;
  pairs_case c;
  draw(&c, 90);
  attention_pairs pairs = pairs_of(&c, HEADS, 0);
  memset(c.mask + (size_t)((N + 2) * N), 0, N);
  assert_refused(&c, &pairs, "head 1, token 2 attends to no key");
  pairs = pairs_of(&c, 1, 0);
  memset(c.mask + (size_t)(3 * N), 0, N);
  assert_refused(&c, &pairs, "mask: token 3 attends to no key");
  draw(&c, 90);
  pairs = pairs_of(&c, 1, 1);
  for (int j = 0; j < N; j++)
    if (c.mask[N + j]) c.bias[N + j] = -INFINITY;
  assert_refused(&c, &pairs, "token 1 attends to no key");
  pairs = pairs_of(&c, 0, HEADS);
  c.bias[(N + 3) * N + 1] = NAN;
  assert_refused(&c, &pairs, "entry (1, 3, 1) of head, query and key is nan");
  c.bias[(N + 3) * N + 1] = INFINITY;
  assert_refused(&c, &pairs, "is inf, expected a finite number");
  pairs = pairs_of(&c, HEADS + 1, 0);
  assert_refused(&c, &pairs, "mask: of 3 heads, expected one for all or one for each of 2");
  pairs = pairs_of(&c, 1, 0);
  pairs.keys = N - 1;
  assert_refused(&c, &pairs, "mask: of 4 queries and 3 keys, expected 4 and 4");
}

static void no_attention_is_refused(void **state) {
  (void)state;
  pairs_case c;
  draw(&c, 91);
  c.network = (network_steps){.tokens = N, .dim = D};
  network_builder b = {.network = &c.network};
  step_affine_add(&b, 0, &(affine_weights){c.q, NULL}, WIDE);
  const attention_pairs pairs = pairs_of(&c, 1, 0);
  assert_int_equal(attention_pairs_restrict(&c.network, &pairs, NULL), ATTCERT_INPUT);
  network_clear(&c.network);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(certificates_contain_the_formula),
      cmocka_unit_test(a_mask_may_say_causal),
      cmocka_unit_test(infinite_biases_are_a_mask),
      cmocka_unit_test(far_biases),
      cmocka_unit_test(one_key_a_row),
      cmocka_unit_test(one_query_has_its_row),
      cmocka_unit_test(zero_queries),
      cmocka_unit_test(refusals),
      cmocka_unit_test(no_attention_is_refused),
  };
  return cmocka_run_group_tests_name("attention pairs", tests, NULL, NULL);
}
