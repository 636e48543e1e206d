#include "search/worst_products.h"

#include "kernel/linear/vector.h"
#include "kernel/row/attended_keys.h"

#include <cblas.h>
#include <string.h>

static int width_of(const worst_attention *a) {
  return a->layer->heads * a->layer->head_dim;
}

static worst_factor untransposed(const double *data, int stride) {
  return (worst_factor){data, stride, false};
}

worst_factor worst_transpose(worst_factor f) {
  return (worst_factor){f.data, f.stride, !f.transposed};
}

worst_factor worst_square(const worst_attention *a, const double *s) {
  return untransposed(s, a->n);
}

worst_factor worst_head(const worst_attention *a, const double *v, int h) {
  return untransposed(v + (size_t)h * (size_t)a->layer->head_dim, width_of(a));
}

double *worst_weights(const worst_attention *a, int h) {
  return a->weights + (size_t)h * (size_t)a->n * (size_t)a->n;
}

/* C (rows x cols, of that stride) := alpha l r + beta C. */
static void gemm(double *c, int stride, double alpha, worst_factor l, worst_factor r, int rows, int cols, int inner,
                 double beta) {
  cblas_dgemm(CblasRowMajor, l.transposed ? CblasTrans : CblasNoTrans, r.transposed ? CblasTrans : CblasNoTrans, rows,
              cols, inner, alpha, l.data, l.stride, r.data, r.stride, beta, c, stride);
}

void worst_multiply_square(double *c, const worst_attention *a, double alpha, worst_factor l, worst_factor r,
                           double beta) {
  gemm(c, a->n, alpha, l, r, a->n, a->n, a->layer->head_dim, beta);
}

void worst_multiply_head(double *c, int h, const worst_attention *a, double alpha, worst_factor l, worst_factor r,
                         double beta) {
  const int k = a->layer->head_dim;
  gemm(c + (size_t)h * (size_t)k, width_of(a), alpha, l, r, a->n, k, a->n, beta);
}

void worst_project(const worst_projections *out, const worst_attention *a, const double *u) {
  const attcert_layer *const l = a->layer;
  const int d = l->dim, width = width_of(a);
  const worst_factor tokens = untransposed(u, d);
  gemm(out->query, width, 1.0, tokens, worst_transpose(untransposed(l->query_weight, d)), a->n, width, d, 0.0);
  gemm(out->key, width, 1.0, tokens, worst_transpose(untransposed(l->key_weight, d)), a->n, width, d, 0.0);
  gemm(out->value, width, 1.0, tokens, worst_transpose(untransposed(l->value_weight, d)), a->n, width, d, 0.0);
}

void worst_pull_back(double *u, const worst_attention *a, const worst_projections *out) {
  const attcert_layer *const l = a->layer;
  const int d = l->dim, width = width_of(a);
  gemm(u, d, 1.0, untransposed(out->query, width), untransposed(l->query_weight, d), a->n, d, width, 0.0);
  gemm(u, d, 1.0, untransposed(out->key, width), untransposed(l->key_weight, d), a->n, d, width, 1.0);
  gemm(u, d, 1.0, untransposed(out->value, width), untransposed(l->value_weight, d), a->n, d, width, 1.0);
}

void worst_join_output(double *y, const worst_attention *a) {
  const attcert_layer *const l = a->layer;
  const int width = width_of(a);
  if (l->output_weight == NULL)
    memcpy(y, a->channels, (size_t)a->n * (size_t)width * sizeof(double));
  else
    gemm(y, l->out_dim, 1.0, untransposed(a->channels, width), worst_transpose(untransposed(l->output_weight, width)),
         a->n, l->out_dim, width, 0.0);
}

void worst_split_output(const worst_attention *a, const double *y) {
  const attcert_layer *const l = a->layer;
  const int width = width_of(a);
  if (l->output_weight == NULL)
    memcpy(a->channels, y, (size_t)a->n * (size_t)width * sizeof(double));
  else
    gemm(a->channels, width, 1.0, untransposed(y, l->out_dim), untransposed(l->output_weight, width), a->n, width,
         l->out_dim, 0.0);
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
  worst_multiply_square(s, a, 1.0 / a->root, worst_head(a, a->along.query, h), worst_transpose(key), 0.0);
  worst_multiply_square(s, a, 1.0 / a->root, query, worst_transpose(worst_head(a, a->along.key, h)), 1.0);
}

void worst_weight_cotangent(double *s, const worst_attention *a, int h) {
  const worst_factor value = worst_head(a, a->at.value, h);
  worst_multiply_square(s, a, 1.0, worst_head(a, a->channels, h), worst_transpose(value), 0.0);
}
