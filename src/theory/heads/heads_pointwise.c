#include "theory/heads/heads_pointwise.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "linalg/norm/interval_norm.h"
#include "network/attention/step_attention_weights.h"
#include "theory/heads/heads_norms.h"
#include "theory/heads/heads_pull.h"

#include <stdatomic.h>

/* Products of intervals that all heads may take: some half a minute on one thread. */
static const double MOST_PRODUCTS = 0x1p28;

const char *heads_pointwise_refusal(const heads_layer *layer) {
  const attention_heads *const of = layer->of;
  const double n = layer->network->tokens, k = of->head_dim, v = of->value_dim;
  const heads_path *const path[] = {&layer->query, &layer->key};
  for (int i = 0; i < 2; i++)
    if (path[i]->norm != NULL && path[i]->cols / path[i]->norm->parts != path[i]->head_cols)
      return "is evaluated where queries and keys are normed head by head, here several heads are normed together";
  return of->heads * n * n * (k * k + k * v + v * v) > MOST_PRODUCTS
             ? "would take minutes: it has a matrix of intervals for each head and pair of tokens"
             : NULL;
}

/* Of one head: products of its maps, and what comes of each row. */
typedef struct {
  const heads_input *in;
  int head, key_head;
  interval *kk, *qq, *vk, *vv; /* K K^T, Q Q^T [k, k]; V K^T [v, k]; V V^T [v, v] */
  interval *alpha2, *beta;     /* [n] */
  atomic_bool failed;          /* out of memory */
} pointwise;

/* One row's scratch. */
typedef struct {
  interval *mean, *delta, *vg; /* [v] */
  interval *g, *kg;            /* [k] */
  interval *m;                 /* [v, v] */
  interval *c, *qc;            /* [v, k] */
  interval norm2, t;
  interval_scratch ws;
} scratch;

/* out [rows_a, rows_b] := A B^T of rows of two maps. */
static attcert_status map_product(interval *out, const double *a, int rows_a, const double *b, int rows_b, int dim,
                                  attcert_error *err) {
  point *const at_a = step_points(a, rows_a, dim, false, err), *const at_b = step_points(b, rows_b, dim, false, err);
  const size_t d = (size_t)dim;
  interval_scratch ws;
  interval_scratch_init(&ws, THEORY_PRECISION);
  for (int i = 0; at_a != NULL && at_b != NULL && i < rows_a * rows_b; i++)
    interval_dot_points(&out[i], at_a + (size_t)(i / rows_b) * d, at_b + (size_t)(i % rows_b) * d, d, &ws);
  interval_scratch_clear(&ws);
  point_vec_free(at_a);
  point_vec_free(at_b);
  return at_a != NULL && at_b != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
}

static attcert_status set_products(pointwise *t, attcert_error *err) {
  const heads_layer *const l = t->in->layer;
  const int k = l->of->head_dim, v = l->of->value_dim, d = l->network->dim;
  const double *const query = l->query.map->weight + (size_t)t->head * (size_t)k * (size_t)d;
  const double *const key = l->key.map->weight + (size_t)t->key_head * (size_t)k * (size_t)d;
  const double *const value = l->values.map->weight + (size_t)t->key_head * (size_t)v * (size_t)d;
  attcert_status status = map_product(t->kk, key, k, key, k, d, err);
  if (status == ATTCERT_OK) status = map_product(t->qq, query, k, query, k, d, err);
  if (status == ATTCERT_OK) status = map_product(t->vk, value, v, key, k, d, err);
  return status == ATTCERT_OK ? map_product(t->vv, value, v, value, v, d, err) : status;
}

/* out := A x, A rows x cols. */
static void multiply(interval *out, const interval *a, const interval *x, int rows, int cols, interval_scratch *ws) {
  for (int i = 0; i < rows; i++) interval_dot(&out[i], a + (size_t)i * (size_t)cols, x, (size_t)cols, ws);
}

/* m += P ( (V g) delta^T + delta (V g)^T + |g|^2 delta delta^T ) */
static void add_values(scratch *s, const interval *weight, int v) {
  for (int a = 0; a < v; a++) {
    for (int b = 0; b < v; b++) {
      interval_mul(&s->t, &s->delta[a], &s->norm2, &s->ws);
      interval_add(&s->t, &s->t, &s->vg[a]);
      interval_mul(&s->t, &s->t, &s->delta[b], &s->ws);
      interval_fma(&s->t, &s->delta[a], &s->vg[b], &s->t, &s->ws);
      interval_fma(&s->m[a * v + b], &s->t, weight, &s->m[a * v + b], &s->ws);
    }
  }
}

/* Token j's part in the row of token i: of m, and of c = sum_j P_ij c'_ij (v_j - y_i) k_j^T / divisor. */
static void add_token(scratch *s, const pointwise *t, const attention_place *at, int j, const interval *divisor) {
  const heads_input *const in = t->in;
  const int k = at->of->head_dim, v = at->of->value_dim;
  const interval *const weight = step_entry(&in->weights, at->row, j), *const slope =
                                                                           step_entry(&in->slope, at->row, j);
  const interval *const query = step_entry(&in->value[in->layer->query.value], at->row, at->query);
  const interval *const key = step_entry(&in->value[in->layer->key.value], j, at->key);
  const interval *const value = step_entry(&in->value[in->layer->values.value], j, at->value);
  interval *const factor = &s->norm2;
  for (int a = 0; a < v; a++) interval_sub(&s->delta[a], &value[a], &s->mean[a]);
  interval_div(factor, slope, divisor, &s->ws);
  for (int r = 0; r < k; r++) interval_mul(&s->g[r], &query[r], factor, &s->ws);
  interval_mul(factor, factor, weight, &s->ws);
  for (int a = 0; a < v; a++) {
    interval_mul(&s->t, factor, &s->delta[a], &s->ws);
    for (int r = 0; r < k; r++) interval_fma(&s->c[a * k + r], &s->t, &key[r], &s->c[a * k + r], &s->ws);
  }
  heads_pull(s->g, &in->layer->key, t->key_head, j, &in->value[in->layer->key.mapped], &s->ws);
  multiply(s->kg, t->kk, s->g, k, k, &s->ws);
  multiply(s->vg, t->vk, s->g, v, k, &s->ws);
  interval_dot(&s->norm2, s->g, s->kg, (size_t)k, &s->ws);
  add_values(s, weight, v);
}

/* beta := ||c T Q||, T the derivative of the query by its map's value. */
static attcert_status query_part(interval *beta, scratch *s, const pointwise *t, const attention_place *at) {
  const heads_input *const in = t->in;
  const int k = at->of->head_dim, v = at->of->value_dim;
  for (int a = 0; a < v; a++) {
    heads_pull(s->c + a * k, &in->layer->query, t->head, at->row, &in->value[in->layer->query.mapped], &s->ws);
    multiply(s->qc + a * k, t->qq, s->c + a * k, k, k, &s->ws);
  }
  for (int i = 0; i < v * v; i++) interval_dot(&s->m[i], s->c + i / v * k, s->qc + i % v * k, (size_t)k, &s->ws);
  const attcert_status status = interval_matrix_norm(beta, s->m, v, v, NULL);
  interval_sqrt(beta, beta);
  return status;
}

static attcert_status bound_row(pointwise *t, scratch *s, int i) {
  const heads_input *const in = t->in;
  const attention_heads *const of = in->layer->of;
  const attention_place at = attention_place_of(of, i * of->heads + t->head, in->layer->network->tokens);
  const int v = of->value_dim;
  interval divisor;
  interval_init(&divisor, THEORY_PRECISION);
  heads_divisor(&divisor, in->layer);
  for (int number = 0; number < at.count; number++) {
    const int j = attention_place_key(&at, number);
    const interval *const value = step_entry(&in->value[in->layer->values.value], j, at.value);
    for (int a = 0; a < v; a++)
      interval_fma(&s->mean[a], step_entry(&in->weights, i, j), &value[a], &s->mean[a], &s->ws);
  }
  for (int a = 0; a < v * v; a++) interval_set(&s->m[a], &t->vv[a]);
  for (int j = 0; j < at.count; j++) add_token(s, t, &at, attention_place_key(&at, j), &divisor);
  attcert_status status = interval_matrix_norm(&t->alpha2[i], s->m, v, v, NULL);
  if (status == ATTCERT_OK) status = query_part(&t->beta[i], s, t, &at);
  interval_clear(&divisor);
  return status;
}

static void bound_token(void *context, int i) {
  pointwise *const t = context;
  const size_t k = (size_t)t->in->layer->of->head_dim, v = (size_t)t->in->layer->of->value_dim;
  interval *const all = interval_vec_new(3 * v + 2 * k + v * v + 2 * v * k, THEORY_PRECISION);
  if (all == NULL) {
    atomic_store(&t->failed, true);
    return;
  }
  scratch s = {.mean = all, .delta = all + v, .vg = all + 2 * v, .g = all + 3 * v, .kg = all + 3 * v + k};
  s.m = s.kg + k;
  s.c = s.m + v * v;
  s.qc = s.c + v * k;
  interval_init(&s.norm2, THEORY_PRECISION);
  interval_init(&s.t, THEORY_PRECISION);
  interval_scratch_init(&s.ws, THEORY_PRECISION);
  if (bound_row(t, &s, i) != ATTCERT_OK) atomic_store(&t->failed, true);
  interval_scratch_clear(&s.ws);
  interval_clear(&s.t);
  interval_clear(&s.norm2);
  interval_vec_free(all);
}

/* sqrt( max_j sum_i P_ij alpha_i^2 ) + max_i beta_i */
static void combine_rows(interval *bound, const pointwise *t, int n) {
  interval sum, largest;
  interval_scratch ws;
  interval_init(&sum, THEORY_PRECISION);
  interval_init(&largest, THEORY_PRECISION);
  interval_scratch_init(&ws, THEORY_PRECISION);
  interval_set_zero(bound);
  for (int j = 0; j < n; j++) {
    interval_set_zero(&sum);
    for (int i = 0; i < n; i++) interval_fma(&sum, step_entry(&t->in->weights, i, j), &t->alpha2[i], &sum, &ws);
    interval_max(bound, bound, &sum);
  }
  interval_sqrt(bound, bound);
  for (int i = 0; i < n; i++) interval_max(&largest, &largest, &t->beta[i]);
  interval_add(bound, bound, &largest);
  interval_scratch_clear(&ws);
  interval_clear(&largest);
  interval_clear(&sum);
}

attcert_status heads_pointwise(interval *bound, const heads_input *in, int h, int threads, attcert_error *err) {
  const attention_heads *const of = in->layer->of;
  const size_t k = (size_t)of->head_dim, v = (size_t)of->value_dim, n = (size_t)in->layer->network->tokens;
  const size_t count = 2 * k * k + v * k + v * v + 2 * n;
  interval *const all = interval_vec_new(count, THEORY_PRECISION);
  if (all == NULL)
    return array_out_of_memory(err, interval_vec_bytes(count, THEORY_PRECISION), "the pointwise bound of a head");
  pointwise t = {.in = in, .head = h, .key_head = attention_heads_key_head(of, h), .kk = all, .qq = all + k * k};
  t.vk = t.qq + k * k;
  t.vv = t.vk + v * k;
  t.alpha2 = t.vv + v * v;
  t.beta = t.alpha2 + n;
  attcert_status status = set_products(&t, err);
  if (status == ATTCERT_OK) parallel_for((int)n, parallel_threads(threads), bound_token, &t);
  if (status == ATTCERT_OK && atomic_load(&t.failed))
    status = array_out_of_memory(err, interval_vec_bytes(count, THEORY_PRECISION), "the pointwise bound of a head");
  if (status == ATTCERT_OK) combine_rows(bound, &t, (int)n);
  interval_vec_free(all);
  return status;
}
