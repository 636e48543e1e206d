#include "ball/ball_products.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "certify/enclosure/attention_enclosure.h"
#include "certify/enclosure/score_gradients.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"

#include <stdlib.h>

/* The head's vectors, token by token. */
typedef struct {
  ball_products *b;
  const layer_enclosure *e;
  int head;
  size_t dim, height; /* d; rows of W_h, or k without W_O */
  interval *g, *h;    /* [n][d] */
  interval *v;        /* [n][height]: W_h v_j */
  point *output;      /* [height][k]: W_h, or NULL */
} vectors;

static size_t height_of(const attcert_layer *layer) {
  return (size_t)(layer->output_weight != NULL ? layer->out_dim : layer->head_dim);
}

static bool vectors_init(vectors *s, ball_products *b, const attcert_layer *layer, const layer_enclosure *e, int h) {
  const size_t n = (size_t)e->n, k = (size_t)e->head_dim, width = (size_t)e->heads * k;
  *s = (vectors){.b = b, .e = e, .head = h, .dim = (size_t)e->dim, .height = height_of(layer)};
  s->g = interval_vec_new(n * s->dim, e->precision);
  s->h = interval_vec_new(n * s->dim, e->precision);
  s->v = interval_vec_new(n * s->height, e->precision);
  if (layer->output_weight != NULL) s->output = point_vec_new(s->height * k, e->precision);
  if (s->g == NULL || s->h == NULL || s->v == NULL) return false;
  for (size_t o = 0; s->output != NULL && o < s->height; o++)
    point_vec_set_d(s->output + o * k, layer->output_weight + o * width + (size_t)h * k, k);
  return layer->output_weight == NULL || s->output != NULL;
}

static void vectors_clear(vectors *s) {
  interval_vec_free(s->g);
  interval_vec_free(s->h);
  interval_vec_free(s->v);
  point_vec_free(s->output);
}

/* h_j is the gradient g_j of the layer whose queries and keys are exchanged. */
static attcert_status key_gradients(const vectors *s, const attcert_layer *layer, int threads, attcert_error *err) {
  attcert_layer exchanged = *layer;
  layer_enclosure keys = *s->e;
  exchanged.key_weight = layer->query_weight;
  keys.q = s->e->k;
  return score_gradients(s->h, &exchanged, &keys, s->head, threads, err);
}

static void push_value(void *context, int j) {
  const vectors *const s = context;
  const size_t k = (size_t)s->e->head_dim;
  const interval *const v = s->e->v + layer_enclosure_vec(s->e, s->head, j);
  interval *const out = s->v + (size_t)j * s->height;
  interval_scratch ws;
  interval_scratch_init(&ws, s->e->precision);
  for (size_t o = 0; o < s->height; o++) {
    if (s->output != NULL)
      interval_dot_mixed(&out[o], v, s->output + o * k, k, &ws);
    else
      interval_set(&out[o], &v[o]);
  }
  interval_scratch_clear(&ws);
}

/* Row i of the Gram matrices. */
static void multiply_row(void *context, int i) {
  const vectors *const s = context;
  const size_t n = (size_t)s->e->n, d = s->dim, row = (size_t)i;
  interval_scratch ws;
  interval_scratch_init(&ws, s->e->precision);
  for (size_t j = 0; j < n; j++) {
    interval_dot(&s->b->mixed[row * n + j], s->g + row * d, s->h + j * d, d, &ws);
    if (j < row) continue;
    interval_dot(&s->b->gradient[row * n + j], s->g + row * d, s->g + j * d, d, &ws);
    interval_dot(&s->b->key[row * n + j], s->h + row * d, s->h + j * d, d, &ws);
    interval_dot(&s->b->value[row * n + j], s->v + row * s->height, s->v + j * s->height, s->height, &ws);
  }
  interval_scratch_clear(&ws);
}

static void fill_lower_triangle(interval *a, size_t n) {
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < i; j++) interval_set(&a[i * n + j], &a[j * n + i]);
  }
}

/* mean (n x n) at (i, j) := sum_m P_im a_mj; square_i := sum_j P_ij mean_ij. */
static void mean_rows(interval *mean, interval *square, const ball_products *b, const interval *a,
                      interval_scratch *ws) {
  const size_t n = (size_t)b->n;
  for (size_t i = 0; i < n; i++) {
    const int attended = attended_keys(b->mask, (int)i, b->n);
    mean_enclosure(mean + i * n, b->p + i * n, a, attended, b->n, ws);
    interval_dot(&square[i], b->p + i * n, mean + i * n, (size_t)attended, ws);
  }
}

static void add_means(ball_products *b) {
  const size_t n = (size_t)b->n;
  interval_scratch ws;
  interval_scratch_init(&ws, b->precision);
  mean_rows(b->key_mean, b->key_square, b, b->key, &ws);
  mean_rows(b->value_mean, b->value_square, b, b->value, &ws);
  for (size_t l = 0; l < n; l++) {
    for (size_t i = 0; i < n; i++)
      interval_dot(&b->mixed_mean[l * n + i], b->mixed + l * n, b->p + i * n,
                   (size_t)attended_keys(b->mask, (int)i, b->n), &ws);
  }
  interval_scratch_clear(&ws);
}

static attcert_status multiply(ball_products *b, const attcert_layer *layer, const layer_enclosure *e, int h,
                               int threads, attcert_error *err) {
  vectors s;
  attcert_status status = ATTCERT_OK;
  if (!vectors_init(&s, b, layer, e, h))
    status = array_out_of_memory(err, ball_products_bytes(layer, e->n, e->precision), "the products of a head");
  if (status == ATTCERT_OK) status = score_gradients(s.g, layer, e, h, threads, err);
  if (status == ATTCERT_OK) status = key_gradients(&s, layer, threads, err);
  if (status == ATTCERT_OK) {
    parallel_for(e->n, threads, push_value, &s);
    parallel_for(e->n, threads, multiply_row, &s);
  }
  vectors_clear(&s);
  return status;
}

attcert_status ball_products_init(ball_products *b, const attcert_layer *layer, const layer_enclosure *e, int h,
                                  int threads, attcert_error *err) {
  const size_t n = (size_t)e->n;
  *b = (ball_products){.n = e->n, .precision = e->precision, .mask = e->mask, .p = e->p + layer_enclosure_row(e, h, 0)};
  interval **const square[] = {&b->gradient,   &b->mixed,    &b->key,       &b->value,
                               &b->mixed_mean, &b->key_mean, &b->value_mean};
  bool allocated = true;
  for (size_t i = 0; i < sizeof square / sizeof square[0]; i++) {
    *square[i] = interval_vec_new(n * n, e->precision);
    allocated = allocated && *square[i] != NULL;
  }
  b->key_square = interval_vec_new(n, e->precision);
  b->value_square = interval_vec_new(n, e->precision);
  if (!allocated || b->key_square == NULL || b->value_square == NULL)
    return array_out_of_memory(err, ball_products_bytes(layer, e->n, e->precision), "the products of a head");
  const attcert_status status = multiply(b, layer, e, h, threads, err);
  if (status != ATTCERT_OK) return status;
  fill_lower_triangle(b->gradient, n);
  fill_lower_triangle(b->key, n);
  fill_lower_triangle(b->value, n);
  add_means(b);
  return ATTCERT_OK;
}

void ball_products_clear(ball_products *b) {
  interval_vec_free(b->gradient);
  interval_vec_free(b->mixed);
  interval_vec_free(b->key);
  interval_vec_free(b->value);
  interval_vec_free(b->mixed_mean);
  interval_vec_free(b->key_mean);
  interval_vec_free(b->value_mean);
  interval_vec_free(b->key_square);
  interval_vec_free(b->value_square);
  *b = (ball_products){0};
}

uint64_t ball_products_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  const size_t tokens = (size_t)n, vector = 2 * (size_t)layer->dim + height_of(layer);
  return (uint64_t)interval_vec_bytes(tokens * (7 * tokens + 2 + vector), precision) +
         point_vec_bytes(height_of(layer) * (size_t)layer->head_dim, precision) +
         score_gradients_bytes(layer, n, precision);
}

/* r := a_jm - mean_ij - mean_im + square_i */
static void deviation(interval *r, const ball_products *b, const interval *a, const interval *mean,
                      const interval *square, int i, int j, int m) {
  const size_t n = (size_t)b->n, row = (size_t)i * n;
  interval_sub(r, &a[(size_t)j * n + (size_t)m], &mean[row + (size_t)j]);
  interval_sub(r, r, &mean[row + (size_t)m]);
  interval_add(r, r, &square[i]);
}

void ball_products_key_deviation(interval *r, const ball_products *b, int i, int j, int m) {
  deviation(r, b, b->key, b->key_mean, b->key_square, i, j, m);
}

void ball_products_value_deviation(interval *r, const ball_products *b, int i, int j, int m) {
  deviation(r, b, b->value, b->value_mean, b->value_square, i, j, m);
}

void ball_products_mixed_deviation(interval *r, const ball_products *b, int l, int i, int j) {
  const size_t n = (size_t)b->n, row = (size_t)l * n;
  interval_sub(r, &b->mixed[row + (size_t)j], &b->mixed_mean[row + (size_t)i]);
}
