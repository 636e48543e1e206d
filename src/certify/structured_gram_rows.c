#include "certify/structured_gram_rows.h"

#include "certify/parallel.h"
#include "certify/rounding.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 9, CACHED = 1 << 19 /* doubles */ };

static int least(int a, int b) {
  return a < b ? a : b;
}

/* Tokens at a time: as many as fill a panel, where blocks go to panels; else as many as keep ww in the cache; at least one. */
static int most_rows(int width, int out_dim, int n, bool into_panels) {
  const size_t fit = into_panels ? (size_t)(PANEL_WIDTH / out_dim) : CACHED / ((size_t)width * (size_t)width);
  return fit < 1 ? 1 : fit < (size_t)n ? (int)fit : n;
}

/* Doubles of each array, in the order of gram_rows_init. */
static void array_sizes(size_t size[ARRAYS], int heads, size_t rows, int head_dim, int out_dim, bool output) {
  const size_t h = (size_t)heads, k = (size_t)head_dim, width = h * k;
  const size_t all[ARRAYS] = {rows * width * width, rows * width * h,     rows * h * width,
                              rows * width * h,     rows * h * width,     width * k,
                              width * width,        rows * width * width, output ? rows * width * (size_t)out_dim : 1};
  memcpy(size, all, sizeof all);
}

uint64_t gram_rows_bytes(const attcert_layer *layer, int n) {
  const int width = layer->heads * layer->head_dim, with_panels = most_rows(width, layer->out_dim, n, true),
            without = most_rows(width, layer->out_dim, n, false);
  size_t size[ARRAYS];
  array_sizes(size, layer->heads, (size_t)(with_panels > without ? with_panels : without), layer->head_dim,
              layer->out_dim, layer->output_weight != NULL);
  uint64_t doubles = 0;
  for (size_t i = 0; i < ARRAYS; i++) doubles += size[i];
  return doubles * sizeof(double);
}

attcert_status gram_rows_init(gram_rows *r, structured_gram *shared, const gram_blocks *blocks,
                              const attcert_options *options, attcert_error *err) {
  const midpoint_layer *const m = shared->m;
  *r = (gram_rows){.shared = shared,
                   .blocks = blocks,
                   .threads = parallel_threads(options->threads),
                   .most = most_rows(m->heads * m->head_dim, m->out_dim, m->n, blocks->wanted != NULL)};
  double **const array[ARRAYS] = {&r->ww, &r->pw_here, &r->pw_there, &r->fg_here, &r->fg_there,
                                  &r->qc, &r->ff,      &r->heads,    &r->right};
  size_t size[ARRAYS];
  array_sizes(size, m->heads, (size_t)r->most, m->head_dim, m->out_dim, m->output != NULL);
  bool allocated = true;
  for (size_t i = 0; i < ARRAYS; i++) allocated = (*array[i] = malloc(size[i] * sizeof(double))) != NULL && allocated;
  return allocated ? ATTCERT_OK
                   : attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a row of the Gram matrix of %d tokens", m->n);
}

void gram_rows_clear(gram_rows *r) {
  double *const array[ARRAYS] = {r->ww, r->pw_here, r->pw_there, r->fg_here, r->fg_there,
                                 r->qc, r->ff,      r->heads,    r->right};
  for (size_t i = 0; i < ARRAYS; i++) free(array[i]);
}

/* ---- products ----------------------------------------------------------------------------------------------------- */

/* A matrix inside an array: row r begins at data + r * stride. */
typedef struct {
  const double *data;
  size_t rows, stride;
} row_list;

/* c (rows `stride` apart) := a b^T over the first `inner` columns. */
static void multiply(double *c, size_t stride, row_list a, row_list b, size_t inner) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)a.rows, (int)b.rows, (int)inner, 1.0, a.data, (int)a.stride,
              b.data, (int)b.stride, 0.0, c, (int)stride);
}

/* Rows of an [H][n][per][length] array: `per` for every one of some tokens of a head, or one token's first row in every head. */
static row_list token_rows(const double *x, const gram_rows *r, int head, int token, int tokens, size_t per,
                           size_t length) {
  const size_t at = midpoint_layer_token(r->shared->m, head, token);
  return (row_list){x + at * per * length, (size_t)tokens * per, length};
}

static row_list head_rows(const double *x, const gram_rows *r, size_t length) {
  const midpoint_layer *const m = r->shared->m;
  return (row_list){x + (size_t)r->i * length, (size_t)m->heads, (size_t)m->n * length};
}

/* The products of head h' of the rows with all heads, or head h, of token i. Under the causal mask w_il = 0 for l > i. */
static void head_products(const gram_rows *r, int h2) {
  const midpoint_layer *const m = r->shared->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, heads = (size_t)m->heads;
  const size_t width = heads * k, row = (size_t)h2 * (size_t)r->rows;
  const size_t reach = midpoint_layer_reach(m, (size_t)r->i);
  const row_list w_rows = token_rows(m->w, r, h2, r->first, r->rows, k, n);
  const row_list c_rows = token_rows(m->covariance, r, h2, r->first, r->rows, k, k);
  const row_list p_rows = token_rows(m->p, r, h2, r->first, r->rows, 1, n);
  const double *const gq = r->shared->gq;
  multiply(r->pw_here + row * k * heads, heads, w_rows, head_rows(m->p, r, n), reach);
  multiply(r->fg_here + row * k * heads, heads, c_rows, head_rows(gq + (size_t)h2 * k, r, width), k);
  for (int h = 0; h < m->heads; h++) {
    const row_list w_token = token_rows(m->w, r, h, r->i, 1, k, n);
    const row_list c_token = token_rows(m->covariance, r, h, r->i, 1, k, k);
    const size_t column = (size_t)h * k;
    multiply(r->ww + row * k * width + column, width, w_rows, w_token, reach);
    multiply(r->pw_there + row * width + column, width, p_rows, w_token, reach);
    multiply(r->fg_there + row * width + column, width, token_rows(gq + column, r, h2, r->first, r->rows, 1, width),
             c_token, k);
  }
}

/* F_i F'_i^T = C_i (Q Q'^T C'_i^T), which only the diagonal block has. */
static void diagonal_products(const gram_rows *r) {
  const midpoint_layer *const m = r->shared->m;
  const size_t k = (size_t)m->head_dim, width = (size_t)m->heads * k;
  for (int h2 = 0; h2 < m->heads; h2++) {
    const size_t column = (size_t)h2 * k;
    multiply(r->qc, k, (row_list){r->shared->qq + column, width, width},
             token_rows(m->covariance, r, h2, r->i, 1, k, k), k);
    for (int h = 0; h < m->heads; h++) {
      const double *const c = token_rows(m->covariance, r, h, r->i, 1, k, k).data;
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)k, (int)k, (int)k, 1.0, c, (int)k,
                  r->qc + (size_t)h * k * k, (int)k, 0.0, r->ff + (size_t)h * k * width + column, (int)width);
    }
  }
}

/* ---- blocks ------------------------------------------------------------------------------------------------------- */

/* Block (i', i) of heads h', h: the sum of structured_gram.h, transposed so that rows belong to i' <= i. */
static void combine(const gram_rows *r, size_t i2, size_t h2, size_t h) {
  const structured_gram *const t = r->shared;
  const midpoint_layer *const m = t->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, i = (size_t)r->i, heads = (size_t)m->heads;
  const size_t width = heads * k, tokens = heads * n, channel_rows = tokens * k;
  const size_t here = h * n + i, there = h2 * n + i2, local = i2 - (size_t)r->first;
  const size_t local_there = h2 * (size_t)r->rows + local;
  const double pp = t->pp[here * tokens + there], gg = t->gg[here * tokens + there];
  const double p_here = m->p[here * n + i2], p_there = m->p[there * n + i];
  const double *const pw_there = r->pw_there + local_there * width, *const fg_there = r->fg_there + local_there * width;
  for (size_t b = 0; b < k; b++) {
    const size_t row = there * k + b, local_row = local_there * k + b, channel = h2 * k + b;
    double *const out = r->heads + (local * width + channel) * width + h * k;
    const double *const ww = r->ww + local_row * width + h * k, *const ff = r->ff + h * k * width + channel;
    const double pw = r->pw_here[local_row * heads + h], vg = t->vg[channel * tokens + here];
    const double fg = r->fg_here[local_row * heads + h], w_there = m->w[row * n + i];
    for (size_t a = 0; a < k; a++) {
      const size_t row_a = here * k + a, channel_a = h * k + a;
      double sum = pp * t->vv[channel_a * width + channel] + t->vg[channel_a * tokens + there] * pw;
      sum += pw_there[channel_a] * vg + gg * ww[a];
      sum += p_here * t->vf[channel_a * channel_rows + row] + m->w[row_a * n + i2] * fg;
      sum += p_there * t->vf[channel * channel_rows + row_a] + fg_there[channel_a] * w_there;
      out[a] = i == i2 ? sum + ff[a * width] : sum;
    }
  }
}

/* One row and one of its heads. */
static void combine_heads(void *context, int index) {
  const gram_rows *const r = context;
  const size_t heads = (size_t)r->shared->m->heads, at = (size_t)index;
  for (size_t h = 0; h < heads; h++) combine(r, (size_t)r->first + at / heads, at % heads, h);
}

/* block := (block + block^T) / 2: an error in it then counts with its symmetric part. */
static void make_symmetric(double *block, size_t size, size_t stride) {
  for (size_t r = 0; r < size; r++) {
    for (size_t c = r + 1; c < size; c++)
      block[r * stride + c] = block[c * stride + r] = 0.5 * (block[r * stride + c] + block[c * stride + r]);
  }
}

/* Block (i', i), with W' on both sides, to its place. */
static void store_block(const gram_rows *r, int i2) {
  const midpoint_layer *const m = r->shared->m;
  const size_t width = (size_t)m->heads * (size_t)m->head_dim, out = (size_t)m->out_dim;
  const size_t local = (size_t)(i2 - r->first);
  int stride;
  double *const block = r->blocks->place(r->blocks->context, i2, r->i, &stride);
  if (m->output != NULL)
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)out, (int)out, (int)width, 1.0, m->output, (int)width,
                r->right + local * width * out, (int)out, 0.0, block, stride);
  else
    for (size_t row = 0; row < width; row++)
      memcpy(block + row * (size_t)stride, r->heads + (local * width + row) * width, width * sizeof(double));
  if (i2 == r->i) make_symmetric(block, out, (size_t)stride);
  r->blocks->take(r->blocks->context, i2, r->i, block, stride);
}

static void store(const gram_rows *r) {
  const midpoint_layer *const m = r->shared->m;
  const size_t width = (size_t)m->heads * (size_t)m->head_dim, out = (size_t)m->out_dim;
  if (m->output != NULL)
    multiply(r->right, out, (row_list){r->heads, (size_t)r->rows * width, width}, (row_list){m->output, out, width},
             width);
  for (int local = 0; local < r->rows; local++) {
    const size_t at = (size_t)(r->first + local) * (size_t)m->n + (size_t)r->i;
    r->shared->block_norm[at] = norm_upper(r->heads + (size_t)local * width * width, width * width);
    store_block(r, r->first + local);
  }
}

void gram_rows_compute(gram_rows *r, int i, int first) {
  const int heads = r->shared->m->heads;
  r->i = i;
  r->first = first;
  r->rows = least(r->most, i + 1 - first);
  if (r->blocks->wanted != NULL && !r->blocks->wanted(r->blocks->context, first, r->rows)) return;
  for (int h2 = 0; h2 < heads; h2++) head_products(r, h2);
  if (first + r->rows > i) diagonal_products(r);
  parallel_for(r->rows * heads, r->threads, combine_heads, r);
  store(r);
}
