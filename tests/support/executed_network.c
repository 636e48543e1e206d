#include "executed_network.h"

#include "executed_activation.h"
#include "executed_batchnorm.h"
#include "executed_layernorm.h"
#include "executed_rmsnorm.h"
#include "executed_rotary.h"
#include "network/activation/step_activation.h"
#include "network/affine/step_affine.h"
#include "network/arrange/step_arrange.h"
#include "network/attention/step_attention.h"
#include "network/batchnorm/step_batchnorm.h"
#include "network/join/step_join.h"
#include "network/mean/step_mean.h"
#include "network/product/step_product.h"
#include "network/scale/step_scale.h"
#include "network/select/step_select.h"
#include "network/sum/step_sum.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The first ones take turns, in each of the orders, with what is usual; the others are drawn. */
executed_manner executed_network_manner(const char *format, int index) {
  random_source r = random_source_make(31, 5, (uint64_t)index);
  executed_manner m = {.format = format, .wide = strcmp(format, "float64") == 0, .order = index % 4};
  m.wrong = index % 8 < 4 ? 1.0 : -1.0;
  m.fused = index / 2 % 2 == 1;
  m.stores = m.fused ? STORES_NOTHING : STORES_ALL;
  m.grouping = index;
  if (index < 8) return m;
  m.fused = random_chance(&r, 0.5);
  m.off = random_chance(&r, 0.5);
  m.stores = (executed_stores)random_integer(&r, 0, STORES_SOME);
  m.grouping = random_integer(&r, 0, 1 << 20);
  m.moments = (executed_moments)(index % MOMENTS_WAYS);
  return m;
}

static void run_affine(double *y, const step *s, const double *x, int in, execution *e) {
  const affine_weights *const w = s->of;
  double weight[EXECUTED_COLUMNS];
  for (int i = 0; i < s->rows; i++) {
    for (int c = 0; c < s->cols; c++) {
      for (int a = 0; a < in; a++) weight[a] = execution_weight(w->weight[c * in + a], e);
      const double product = execution_kept(execution_dot(weight, x + i * in, 1, in, e), e);
      y[i * s->cols + c] = execution_stored(w->bias != NULL ? product + execution_weight(w->bias[c], e) : product, e);
    }
  }
}

/* q . k / root: scaled behind, or queries, or queries and keys before; a quotient or a product. */
static double product_of(const double *q, const double *k, int dim, double root, execution *e) {
  double scaled[EXECUTED_COLUMNS], also[EXECUTED_COLUMNS];
  const int way = e->m.grouping / 3 % 4;
  const double first = execution_constant(way == 3 ? 1.0 / sqrt(root) : 1.0 / root, e);
  if (way == 0)
    return execution_kept(execution_kept(execution_dot(q, k, 1, dim, e), e) / execution_constant(root, e), e);
  if (way == 1) return execution_kept(execution_kept(execution_dot(q, k, 1, dim, e), e) * first, e);
  for (int c = 0; c < dim; c++) {
    scaled[c] = execution_kept(q[c] * first, e);
    also[c] = way == 3 ? execution_kept(k[c] * first, e) : k[c];
  }
  return execution_kept(execution_dot(scaled, also, 1, dim, e), e);
}

/* Through the curve, whose argument is a quotient or a product. */
static double score_of(const double *q, const double *k, const attention_heads *of, execution *e) {
  const double s = product_of(q, k, of->head_dim, sqrt(of->divided_by), e);
  if (of->curve == NULL) return s;
  assert_ptr_equal(of->curve, &curve_tanh);
  const double argument =
      e->m.grouping % 2 == 0 ? s / execution_constant(of->cap, e) : s * execution_constant(1.0 / of->cap, e);
  const double inside = execution_kept(execution_function(tanh(execution_kept(argument, e)), e), e);
  return execution_kept(inside * execution_constant(of->cap, e), e);
}

/* exp of a difference, or a power of 2; 0 of a key that takes no part, and of a block of such keys. */
static double exponential(double score, double largest, execution *e) {
  if (score == -INFINITY) return 0.0;
  const double apart = execution_kept(score - largest, e), base = execution_constant(1.4426950408889634, e);
  const double power = execution_function(exp2(execution_computed(apart * base, e)), e);
  return execution_kept(e->m.grouping / 5 % 2 == 0 ? execution_function(exp(apart), e) : power, e);
}

/* weight[0 .. count - 1] from the scores, and *total, their sum; in two blocks, the first rescaled by the growth of the
 * largest score, where *rescaled leaves what the first block's part of the mean is to be multiplied by. */
static double exponentials(double *weight, double *total, double *rescaled, int first, int count, execution *e) {
  double term[RANDOM_NETWORK_TOKENS + 1], largest = -INFINITY, before = -INFINITY;
  for (int j = 0; j < count; j++) {
    largest = fmax(largest, weight[j]);
    if (j < first) before = largest;
  }
  *rescaled = first > 0 ? exponential(before, largest, e) : 1.0;
  for (int j = 0; j < count; j++) term[j] = weight[j] = exponential(weight[j], j < first ? before : largest, e);
  const double of_first = execution_computed(execution_sum(term, first, e) * *rescaled, e);
  *total = execution_kept(of_first + execution_sum(term + first, count - first, e), e);
  return *total;
}

/* Fused: the mean of the values before the division by the sum. sinks: one weight more, behind the others, of which
 * there is no value; it may be a block of its own. */
static void run_head(double *y, double *weight, const double *value, int stride, int dim, int count, bool sinks,
                     execution *e) {
  double total, rescaled;
  const bool alone = sinks && e->m.grouping / 14 % 2 == 1;
  const int first = e->m.grouping / 7 % 2 == 0 ? 0 : alone ? count : count / 2;
  exponentials(weight, &total, &rescaled, first, count + sinks, e);
  const bool before = !e->m.fused && first == 0;
  for (int j = 0; j < count && before; j++) {
    const double quotient = e->m.grouping % 2 == 0 ? weight[j] / total : weight[j] * execution_kept(1.0 / total, e);
    weight[j] = execution_stored(quotient, e);
  }
  for (int j = 0; j < count && e->m.stores == STORES_ALL; j++) weight[j] = execution_stored(weight[j], e);
  for (int c = 0; c < dim; c++) {
    const double *const v = value + c;
    const double of_first = execution_computed(execution_dot(weight, v, stride, first, e) * rescaled, e);
    const double of_rest = execution_dot(weight + first, v + first * stride, stride, count - first, e);
    const double mean = execution_computed(of_first + of_rest, e);
    y[c] = execution_stored(before ? mean : mean / total, e);
  }
}

/* A bias by slope: the slope off by roundings and a function, in float32 or wider, times the distance, or a place from
 * the first or the last token where that is the same for all keys. */
static double sloped(const attention_heads *of, int h, int token, int key, execution *e) {
  const double exact = of->span > 1 ? -of->bias[h * (2 * of->span - 1) + of->span - 2] : 0.0;
  const double computed = execution_function(execution_constant(exact, e), e);
  const double slope = e->m.grouping / 2 % 2 == 0 ? computed : (double)(float)computed;
  const int way = of->after == 0 && of->sink == NULL ? e->m.grouping / 11 % 3 : 0;
  const int place = way == 0 ? -abs(key - token) : way == 1 ? key : key - (of->span - 1);
  return execution_kept(slope * place, e);
}

/* The pair's own bias, of a list's key; false: the key takes no part. Both biases may be added up first. */
static bool add_pair(double *score, const attention_heads *of, const double *bias, int h, int token, int key,
                     execution *e) {
  const attention_pair_lists *const p = of->pairs;
  bool listed = p == NULL || p->lists == 0;
  const size_t row = listed ? 0 : (size_t)(p->lists > 1 ? h : 0) * (size_t)p->rows + (size_t)token;
  for (size_t k = listed ? 0 : p->begin[row]; !listed && k < p->begin[row + 1]; k++) listed = p->key[k] == key;
  if (!listed) return false;
  const double offset = of->bias_low != NULL ? sloped(of, h, token, key, e)
                        : bias != NULL       ? execution_weight(*bias, e)
                                             : 0.0;
  const bool paired = p != NULL && p->biases > 0;
  const double own = paired ? execution_weight(attention_heads_pair_bias(of, h, token, key), e) : 0.0;
  if (bias != NULL && paired && e->m.grouping % 2 == 0) {
    *score = execution_kept(*score + execution_kept(offset + own, e), e);
    return true;
  }
  if (bias != NULL) *score = execution_kept(*score + offset, e);
  if (paired) *score = execution_kept(*score + own, e);
  return true;
}

/* What takes no part has the weight exp(-inf), exactly 0. */
static void run_attention(double *y, const step *s, double *const *x, int keys, execution *e) {
  const attention_heads *const of = s->of;
  const int query_cols = of->heads * of->head_dim, key_cols = of->key_heads * of->head_dim;
  const int value_cols = of->key_heads * of->value_dim;
  double weight[RANDOM_NETWORK_TOKENS + 1];
  for (int i = 0; i < s->rows; i++) {
    const int token = of->token >= 0 ? of->token : i;
    int first = 0, count = 0;
    while (token - first > of->before) first++;
    while (first + count < keys && first + count - token <= of->after) count++;
    for (int h = 0; h < of->heads; h++) {
      const int g = h * of->key_heads / of->heads;
      const double *const q = x[0] + i * query_cols + h * of->head_dim;
      const double *const k = x[1] + first * key_cols + g * of->head_dim;
      const double *const v = x[2] + first * value_cols + g * of->value_dim;
      const double *const bias =
          of->bias != NULL ? of->bias + h * (2 * of->span - 1) + of->span - 1 + first - token : NULL;
      for (int j = 0; j < count; j++) {
        weight[j] = score_of(q, k + j * key_cols, of, e);
        if (!add_pair(&weight[j], of, bias != NULL ? &bias[j] : NULL, h, token, first + j, e)) weight[j] = -INFINITY;
      }
      if (of->sink != NULL) weight[count] = execution_weight(of->sink[h], e);
      run_head(y + i * s->cols + h * of->value_dim, weight, v, value_cols, of->value_dim, count, of->sink != NULL, e);
    }
  }
}

/* The sum over the count, or times its reciprocal. */
static void run_mean(double *y, const step *s, const double *x, int rows, execution *e) {
  const int first = *(const int *)s->of, count = rows - first;
  double term[RANDOM_NETWORK_TOKENS];
  for (int c = 0; c < s->cols; c++) {
    for (int i = 0; i < count; i++) term[i] = x[(first + i) * s->cols + c];
    const double sum = execution_kept(execution_sum(term, count, e), e);
    const double reciprocal = execution_constant(1.0 / count, e);
    y[c] = execution_stored(e->m.grouping % 2 == 0 ? sum / execution_constant(count, e) : sum * reciprocal, e);
  }
}

/* Constants are weights. */
static void run_arrange(double *y, const step_arrangement *of, const double *x, const execution *e) {
  for (int k = 0; k < of->rows * of->cols; k++) {
    const double constant = of->constant != NULL && of->from[k] < 0 ? of->constant[k] : 0.0;
    y[k] = of->from[k] >= 0 ? x[of->from[k]] : execution_weight(constant, e);
  }
}

void executed_network_run(executed_network *e, const network_case *c, const double *input, const executed_manner *m) {
  const network_steps *const n = &c->network;
  const size_t count = (size_t)(n->tokens * n->dim);
  execution run = execution_begin(m);
  assert_true(n->count < EXECUTED_VALUES);
  assert_non_null(e->value[0] = calloc(count, sizeof(double)));
  for (size_t k = 0; k < count; k++) e->value[0][k] = execution_stored(input[k], &run);
  for (int k = 0; k < n->count; k++) {
    const step *const s = &n->step[k];
    double *x[STEP_MAX_INPUTS], *y;
    assert_true(s->cols <= EXECUTED_COLUMNS);
    assert_non_null(y = e->value[k + 1] = calloc((size_t)(s->rows * s->cols), sizeof(double)));
    for (int i = 0; i < s->inputs; i++) x[i] = e->value[s->input[i]];
    if (s->kind == &step_affine) run_affine(y, s, x[0], network_cols(n, s->input[0]), &run);
    if (s->kind == &step_attention) run_attention(y, s, x, network_rows(n, s->input[1]), &run);
    if (s->kind == &step_mean) run_mean(y, s, x[0], network_rows(n, s->input[0]), &run);
    if (s->kind == &step_arrange) run_arrange(y, s->of, x[0], &run);
    for (int i = 0; i < s->rows && s->kind == &step_batchnorm; i++)
      executed_batchnorm(y + i * s->cols, s->of, x[0] + i * s->cols, &run);
    for (int i = 0; i < s->rows && s->kind == &step_layernorm; i++)
      executed_layernorm(y + i * s->cols, s, x[0] + i * s->cols, &run);
    for (int i = 0; i < s->rows && s->kind == &step_rmsnorm; i++)
      executed_rmsnorm(y + i * s->cols, s, x[0] + i * s->cols, &run);
    for (int i = 0; i < s->rows && s->kind == &step_rotary; i++)
      executed_rotary(y + i * s->cols, s, i, x[0] + i * s->cols, &run);
    for (int i = 0; i < s->rows * s->cols; i++) {
      if (s->kind == &step_activation) y[i] = execution_stored(executed_activation(s->of, x[0][i], &run), &run);
      if (s->kind == &step_product) y[i] = execution_stored(x[0][i] * x[1][i], &run);
      if (s->kind == &step_scale) {
        const double factor = ((const scale_weights *)s->of)->factor[i % s->cols];
        y[i] = execution_stored(x[0][i] * execution_weight(factor, &run), &run);
      }
      if (s->kind == &step_sum) y[i] = execution_stored(x[0][i] + x[1][i], &run);
      if (s->kind == &step_join) {
        const int first = network_cols(n, s->input[0]), at = i % s->cols, row = i / s->cols;
        y[i] = at < first ? x[0][row * first + at] : x[1][row * (s->cols - first) + at - first];
      }
      if (s->kind == &step_select) y[i] = x[0][*(const int *)s->of * s->cols + i];
    }
  }
}

void executed_network_clear(executed_network *e, const network_case *c) {
  for (int k = 0; k <= c->network.count; k++) free(e->value[k]);
}
