#include "executed_network.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* To nearest, ties to even; what is below the normal range on its grid. */
static double rounded(double x, int bits, int least) {
  int exponent;
  if (x == 0.0 || !isfinite(x)) return x;
  frexp(x, &exponent);
  const int last = exponent - bits < least ? least : exponent - bits;
  return ldexp(nearbyint(ldexp(x, -last)), last);
}

executed_manner executed_network_manner(const char *format, int index) {
  return (executed_manner){format, strcmp(format, "float64") == 0, index % 4, index / 2 % 2 == 1,
                           index < 4 ? 1.0 : -1.0};
}

static double computed(double x, const executed_manner *m) {
  return m->wide ? x : rounded(x, 24, -149);
}

/* The number of the stored format nearest to x: a weight. */
static double nearest(double x, const executed_manner *m) {
  double z = computed(x, m);
  if (strcmp(m->format, "bfloat16") == 0) z = rounded(x, 8, -133);
  if (strcmp(m->format, "float16") == 0) z = rounded(x, 11, -24);
  return strcmp(m->format, "float16") == 0 && fabs(z) > 65504.0 ? copysign(INFINITY, z) : z;
}

/* A result: computed, then stored. */
static double stored(double x, const executed_manner *m) {
  return nearest(computed(x, m), m);
}

/* What an execution that does not fuse stores. */
static double kept(double x, const executed_manner *m) {
  return m->fused ? computed(x, m) : stored(x, m);
}

/* A function's result that is EXECUTED_ULP - 1 units, and the rounding, away. */
static double function(double y, const executed_manner *m) {
  const double near = computed(y, m);
  int exponent;
  if (near == 0.0 || !isfinite(near)) return near;
  frexp(near, &exponent);
  return computed(near + m->wrong * ldexp(EXECUTED_ULP - 1.0, exponent - (m->wide ? 53 : 24)), m);
}

/* count terms in one of the orders. */
static double sum(double *term, int count, const executed_manner *m) {
  double total = 0.0;
  if (m->order != 2) {
    for (int k = 0; k < count; k++) total = computed(total + term[m->order == 1 ? count - 1 - k : k], m);
    return total;
  }
  while (count > 1) {
    for (int k = 0; k < count / 2; k++) term[k] = computed(term[2 * k] + term[2 * k + 1], m);
    if (count % 2 == 1) term[count / 2] = term[count - 1];
    count = (count + 1) / 2;
  }
  return count == 1 ? term[0] : 0.0;
}

static double dot(const double *a, const double *b, int stride, int count, const executed_manner *m) {
  double term[EXECUTED_COLUMNS], total = 0.0;
  for (int k = 0; k < count; k++) term[k] = computed(a[k] * b[k * stride], m);
  if (m->order < 3) return sum(term, count, m);
  for (int k = 0; k < count; k++) total = computed(fma(a[k], b[k * stride], total), m);
  return total;
}

static void run_affine(double *y, const step *s, const double *x, int in, const executed_manner *m) {
  double weight[EXECUTED_COLUMNS];
  for (int i = 0; i < s->rows; i++) {
    for (int c = 0; c < s->cols; c++) {
      for (int a = 0; a < in; a++) weight[a] = nearest(s->weight[c * in + a], m);
      const double product = dot(weight, x + i * in, 1, in, m);
      y[i * s->cols + c] = stored(s->bias != NULL ? computed(product + nearest(s->bias[c], m), m) : product, m);
    }
  }
}

/* gain (x - mean) / s + bias; fused: gain (x / s - mean / s) + bias. */
static void run_layernorm(double *y, const step *s, const double *x, const executed_manner *m) {
  const int d = s->cols;
  double term[EXECUTED_COLUMNS], c[EXECUTED_COLUMNS];
  for (int i = 0; i < s->rows; i++) {
    memcpy(term, x + i * d, (size_t)d * sizeof *term);
    const double mean = computed(sum(term, d, m) / d, m);
    for (int a = 0; a < d; a++) c[a] = computed(x[i * d + a] - mean, m);
    for (int a = 0; a < d; a++) term[a] = computed(c[a] * c[a], m);
    const double variance = computed(computed(sum(term, d, m) / d, m) + computed(s->epsilon, m), m);
    const double inverse = function(1.0 / sqrt(variance), m), shift = computed(mean * inverse, m);
    for (int a = 0; a < d; a++) {
      const double apart = computed(computed(x[i * d + a] * inverse, m) - shift, m);
      const double normal = m->fused ? apart : computed(c[a] * inverse, m);
      y[i * d + a] = stored(computed(computed(normal * nearest(s->weight[a], m), m) + nearest(s->bias[a], m), m), m);
    }
  }
}

static double run_curve(const range_curve *curve, double x, const executed_manner *m) {
  if (curve == &curve_relu) return fmax(x, 0.0);
  if (curve == &curve_tanh) return function(tanh(x), m);
  const double half = computed(0.5 * x, m);
  if (curve == &curve_gelu)
    return computed(half * computed(1.0 + function(erf(computed(x * computed(sqrt(0.5), m), m)), m), m), m);
  const double cube = computed(computed(0.044715, m) * computed(computed(x * x, m) * x, m), m);
  const double u = computed(computed(0.79788456080286536, m) * computed(x + cube, m), m);
  return computed(half * computed(1.0 + function(tanh(u), m), m), m);
}

/* Fused: the mean of the values before the division by the sum. */
static void run_attention(double *y, const step *s, double *const *x, int keys, const executed_manner *m) {
  const int dim = s->cols / s->heads;
  double score[RANDOM_NETWORK_TOKENS], term[RANDOM_NETWORK_TOKENS];
  for (int i = 0; i < s->rows; i++) {
    const int token = s->token >= 0 ? s->token : i, count = s->causal ? token + 1 : keys;
    for (int h = 0; h < s->heads; h++) {
      double largest = -INFINITY;
      for (int j = 0; j < count; j++) {
        const double product = dot(x[0] + i * s->cols + h * dim, x[1] + j * s->cols + h * dim, 1, dim, m);
        score[j] = kept(kept(product, m) * computed(1.0 / sqrt(dim), m), m);
        largest = fmax(largest, score[j]);
      }
      for (int j = 0; j < count; j++) score[j] = term[j] = function(exp(computed(score[j] - largest, m)), m);
      const double total = sum(term, count, m);
      for (int j = 0; j < count && !m->fused; j++) score[j] = stored(score[j] / total, m);
      for (int c = h * dim; c < (h + 1) * dim; c++) {
        const double mean = dot(score, x[2] + c, s->cols, count, m);
        y[i * s->cols + c] = stored(m->fused ? mean / total : mean, m);
      }
    }
  }
}

void executed_network_run(executed_network *e, const network_case *c, const double *input, const executed_manner *m) {
  const robust_network *const n = &c->network;
  const size_t count = (size_t)(n->tokens * n->dim);
  assert_true(n->count < EXECUTED_VALUES);
  assert_non_null(e->value[0] = calloc(count, sizeof(double)));
  for (size_t k = 0; k < count; k++) e->value[0][k] = stored(input[k], m);
  for (int k = 0; k < n->count; k++) {
    const step *const s = &n->step[k];
    double *x[STEP_MAX_INPUTS], *y;
    assert_true(s->cols <= EXECUTED_COLUMNS);
    assert_non_null(y = e->value[k + 1] = calloc((size_t)(s->rows * s->cols), sizeof(double)));
    for (int i = 0; i < s->inputs; i++) x[i] = e->value[s->input[i]];
    const step *const from = s->input[0] > 0 ? &n->step[s->input[0] - 1] : NULL;
    const int in = from != NULL ? from->cols : n->dim;
    if (s->kind == &step_affine) run_affine(y, s, x[0], in, m);
    if (s->kind == &step_layernorm) run_layernorm(y, s, x[0], m);
    if (s->kind == &step_attention)
      run_attention(y, s, x, s->input[1] > 0 ? n->step[s->input[1] - 1].rows : n->tokens, m);
    for (int i = 0; i < s->rows * s->cols; i++) {
      if (s->kind == &step_activation) y[i] = stored(run_curve(s->curve, x[0][i], m), m);
      if (s->kind == &step_sum) y[i] = stored(x[0][i] + x[1][i], m);
      if (s->kind == &step_select) y[i] = x[0][s->token * s->cols + i];
    }
  }
}

void executed_network_clear(executed_network *e, const network_case *c) {
  for (int k = 0; k <= c->network.count; k++) free(e->value[k]);
}
