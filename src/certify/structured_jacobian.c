#include "certify/structured_jacobian.h"

#include "certify/nonnegative_norm.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* C (rows x cols) := op(A) op(B) + beta C, all row-major. */
typedef struct {
  const double *data;
  int stride;
  bool transposed;
} factor;

static void multiply(double *c, int c_stride, factor a, factor b, int rows, int cols, int inner, double beta) {
  cblas_dgemm(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans, b.transposed ? CblasTrans : CblasNoTrans, rows,
              cols, inner, 1.0, a.data, a.stride, b.data, b.stride, beta, c, c_stride);
}

static factor plain(const double *data, int stride) {
  return (factor){data, stride, false};
}

static factor transposed(const double *data, int stride) {
  return (factor){data, stride, true};
}

static const double *w_of(const midpoint_layer *m, int h, int i) {
  return m->w + midpoint_layer_token(m, h, i) * (size_t)m->head_dim * (size_t)m->n;
}

static const double *f_of(const midpoint_layer *m, int h, int i) {
  return m->f + midpoint_layer_token(m, h, i) * (size_t)m->head_dim * (size_t)m->dim;
}

/* weights_il := g_i . x_l, plus rho_i (Q' x_i) . kappa_l where F is not stored: the score's response to x. */
static void score_response(const structured_jacobian *s, const double *x, int h) {
  const midpoint_layer *const m = s->m;
  const int n = m->n, d = m->dim, k = m->head_dim;
  multiply(s->weights, n, plain(m->g + midpoint_layer_token(m, h, 0) * (size_t)d, d), transposed(x, d), n, n, d, 0.0);
  if (m->f != NULL) return;
  const double *const kappa = m->kappa + midpoint_layer_token(m, h, 0) * (size_t)k;
  multiply(s->queries, k, plain(x, d), transposed(m->q + (size_t)h * (size_t)k * (size_t)d, d), n, k, d, 0.0);
  multiply(s->keys, n, plain(s->queries, k), transposed(kappa, k), n, n, k, 0.0);
  for (int i = 0; i < n; i++)
    cblas_daxpy(n, m->rho[midpoint_layer_token(m, h, i)], s->keys + (size_t)i * (size_t)n, 1,
                s->weights + (size_t)i * (size_t)n, 1);
}

static void apply_forward(const structured_jacobian *s, double *y, const double *x) {
  const midpoint_layer *const m = s->m;
  const int n = m->n, d = m->dim, k = m->head_dim, width = m->heads * k;
  double *const out = m->output != NULL ? s->channels : y;
  double *const values = s->queries + (size_t)n * (size_t)k; /* one head's V' x_l */
  for (int h = 0; h < m->heads; h++) {
    const double *const v = m->v + (size_t)h * (size_t)k * (size_t)d, *const p = m->p + midpoint_layer_token(m, h, 0) *
                                                                                            (size_t)n;
    double *const head_out = out + h * k;
    multiply(values, k, plain(x, d), transposed(v, d), n, k, d, 0.0);
    multiply(head_out, width, plain(p, n), plain(values, k), n, k, n, 0.0);
    score_response(s, x, h);
    for (int i = 0; i < n; i++) {
      double *const row = head_out + (size_t)i * (size_t)width;
      cblas_dgemv(CblasRowMajor, CblasNoTrans, k, n, 1.0, w_of(m, h, i), n, s->weights + (size_t)i * (size_t)n, 1, 1.0,
                  row, 1);
      if (m->f != NULL)
        cblas_dgemv(CblasRowMajor, CblasNoTrans, k, d, 1.0, f_of(m, h, i), d, x + (size_t)i * (size_t)d, 1, 1.0, row,
                    1);
    }
  }
  if (m->output != NULL)
    multiply(y, m->out_dim, plain(out, width), transposed(m->output, width), n, m->out_dim, width, 0.0);
}

/* x += sum_i (w_ij . c_i) g_i and the diagonal term, for the cotangents c (stride `width`) of head h. */
static void score_response_transposed(const structured_jacobian *s, double *x, const double *c, int width, int h) {
  const midpoint_layer *const m = s->m;
  const int n = m->n, d = m->dim, k = m->head_dim;
  for (int i = 0; i < n; i++) {
    const double *const row = c + (size_t)i * (size_t)width;
    cblas_dgemv(CblasRowMajor, CblasTrans, k, n, 1.0, w_of(m, h, i), n, row, 1, 0.0, s->weights + (size_t)i * (size_t)n,
                1);
    if (m->f != NULL)
      cblas_dgemv(CblasRowMajor, CblasTrans, k, d, 1.0, f_of(m, h, i), d, row, 1, 1.0, x + (size_t)i * (size_t)d, 1);
  }
  multiply(x, d, transposed(s->weights, n), plain(m->g + midpoint_layer_token(m, h, 0) * (size_t)d, d), n, d, n, 1.0);
  if (m->f != NULL) return;
  for (int i = 0; i < n; i++)
    cblas_dscal(n, m->rho[midpoint_layer_token(m, h, i)], s->weights + (size_t)i * (size_t)n, 1);
  const double *const kappa = m->kappa + midpoint_layer_token(m, h, 0) * (size_t)k;
  multiply(s->queries, k, plain(s->weights, n), plain(kappa, k), n, k, n, 0.0);
  multiply(x, d, plain(s->queries, k), plain(m->q + (size_t)h * (size_t)k * (size_t)d, d), n, d, k, 1.0);
}

static void apply_transposed(const structured_jacobian *s, double *x, const double *y) {
  const midpoint_layer *const m = s->m;
  const int n = m->n, d = m->dim, k = m->head_dim, width = m->heads * k;
  const double *cotangents = y;
  if (m->output != NULL) {
    multiply(s->channels, width, plain(y, m->out_dim), plain(m->output, width), n, width, m->out_dim, 0.0);
    cotangents = s->channels;
  }
  double *const values = s->queries + (size_t)n * (size_t)k;
  memset(x, 0, (size_t)n * (size_t)d * sizeof(double));
  for (int h = 0; h < m->heads; h++) {
    const double *const v = m->v + (size_t)h * (size_t)k * (size_t)d, *const p = m->p + midpoint_layer_token(m, h, 0) *
                                                                                            (size_t)n;
    multiply(values, k, transposed(p, n), plain(cotangents + h * k, width), n, k, n, 0.0);
    multiply(x, d, plain(values, k), plain(v, d), n, d, k, 1.0);
    score_response_transposed(s, x, cotangents + h * k, width, h);
  }
}

static void apply(const void *context, double *y, const double *x, bool transpose) {
  const structured_jacobian *const s = context;
  if (transpose)
    apply_transposed(s, y, x);
  else
    apply_forward(s, y, x);
}

attcert_status structured_jacobian_init(structured_jacobian *s, const midpoint_layer *m, attcert_error *err) {
  const size_t n = (size_t)m->n, width = (size_t)m->heads * (size_t)m->head_dim;
  *s = (structured_jacobian){.m = m,
                             .channels = malloc(n * width * sizeof(double)),
                             .queries = malloc(2 * n * (size_t)m->head_dim * sizeof(double)),
                             .weights = malloc(n * n * sizeof(double)),
                             .keys = malloc(n * n * sizeof(double))};
  if (s->channels != NULL && s->queries != NULL && s->weights != NULL && s->keys != NULL) return ATTCERT_OK;
  structured_jacobian_clear(s);
  return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: products with the Jacobian of %d tokens", m->n);
}

void structured_jacobian_clear(structured_jacobian *s) {
  free(s->channels);
  free(s->queries);
  free(s->weights);
  free(s->keys);
  *s = (structured_jacobian){0};
}

linear_operator structured_jacobian_operator(const structured_jacobian *s) {
  return (linear_operator){s->m->n * s->m->out_dim, s->m->n * s->m->dim, apply, s};
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
  a.f = absolute_copy(m->f, heads * n * k * d);
  a.output = NULL;
  a.out_dim = (int)width;
  structured_jacobian s = {0};
  attcert_status status = ATTCERT_OK;
  if (a.w == NULL || a.g == NULL || a.v == NULL || a.f == NULL)
    status = attcert_fail(err, ATTCERT_RESOURCE, "out of memory: the Jacobian's factors in absolute value");
  if (status == ATTCERT_OK) status = structured_jacobian_init(&s, &a, err);
  if (status == ATTCERT_OK) {
    const linear_operator absolute = structured_jacobian_operator(&s);
    /* Inner products of length d, n and k, accumulated head by head: more than on any path. */
    const double roundings = (double)(2 * d + 4 * n + 4 * width + heads * (n + 4) + 16);
    status = nonnegative_norm_squared(bound, &absolute, roundings, err);
  }
  structured_jacobian_clear(&s);
  free(a.w);
  free(a.g);
  free(a.v);
  free(a.f);
  return status;
}
