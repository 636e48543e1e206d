#include "certify_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PRECISION = 128 };

void certify_case_evaluate(certify_case *c) {
  assert_int_equal(layer_enclosure_init(&c->e, &c->input.layer, &c->input.x, PRECISION, 1, NULL), ATTCERT_OK);
  assert_int_equal(midpoint_layer_init(&c->m, &c->input.layer, &c->e, 1, NULL), ATTCERT_OK);
  if (!c->m.zero) assert_int_equal(midpoint_layer_diagonal(&c->m, NULL), ATTCERT_OK);
}

void certify_case_init_shape(certify_case *c, const layer_shape *shape, int index) {
  random_source r = random_source_make(20, 0, (uint64_t)index);
  layer_case_init_gaussian(&c->input, shape, &r);
  certify_case_evaluate(c);
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
  midpoint_layer_clear(&c->m);
  layer_enclosure_clear(&c->e);
  layer_case_clear(&c->input);
}

size_t certify_case_rows(const certify_case *c) {
  return (size_t)c->m.n * (size_t)c->m.out_dim;
}

size_t certify_case_cols(const certify_case *c) {
  return (size_t)c->m.n * (size_t)c->m.dim;
}

/* ---- hostile cases ------------------------------------------------------------------------------------------------ */

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
  certify_case_evaluate(c);
  return HOSTILE[index].name;
}

/* ---- matrices ----------------------------------------------------------------------------------------------------- */

static long double *new_matrix(size_t rows, size_t cols) {
  long double *a = calloc(rows * cols, sizeof *a);
  assert_non_null(a);
  return a;
}

/* Entry (r, c) of block (i, l) of head h. */
static long double block_entry(const midpoint_layer *m, size_t at, size_t l, size_t channel, size_t r, size_t c,
                               bool absolute) {
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim, i = at % n;
  const long double value = (long double)m->p[at * n + l] * m->v[channel * d + c];
  const long double score = (long double)m->w[(at * k + r) * n + l] * m->g[at * d + c];
  const long double diagonal = i == l ? m->f[(at * k + r) * d + c] : 0;
  return absolute ? fabsl(value) + fabsl(score) + fabsl(diagonal) : value + score + diagonal;
}

long double *midpoint_heads(const midpoint_layer *m, bool absolute) {
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim, width = (size_t)m->heads * k;
  long double *const a = new_matrix(n * width, n * d);
  for (size_t i = 0; i < n; i++)
    for (size_t channel = 0; channel < width; channel++)
      for (size_t l = 0; l < n; l++)
        for (size_t c = 0; c < d; c++)
          a[(i * width + channel) * n * d + l * d + c] =
              block_entry(m, channel / k * n + i, l, channel, channel % k, c, absolute);
  return a;
}

long double *midpoint_jacobian(const midpoint_layer *m) {
  const size_t n = (size_t)m->n, cols = n * (size_t)m->dim, width = (size_t)m->heads * (size_t)m->head_dim;
  const size_t out = (size_t)m->out_dim;
  long double *const heads = midpoint_heads(m, false);
  if (m->output == NULL) return heads;
  long double *const a = new_matrix(n * out, cols);
  for (size_t row = 0; row < n * out; row++)
    for (size_t channel = 0; channel < width; channel++)
      for (size_t c = 0; c < cols; c++)
        a[row * cols + c] += m->output[row % out * width + channel] * heads[(row / out * width + channel) * cols + c];
  free(heads);
  return a;
}

long double frobenius_norm(const long double *a, size_t count) {
  long double sum = 0;
  for (size_t i = 0; i < count; i++) sum += a[i] * a[i];
  return sqrtl(sum);
}
