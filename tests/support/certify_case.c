#include "certify_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "certify/jacobian/factored_jacobian_from_enclosure.h"

enum { USUAL_PRECISION = 128 };

void certify_case_evaluate(certify_case *c, mpfr_prec_t precision) {
  assert_int_equal(layer_enclosure_init(&c->e, &c->input.layer, &c->input.x, precision, 1, NULL), ATTCERT_OK);
  assert_int_equal(factored_jacobian_from_enclosure(&c->m, &c->input.layer, &c->e, 1, NULL), ATTCERT_OK);
}

void certify_case_init_shape(certify_case *c, const layer_shape *shape, int index) {
  random_source r = random_source_make(20, 0, (uint64_t)index);
  layer_case_init_gaussian(&c->input, shape, &r);
  certify_case_evaluate(c, USUAL_PRECISION);
}

void certify_case_init(certify_case *c, int index) {
  const layer_shape shape = {.n = 1 + index % 5,
                             .dim = 1 + index * 3 % 7,
                             .heads = 1 + index % 3,
                             .head_dim = 1 + index % 4,
                             .out_dim = index / 2 % 2 ? 1 + index % 6 : 0,
                             .biases = index / 4 % 2,
                             .mask = index / 8 % 2 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
  certify_case_init_shape(c, &shape, index);
}

void certify_case_clear(certify_case *c) {
  factored_jacobian_clear(&c->m);
  layer_enclosure_clear(&c->e);
  layer_case_clear(&c->input);
}

size_t certify_case_rows(const certify_case *c) {
  return (size_t)c->m.n * (size_t)c->m.out_dim;
}

size_t certify_case_cols(const certify_case *c) {
  return (size_t)c->m.n * (size_t)c->m.dim;
}

/* ---- hostile cases ----------------------------------------------------------------------------------------------- */

enum { WIDTH = 4, DIM = 3 }; /* two heads of dimension 2 on tokens in R^3 */

static void scale_rows(double *a, size_t cols, const int exponent[WIDTH]) {
  for (size_t i = 0; i < WIDTH * cols; i++) a[i] = ldexp(a[i], exponent[i / cols]);
}

static void value_rows(layer_case *c) {
  scale_rows(c->layer.value_weight, DIM, (const int[WIDTH]){664, -664, 0, 200});
}

static void value_rows_with_output(layer_case *c) {
  static const int exponent[WIDTH] = {664, -664, 0, 100};
  value_rows(c);
  for (int i = 0; i < 3 * WIDTH; i++)
    c->layer.output_weight[i] = ldexp(c->layer.output_weight[i], -exponent[i % WIDTH]);
}

static void heads_apart(layer_case *c) {
  scale_rows(c->layer.value_weight, DIM, (const int[WIDTH]){300, 300, -300, -300});
}

static void scores_apart(layer_case *c) {
  scale_rows(c->layer.query_weight, DIM, (const int[WIDTH]){4, 4, -600, -600});
  scale_rows(c->layer.key_weight, DIM, (const int[WIDTH]){4, 4, 100, 100});
}

static void equal_tokens(layer_case *c) {
  for (int i = 0; i < c->x.rows * DIM; i++) c->x.data[i] = c->x.data[i % DIM];
}

static void huge_input_without_scores(layer_case *c) {
  for (int i = 0; i < WIDTH * DIM; i++) c->layer.query_weight[i] = 0;
  for (int i = 0; i < c->x.rows * DIM; i++) c->x.data[i] = ldexp(c->x.data[i], 900);
}

static void tiny_input(layer_case *c) {
  for (int i = 0; i < c->x.rows * DIM; i++) c->x.data[i] = ldexp(c->x.data[i], -1040);
}

static void saturated(layer_case *c) {
  scale_rows(c->layer.query_weight, DIM, (const int[WIDTH]){30, 30, 8, 8});
}

static void lone_value(layer_case *c) {
  for (int i = 0; i < WIDTH * DIM; i++) c->layer.value_weight[i] = i == 7 ? 1e-300 : 0;
}

static const struct {
  const char *name;
  void (*change)(layer_case *c);
  int out_dim;
} HOSTILE[HOSTILE_CASES] = {
    {"rows of V at 1e200 and 1e-200", value_rows, 0},
    {"rows of V undone by W_O", value_rows_with_output, 3},
    {"heads of very different scale", heads_apart, 3},
    {"heads with very different scores", scores_apart, 0},
    {"equal tokens", equal_tokens, 0},
    {"huge input without scores", huge_input_without_scores, 3},
    {"subnormal input", tiny_input, 0},
    {"saturated attention", saturated, 3},
    {"one tiny entry in V", lone_value, 0},
};

const char *hostile_case_init(certify_case *c, int index) {
  const layer_shape shape = {.n = 4,
                             .dim = DIM,
                             .heads = 2,
                             .head_dim = 2,
                             .out_dim = HOSTILE[index].out_dim,
                             .mask = index % 2 ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
  random_source r = random_source_make(21, 0, (uint64_t)index);
  layer_case_init_gaussian(&c->input, &shape, &r);
  HOSTILE[index].change(&c->input);
  certify_case_evaluate(c, USUAL_PRECISION);
  return HOSTILE[index].name;
}

const char *any_case_init(certify_case *c, int index) {
  if (index >= CERTIFY_CASES) return hostile_case_init(c, index - CERTIFY_CASES);
  certify_case_init(c, index);
  return "gaussian";
}

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

/* sum += x y, or |x y|. */
static void add_product(arb_t sum, double x, double y, bool absolute) {
  arb_t a, b;
  arb_init(a);
  arb_init(b);
  arb_set_d(a, absolute ? fabs(x) : x);
  arb_set_d(b, absolute ? fabs(y) : y);
  arb_addmul(sum, a, b, CERTIFY_CASE_BITS);
  arb_clear(a);
  arb_clear(b);
}

/* Row (i, channel) of the heads. */
static void fill_row(arb_ptr row, const factored_jacobian *m, size_t i, size_t channel, bool absolute) {
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim;
  const size_t at = channel / k * n + i, r = channel % k;
  for (size_t l = 0; l < n; l++)
    for (size_t c = 0; c < d; c++) {
      arb_ptr entry = row + l * d + c;
      add_product(entry, m->p[at * n + l], m->v[channel * d + c], absolute);
      add_product(entry, m->w[(at * k + r) * n + l], m->g[at * d + c], absolute);
      for (size_t s = 0; s < k && i == l; s++)
        add_product(entry, m->covariance[(at * k + r) * k + s], m->q[(channel - r + s) * d + c], absolute);
    }
}

void expanded_heads_init(arb_mat_t heads, const factored_jacobian *m, bool absolute) {
  const slong width = (slong)m->heads * m->head_dim;
  arb_mat_init(heads, m->n * width, (slong)m->n * m->dim);
  for (slong row = 0; row < m->n * width; row++)
    fill_row(heads->rows[row], m, (size_t)(row / width), (size_t)(row % width), absolute);
}

/* The rows of one token at a time go through W'. */
void expanded_jacobian_init(arb_mat_t jacobian, const factored_jacobian *m) {
  if (m->output == NULL) {
    expanded_heads_init(jacobian, m, false);
    return;
  }
  const slong width = (slong)m->heads * m->head_dim, out = m->out_dim, cols = (slong)m->n * m->dim;
  arb_mat_t heads, weight, from, to;
  expanded_heads_init(heads, m, false);
  arb_mat_init(weight, out, width);
  for (slong at = 0; at < out * width; at++) arb_set_d(arb_mat_entry(weight, at / width, at % width), m->output[at]);
  arb_mat_init(jacobian, m->n * out, cols);
  for (slong i = 0; i < m->n; i++) {
    arb_mat_window_init(from, heads, i * width, 0, (i + 1) * width, cols);
    arb_mat_window_init(to, jacobian, i * out, 0, (i + 1) * out, cols);
    arb_mat_mul(to, weight, from, CERTIFY_CASE_BITS);
    arb_mat_window_clear(from);
    arb_mat_window_clear(to);
  }
  arb_mat_clear(heads);
  arb_mat_clear(weight);
}

bool frobenius_norm_is_within(const arb_mat_t a, double bound) {
  arb_t norm, limit;
  arb_init(norm);
  arb_init(limit);
  arb_mat_frobenius_norm(norm, a, CERTIFY_CASE_BITS);
  arb_set_d(limit, bound);
  const bool within = !arb_gt(norm, limit);
  arb_clear(norm);
  arb_clear(limit);
  return within;
}

double frobenius_norm(const arb_mat_t a) {
  arb_t norm;
  arb_init(norm);
  arb_mat_frobenius_norm(norm, a, CERTIFY_CASE_BITS);
  const double value = arf_get_d(arb_midref(norm), ARF_RND_NEAR);
  arb_clear(norm);
  return value;
}
