#include "certify/structured_jacobian.h"

#include "certify/dense_matrix.h"
#include "certify/nonnegative_norm.h"
#include "certify/rounding.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A matrix by its rows, or the transpose of one. */
typedef struct {
  const double *data;
  int stride;
  bool transposed;
} factor;

/* C (rows x cols) := op(A) op(B) + beta C, all row-major; a single row as a product with a vector. */
static void multiply(double *c, int c_stride, factor a, factor b, int rows, int cols, int inner, double beta) {
  if (rows == 1 && !a.transposed)
    cblas_dgemv(CblasRowMajor, b.transposed ? CblasNoTrans : CblasTrans, b.transposed ? cols : inner,
                b.transposed ? inner : cols, 1.0, b.data, b.stride, a.data, 1, beta, c, 1);
  else
    cblas_dgemm(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans, b.transposed ? CblasTrans : CblasNoTrans, rows,
                cols, inner, 1.0, a.data, a.stride, b.data, b.stride, beta, c, c_stride);
}

static factor plain(const double *data, int stride) {
  return (factor){data, stride, false};
}

static factor transposed(const double *data, int stride) {
  return (factor){data, stride, true};
}

/* The factors of head h, and of its token i. */
typedef struct {
  const double *p, *g, *v, *q; /* n x n, n x d, k x d, k x d */
} head_factors;

static head_factors factors_of(const midpoint_layer *m, int h) {
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim, first = midpoint_layer_token(m, h, 0);
  return (head_factors){
      .p = m->p + first * n, .g = m->g + first * d, .v = m->v + (size_t)h * k * d, .q = m->q + (size_t)h * k * d};
}

static const double *w_of(const midpoint_layer *m, int h, int i) {
  return m->w + midpoint_layer_token(m, h, i) * (size_t)m->head_dim * (size_t)m->n;
}

static const double *covariance_of(const midpoint_layer *m, int h, int i) {
  return m->covariance + midpoint_layer_token(m, h, i) * (size_t)m->head_dim * (size_t)m->head_dim;
}

/* The rows of token i of all vectors lie n rows apart. */
static double *weights_of(const structured_jacobian *s, int i, int count) {
  return s->weights + (size_t)i * (size_t)count * (size_t)s->m->n;
}

/* Head h of the product, into its columns of out (rows of H k): sum_l P_il V' x_bl + sum_l w_il (g_i . x_bl) + C_i Q' x_bi. */
static void head_forward(const structured_jacobian *s, double *out, const double *x, int count, int h) {
  const midpoint_layer *const m = s->m;
  const int n = m->n, d = m->dim, k = m->head_dim, width = m->heads * k;
  const head_factors f = factors_of(m, h);
  multiply(s->values, k, plain(x, d), transposed(f.v, d), count * n, k, d, 0.0);
  for (int b = 0; b < count; b++)
    multiply(out + (size_t)b * (size_t)n * (size_t)width, width, plain(f.p, n),
             plain(s->values + (size_t)b * (size_t)n * (size_t)k, k), n, k, n, 0.0);
  multiply(s->weights, count * n, plain(f.g, d), transposed(x, d), n, count * n, d, 0.0);
  multiply(s->values, k, plain(x, d), transposed(f.q, d), count * n, k, d, 0.0);
  for (int i = 0; i < n; i++) {
    double *const rows = out + (size_t)i * (size_t)width;
    multiply(rows, n * width, plain(weights_of(s, i, count), n), transposed(w_of(m, h, i), n), count, k, n, 1.0);
    multiply(rows, n * width, plain(s->values + (size_t)i * (size_t)k, n * k), transposed(covariance_of(m, h, i), k),
             count, k, k, 1.0);
  }
}

static void forward(const structured_jacobian *s, double *y, const double *x, int count) {
  const midpoint_layer *const m = s->m;
  const int k = m->head_dim, width = m->heads * k;
  double *const out = m->output != NULL ? s->channels : y;
  for (int h = 0; h < m->heads; h++) head_forward(s, out + h * k, x, count, h);
  if (m->output != NULL)
    multiply(y, m->out_dim, plain(out, width), transposed(m->output, width), count * m->n, m->out_dim, width, 0.0);
}

/* y_bj += sum_i (w_ij . c_bi) g_i + Q'^T C_j^T c_bj, for the cotangents c of head h in rows of H k. */
static void score_response_transposed(const structured_jacobian *s, double *y, const double *c, int count, int h) {
  const midpoint_layer *const m = s->m;
  const int n = m->n, d = m->dim, k = m->head_dim, width = m->heads * k;
  const head_factors f = factors_of(m, h);
  for (int i = 0; i < n; i++) {
    const factor rows = plain(c + (size_t)i * (size_t)width, n * width);
    multiply(weights_of(s, i, count), n, rows, plain(w_of(m, h, i), n), count, n, k, 0.0);
    multiply(s->values + (size_t)i * (size_t)k, n * k, rows, plain(covariance_of(m, h, i), k), count, k, k, 0.0);
  }
  multiply(y, d, transposed(s->weights, count * n), plain(f.g, d), count * n, d, n, 1.0);
  multiply(y, d, plain(s->values, k), plain(f.q, d), count * n, d, k, 1.0);
}

static void head_transposed(const structured_jacobian *s, double *y, const double *c, int count, int h) {
  const midpoint_layer *const m = s->m;
  const int n = m->n, d = m->dim, k = m->head_dim, width = m->heads * k;
  const head_factors f = factors_of(m, h);
  for (int b = 0; b < count; b++)
    multiply(s->values + (size_t)b * (size_t)n * (size_t)k, k, transposed(f.p, n),
             plain(c + (size_t)b * (size_t)n * (size_t)width, width), n, k, n, 0.0);
  multiply(y, d, plain(s->values, k), plain(f.v, d), count * n, d, k, 1.0);
  score_response_transposed(s, y, c, count, h);
}

static void transposed_product(const structured_jacobian *s, double *y, const double *x, int count) {
  const midpoint_layer *const m = s->m;
  const int k = m->head_dim, width = m->heads * k, rows = count * m->n;
  if (m->output != NULL)
    multiply(s->channels, width, plain(x, m->out_dim), plain(m->output, width), rows, width, m->out_dim, 0.0);
  const double *const cotangents = m->output != NULL ? s->channels : x;
  memset(y, 0, (size_t)rows * (size_t)m->dim * sizeof(double));
  for (int h = 0; h < m->heads; h++) head_transposed(s, y, cotangents + h * k, count, h);
}

void structured_jacobian_multiply(const structured_jacobian *s, double *y, const double *x, int count, bool transpose) {
  if (transpose)
    transposed_product(s, y, x, count);
  else
    forward(s, y, x, count);
}

static void apply(const void *context, double *y, const double *x, bool transpose) {
  structured_jacobian_multiply(context, y, x, 1, transpose);
}

/* Doubles of scratch for one vector: channels, values, weights. */
static uint64_t scratch_doubles(uint64_t n, uint64_t heads, uint64_t head_dim) {
  return n * (heads * head_dim + head_dim + n);
}

uint64_t structured_jacobian_bytes(const attcert_layer *layer, int n, int vectors) {
  return (uint64_t)vectors * scratch_doubles((uint64_t)n, (uint64_t)layer->heads, (uint64_t)layer->head_dim) *
         sizeof(double);
}

attcert_status structured_jacobian_init(structured_jacobian *s, const midpoint_layer *m, int vectors,
                                        attcert_error *err) {
  const size_t tokens = (size_t)vectors * (size_t)m->n, k = (size_t)m->head_dim, width = (size_t)m->heads * k;
  *s = (structured_jacobian){.m = m,
                             .vectors = vectors,
                             .channels = malloc(tokens * width * sizeof(double)),
                             .values = malloc(tokens * k * sizeof(double)),
                             .weights = malloc(tokens * (size_t)m->n * sizeof(double))};
  if (s->channels != NULL && s->values != NULL && s->weights != NULL) return ATTCERT_OK;
  structured_jacobian_clear(s);
  return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: products of the Jacobian of %d tokens with %d vectors",
                      m->n, vectors);
}

void structured_jacobian_clear(structured_jacobian *s) {
  free(s->channels);
  free(s->values);
  free(s->weights);
  *s = (structured_jacobian){0};
}

linear_operator structured_jacobian_operator(const structured_jacobian *s) {
  return (linear_operator){s->m->n * s->m->out_dim, s->m->n * s->m->dim, apply, s};
}

/* Forward: inner products of length d (V'), n (P); d (g), n (w); d (Q'), k (C), each added to the sum of the others, then H k (W').
 * The transposed product: out_dim, n, k, k, k, n, and a sum over the heads. */
double structured_jacobian_roundings(const midpoint_layer *m) {
  const double n = m->n, d = m->dim, heads = m->heads, width = heads * (double)m->head_dim;
  return 2.0 * d + 4.0 * n + 5.0 * width + (double)m->out_dim + heads * (n + 4.0) + 16.0;
}

/* A copy of count doubles in absolute value; NULL when out of memory. */
static double *absolute_copy(const double *x, size_t count) {
  double *const y = malloc(count * sizeof(double));
  for (size_t i = 0; y != NULL && i < count; i++) y[i] = fabs(x[i]);
  return y;
}

attcert_status structured_jacobian_absolute_norm(double *bound, const midpoint_layer *m, attcert_error *err) {
  const size_t heads = (size_t)m->heads, n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim;
  const size_t width = heads * k;
  midpoint_layer a = *m;
  a.w = absolute_copy(m->w, heads * n * k * n);
  a.g = absolute_copy(m->g, heads * n * d);
  a.v = absolute_copy(m->v, width * d);
  a.q = absolute_copy(m->q, width * d);
  a.covariance = absolute_copy(m->covariance, heads * n * k * k);
  a.output = NULL;
  a.out_dim = (int)width;
  structured_jacobian s = {0};
  attcert_status status = ATTCERT_OK;
  if (a.w == NULL || a.g == NULL || a.v == NULL || a.q == NULL || a.covariance == NULL)
    status = attcert_fail(err, ATTCERT_RESOURCE, "out of memory: the Jacobian's factors in absolute value");
  if (status == ATTCERT_OK) status = structured_jacobian_init(&s, &a, 1, err);
  if (status == ATTCERT_OK) {
    const linear_operator absolute = structured_jacobian_operator(&s);
    status = nonnegative_norm_squared(bound, &absolute, structured_jacobian_roundings(&a), err);
  }
  structured_jacobian_clear(&s);
  free(a.w);
  free(a.g);
  free(a.v);
  free(a.q);
  free(a.covariance);
  return status;
}

/* *bound >= || |W'| ||_2^2, 1 without W'. */
static attcert_status absolute_output_norm(double *bound, const midpoint_layer *m, attcert_error *err) {
  const int width = m->heads * m->head_dim;
  *bound = 1.0;
  if (m->output == NULL) return ATTCERT_OK;
  double *const absolute = absolute_copy(m->output, (size_t)m->out_dim * (size_t)width);
  if (absolute == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: W_O in absolute value");
  const dense_matrix matrix = {absolute, m->out_dim, width};
  const linear_operator op = dense_matrix_operator(&matrix);
  const attcert_status status = nonnegative_norm_squared(bound, &op, (double)(m->out_dim + width), err);
  free(absolute);
  return status;
}

attcert_status structured_jacobian_product_error(double *bound, const midpoint_layer *m, double absolute,
                                                 attcert_error *err) {
  double output = INFINITY;
  const attcert_status status = absolute_output_norm(&output, m, err);
  const double gamma = gamma_upper(structured_jacobian_roundings(m));
  *bound = round_up_nonnegative(gamma * sqrt(output * absolute), 4.0) + 0x1p-900;
  return status;
}

attcert_status structured_jacobian_gram_error(double *bound, const midpoint_layer *m, double absolute,
                                              attcert_error *err) {
  double output = INFINITY;
  const attcert_status status = absolute_output_norm(&output, m, err);
  const double gamma = gamma_upper(2.0 * structured_jacobian_roundings(m) + 2.0);
  *bound = round_up_nonnegative(gamma * output * absolute, 4.0) + 0x1p-900;
  return status;
}
