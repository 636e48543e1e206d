#include "search/worst_products.h"

#include "kernel/linear/vector.h"
#include "kernel/row/attended_keys.h"

#include <cblas.h>
#include <string.h>

/* Whether it is written to is up to worst_multiply. */
static worst_factor matrix(const double *data, int rows, int cols) {
  return (worst_factor){(double *)data, rows, cols, cols, false};
}

static worst_factor channels(const worst_attention *a, const double *v) {
  return matrix(v, a->n, a->layer->heads * a->layer->head_dim);
}

/* W_Q, W_K or W_V. */
static worst_factor projection(const worst_attention *a, const double *weight) {
  return matrix(weight, a->layer->heads * a->layer->head_dim, a->layer->dim);
}

static worst_factor output_weight(const worst_attention *a) {
  return matrix(a->layer->output_weight, a->layer->out_dim, a->layer->heads * a->layer->head_dim);
}

worst_factor worst_transpose(worst_factor f) {
  f.transposed = !f.transposed;
  return f;
}

worst_factor worst_square(const worst_attention *a, const double *s) {
  return matrix(s, a->n, a->n);
}

worst_factor worst_head(const worst_attention *a, const double *v, int h) {
  worst_factor f = channels(a, v + (size_t)h * (size_t)a->layer->head_dim);
  f.cols = a->layer->head_dim;
  return f;
}

double *worst_weights(const worst_attention *a, int h) {
  return a->weights + (size_t)h * (size_t)a->n * (size_t)a->n;
}

void worst_multiply(worst_factor c, double alpha, worst_factor l, worst_factor r, double beta) {
  cblas_dgemm(CblasRowMajor, l.transposed ? CblasTrans : CblasNoTrans, r.transposed ? CblasTrans : CblasNoTrans, c.rows,
              c.cols, l.transposed ? l.rows : l.cols, alpha, l.data, l.stride, r.data, r.stride, beta, c.data,
              c.stride);
}

void worst_project(const worst_projections *out, const worst_attention *a, const double *u) {
  const attcert_layer *const l = a->layer;
  const worst_factor tokens = matrix(u, a->n, l->dim);
  worst_multiply(channels(a, out->query), 1.0, tokens, worst_transpose(projection(a, l->query_weight)), 0.0);
  worst_multiply(channels(a, out->key), 1.0, tokens, worst_transpose(projection(a, l->key_weight)), 0.0);
  worst_multiply(channels(a, out->value), 1.0, tokens, worst_transpose(projection(a, l->value_weight)), 0.0);
}

void worst_pull_back(double *u, const worst_attention *a, const worst_projections *out) {
  const attcert_layer *const l = a->layer;
  const worst_factor tokens = matrix(u, a->n, l->dim);
  worst_multiply(tokens, 1.0, channels(a, out->query), projection(a, l->query_weight), 0.0);
  worst_multiply(tokens, 1.0, channels(a, out->key), projection(a, l->key_weight), 1.0);
  worst_multiply(tokens, 1.0, channels(a, out->value), projection(a, l->value_weight), 1.0);
}

void worst_join_output(double *y, const worst_attention *a) {
  const worst_factor heads = channels(a, a->channels);
  if (a->layer->output_weight == NULL)
    memcpy(y, a->channels, (size_t)heads.rows * (size_t)heads.cols * sizeof *y);
  else
    worst_multiply(matrix(y, a->n, a->layer->out_dim), 1.0, heads, worst_transpose(output_weight(a)), 0.0);
}

void worst_split_output(const worst_attention *a, const double *y) {
  const worst_factor heads = channels(a, a->channels);
  if (a->layer->output_weight == NULL)
    memcpy(a->channels, y, (size_t)heads.rows * (size_t)heads.cols * sizeof *y);
  else
    worst_multiply(heads, 1.0, matrix(y, a->n, a->layer->out_dim), output_weight(a), 0.0);
}

void worst_softmax_derivative(double *out, const worst_attention *a, const double *s, int h) {
  for (int i = 0; i < a->n; i++) {
    const size_t row = (size_t)i * (size_t)a->n, attended = (size_t)attended_keys(a->layer->mask, i, a->n);
    const double *const p = worst_weights(a, h) + row;
    const double mean = vector_dot(p, s + row, (int)attended);
    for (size_t j = 0; j < attended; j++) out[row + j] = p[j] * (s[row + j] - mean);
    memset(out + row + attended, 0, ((size_t)a->n - attended) * sizeof(double));
  }
}

void worst_score_derivative(double *s, const worst_attention *a, int h) {
  const worst_factor query = worst_head(a, a->at.query, h), key = worst_head(a, a->at.key, h);
  worst_multiply(worst_square(a, s), 1.0 / a->root, worst_head(a, a->along.query, h), worst_transpose(key), 0.0);
  worst_multiply(worst_square(a, s), 1.0 / a->root, query, worst_transpose(worst_head(a, a->along.key, h)), 1.0);
}

void worst_weight_cotangent(double *s, const worst_attention *a, int h) {
  const worst_factor value = worst_head(a, a->at.value, h);
  worst_multiply(worst_square(a, s), 1.0, worst_head(a, a->channels, h), worst_transpose(value), 0.0);
}
