#include "certify/jacobian/structured_jacobian.h"

#include "base/arrays.h"

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
static void multiply_factors(double *c, int c_stride, factor a, factor b, int rows, int cols, int inner, double beta) {
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

/* P of head h (n x n), its g_i (n x d); w and C of its token i. */
static const double *p_of(const factored_jacobian *m, int h) {
  return m->p + factored_jacobian_token(m, h, 0) * (size_t)m->n;
}

static const double *g_of(const factored_jacobian *m, int h) {
  return m->g + factored_jacobian_token(m, h, 0) * (size_t)m->dim;
}

static const double *w_of(const factored_jacobian *m, int h, int i) {
  return m->w + factored_jacobian_token(m, h, i) * (size_t)m->head_dim * (size_t)m->n;
}

static const double *covariance_of(const factored_jacobian *m, int h, int i) {
  return m->covariance + factored_jacobian_token(m, h, i) * (size_t)m->head_dim * (size_t)m->head_dim;
}

/* What both directions of a head's product end and begin with: P_i weighs values_l, w_il weighs weights_il, C_i takes
 * own_i, for `count` vectors b. */
typedef struct {
  double *values, *own; /* [(b, l)][k], rows `stride` apart */
  int stride;
  double *weights; /* [i][(b, l)] */
} head_scratch;

/* Heads whose weights are there at a time: products of a thousand rows are fast, and larger ones no faster. */
static int heads_at_once(int heads, int n) {
  enum { ROWS = 1024 };
  const int most = n < ROWS ? ROWS / n : 1, groups = (heads + most - 1) / most;
  return (heads + groups - 1) / groups;
}

/* That of head h, where the weights begin with those of head `first`. */
static head_scratch scratch_of(const structured_jacobian *s, int count, int h, int first) {
  const int k = s->m->head_dim, width = s->m->heads * k;
  double *const values = s->values + h * k;
  return (head_scratch){.values = values,
                        .own = values + width,
                        .stride = 2 * width,
                        .weights = s->weights + (size_t)(h - first) * (size_t)s->m->n * (size_t)(count * s->m->n)};
}

/* The rows of token i of all vectors lie n rows apart. */
static double *weights_of(const structured_jacobian *s, const head_scratch *t, int i, int count) {
  return t->weights + (size_t)i * (size_t)count * (size_t)s->m->n;
}

/* Columns of head h of out (rows of H k): sum_l P_il values_l + sum_l w_il weights_il + C_i own_i. */
static void respond(const structured_jacobian *s, double *out, const head_scratch *t, int count, int h) {
  const factored_jacobian *const m = s->m;
  const int n = m->n, k = m->head_dim, width = m->heads * k;
  for (int b = 0; b < count; b++)
    multiply_factors(out + (size_t)(b * n) * (size_t)width + h * k, width, plain(p_of(m, h), n),
                     plain(t->values + (size_t)(b * n) * (size_t)t->stride, t->stride), n, k, n, 0.0);
  for (int i = 0; i < n; i++) {
    double *const rows = out + (size_t)i * (size_t)width + h * k;
    multiply_factors(rows, n * width, plain(weights_of(s, t, i, count), n), transposed(w_of(m, h, i), n), count, k, n,
                     1.0);
    multiply_factors(rows, n * width, plain(t->own + (size_t)i * (size_t)t->stride, n * t->stride),
                     transposed(covariance_of(m, h, i), k), count, k, k, 1.0);
  }
}

/* The transpose of it, for the cotangents c in rows of H k: values_l = sum_i P_il c_i, weights_il = w_il . c_i,
 * own_i = C_i^T c_i. */
static void collect(const structured_jacobian *s, const head_scratch *t, const double *c, int count, int h) {
  const factored_jacobian *const m = s->m;
  const int n = m->n, k = m->head_dim, width = m->heads * k;
  for (int b = 0; b < count; b++)
    multiply_factors(t->values + (size_t)(b * n) * (size_t)t->stride, t->stride, transposed(p_of(m, h), n),
                     plain(c + (size_t)(b * n) * (size_t)width + h * k, width), n, k, n, 0.0);
  for (int i = 0; i < n; i++) {
    const factor rows = plain(c + (size_t)i * (size_t)width + h * k, n * width);
    multiply_factors(weights_of(s, t, i, count), n, rows, plain(w_of(m, h, i), n), count, n, k, 0.0);
    multiply_factors(t->own + (size_t)i * (size_t)t->stride, n * t->stride, rows, plain(covariance_of(m, h, i), k),
                     count, k, k, 0.0);
  }
}

/* Where the heads put what W' takes; without W' that is the product itself. */
static double *channels_or(const structured_jacobian *s, double *y) {
  return s->m->output != NULL ? s->channels : y;
}

static void project_channels(const structured_jacobian *s, double *y, int count) {
  const factored_jacobian *const m = s->m;
  const int width = m->heads * m->head_dim;
  if (m->output != NULL)
    multiply_factors(y, m->out_dim, plain(s->channels, width), transposed(m->output, width), count * m->n, m->out_dim,
                     width, 0.0);
}

/* x, or x W' */
static const double *cotangents_of(const structured_jacobian *s, const double *x, int count) {
  const factored_jacobian *const m = s->m;
  const int width = m->heads * m->head_dim;
  if (m->output == NULL) return x;
  multiply_factors(s->channels, width, plain(x, m->out_dim), plain(m->output, width), count * m->n, width, m->out_dim,
                   0.0);
  return s->channels;
}

/* values_l = V' x_l, own_i = Q' x_i, weights_il = g_i . x_l. */
static void forward(const structured_jacobian *s, double *y, const double *x, int count) {
  const factored_jacobian *const m = s->m;
  const int n = m->n, d = m->dim, width = m->heads * m->head_dim, rows = count * n, group = heads_at_once(m->heads, n);
  double *const out = channels_or(s, y);
  multiply_factors(s->values, 2 * width, plain(x, d), transposed(m->v, d), rows, width, d, 0.0);
  multiply_factors(s->values + width, 2 * width, plain(x, d), transposed(m->q, d), rows, width, d, 0.0);
  for (int first = 0; first < m->heads; first += group) {
    const int end = first + group < m->heads ? first + group : m->heads;
    multiply_factors(s->weights, rows, plain(g_of(m, first), d), transposed(x, d), (end - first) * n, rows, d, 0.0);
    for (int h = first; h < end; h++) {
      const head_scratch t = scratch_of(s, count, h, first);
      respond(s, out, &t, count, h);
    }
  }
  project_channels(s, y, count);
}

/* y_l = sum_h (sum_i weights_il g_i + V'^T values_l + Q'^T own_l) */
static void transposed_product(const structured_jacobian *s, double *y, const double *x, int count) {
  const factored_jacobian *const m = s->m;
  const int n = m->n, d = m->dim, width = m->heads * m->head_dim, rows = count * n, group = heads_at_once(m->heads, n);
  const double *const cotangents = cotangents_of(s, x, count);
  for (int first = 0; first < m->heads; first += group) {
    const int end = first + group < m->heads ? first + group : m->heads;
    for (int h = first; h < end; h++) {
      const head_scratch t = scratch_of(s, count, h, first);
      collect(s, &t, cotangents, count, h);
    }
    multiply_factors(y, d, transposed(s->weights, rows), plain(g_of(m, first), d), rows, d, (end - first) * n,
                     first == 0 ? 0.0 : 1.0);
  }
  multiply_factors(y, d, plain(s->values, 2 * width), plain(m->v, d), rows, d, width, 1.0);
  multiply_factors(y, d, plain(s->values + width, 2 * width), plain(m->q, d), rows, d, width, 1.0);
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

/* ---- J~ J~^T ----------------------------------------------------------------------------------------------------- */

static array_table square_arrays_of(structured_jacobian *s, size_t n, size_t k) {
  const size_t vectors = (size_t)s->vectors, side = 2 * k + n;
  return (array_table){{
      ARRAY(s->square, side, side),
      ARRAY(s->responses, vectors, n, 2, k),
      ARRAY(s->scores, vectors, n, n),
  }};
}

static bool square_pays(uint64_t heads, uint64_t n, uint64_t head_dim, uint64_t dim) {
  return heads == 1 && 2 * head_dim + n <= dim;
}

attcert_status structured_jacobian_prepare_square(structured_jacobian *s, attcert_error *err) {
  const factored_jacobian *const m = s->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim, side = 2 * k + n;
  if (!square_pays((uint64_t)m->heads, n, k, d)) return ATTCERT_OK;
  const array_table arrays = square_arrays_of(s, n, k);
  const attcert_status status = array_table_allocate(&arrays, err, "the product J J^T of a head");
  if (status != ATTCERT_OK) return status;
  double *const factors = array_new(ARRAY_COUNT(side, d), sizeof *factors, err, "the list of a head's factors");
  if (factors == NULL) return ATTCERT_RESOURCE;
  memcpy(factors, m->v, k * d * sizeof(double));
  memcpy(factors + k * d, m->q, k * d * sizeof(double));
  memcpy(factors + 2 * k * d, m->g, n * d * sizeof(double));
  multiply_factors(s->square, (int)side, plain(factors, (int)d), transposed(factors, (int)d), (int)side, (int)side,
                   (int)d, 0.0);
  free(factors);
  return ATTCERT_OK;
}

void structured_jacobian_square(const structured_jacobian *s, double *y, double *image, const double *x, int count) {
  const int n = s->m->n, two = 2 * s->m->head_dim, side = two + n, rows = count * n;
  if (s->square == NULL) {
    structured_jacobian_multiply(s, image, x, count, true);
    structured_jacobian_multiply(s, y, image, count, false);
    return;
  }
  const head_scratch before = scratch_of(s, count, 0, 0);
  const head_scratch after = {s->responses, s->responses + s->m->head_dim, two, s->scores};
  const double *const scores = s->square + (size_t)two * (size_t)side; /* the rows of g */
  collect(s, &before, cotangents_of(s, x, count), count, 0);
  multiply_factors(after.values, two, plain(before.values, two), plain(s->square, side), rows, two, two, 0.0);
  multiply_factors(after.values, two, transposed(before.weights, rows), plain(scores, side), rows, two, n, 1.0);
  multiply_factors(after.weights, rows, plain(scores, side), transposed(before.values, two), n, rows, two, 0.0);
  multiply_factors(after.weights, rows, plain(scores + two, side), plain(before.weights, rows), n, rows, n, 1.0);
  respond(s, channels_or(s, y), &after, count, 0);
  project_channels(s, y, count);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static array_table arrays_of(structured_jacobian *s, size_t heads, size_t n, size_t k) {
  const size_t vectors = (size_t)s->vectors, at_once = n > 0 ? (size_t)heads_at_once((int)heads, (int)n) : 0;
  return (array_table){{
      ARRAY(s->channels, vectors, n, heads, k),
      ARRAY(s->values, vectors, n, 2 * heads, k),
      ARRAY(s->weights, at_once, n, vectors, n),
  }};
}

uint64_t structured_jacobian_bytes(const attcert_layer *layer, int n, int vectors) {
  structured_jacobian s = {.vectors = vectors};
  const size_t tokens = (size_t)n, heads = (size_t)layer->heads, k = (size_t)layer->head_dim, d = (size_t)layer->dim;
  const array_table arrays = arrays_of(&s, heads, tokens, k), square = square_arrays_of(&s, tokens, k);
  const uint64_t factors = ARRAY_COUNT(2 * k + tokens, d, sizeof(double));
  return array_table_bytes(&arrays) + (square_pays(heads, tokens, k, d) ? array_table_bytes(&square) + factors : 0);
}

attcert_status structured_jacobian_init(structured_jacobian *s, const factored_jacobian *m, int vectors,
                                        attcert_error *err) {
  *s = (structured_jacobian){.m = m, .vectors = vectors};
  const array_table arrays = arrays_of(s, (size_t)m->heads, (size_t)m->n, (size_t)m->head_dim);
  return array_table_allocate(&arrays, err, "a product with the Jacobian");
}

void structured_jacobian_clear(structured_jacobian *s) {
  const array_table arrays = arrays_of(s, 0, 0, 0), square = square_arrays_of(s, 0, 0);
  array_table_release(&arrays);
  array_table_release(&square);
  *s = (structured_jacobian){0};
}

linear_operator structured_jacobian_operator(const structured_jacobian *s) {
  return (linear_operator){s->m->n * s->m->out_dim, s->m->n * s->m->dim, apply, s};
}

/* An inner product of length L has L on a path, and what it is added to, or what is added to it, L + 1, rounded in any
 * order. P (n), to which the sums over w (n) and C (k) are added; transposed, P^T (n), w^T or C^T (k); the sum over the
 * g_i of all heads (H n, and one more for each group of heads), to which those over V' and Q' (H k each) are added. */
structured_path structured_jacobian_path(const factored_jacobian *m, bool transpose) {
  const double n = m->n, k = m->head_dim, heads = m->heads;
  if (transpose) return (structured_path){{m->out_dim, fmax(n, k), heads * (n + 1.0) + 2.0 * (heads * k + 1.0)}};
  return (structured_path){{m->dim, n + (n + 1.0) + (k + 1.0), heads * k}};
}

double structured_jacobian_roundings(const factored_jacobian *m, bool transpose) {
  const structured_path path = structured_jacobian_path(m, transpose);
  return path.stage[0] + path.stage[1] + path.stage[2];
}
