#include "certify/jacobian/block_gram_tile.h"

#include "base/arrays.h"
#include "base/minimum.h"
#include "base/parallel.h"
#include "kernel/row/attended_keys.h"
#include "linalg/blas/blas_single.h"
#include "linalg/panel/panels.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum { CACHED = 1 << 19 /* doubles */ };

static int between(size_t x, int high) {
  return x < 1 ? 1 : x < (size_t)high ? (int)x : high;
}

/* Tokens at a time such that ww stays in the cache, at least one: as many rows as fill a panel, where blocks go to
 * panels, else as many as columns. */
static void most_tokens(int *rows, int *columns, const factored_jacobian *shape, bool into_panels) {
  const size_t width = (size_t)shape->heads * (size_t)shape->head_dim, blocks = CACHED / (width * width);
  *rows = between(into_panels ? (size_t)(PANEL_WIDTH / shape->out_dim) : (size_t)sqrt((double)blocks), shape->n);
  *columns = between(blocks / (size_t)*rows, shape->n);
}

/* output: with W'. */
static array_table arrays_of(gram_tile *r, const factored_jacobian *shape, bool output) {
  const size_t h = (size_t)shape->heads, n = (size_t)shape->n, k = (size_t)shape->head_dim, width = h * k,
               rows = (size_t)r->most_rows, columns = (size_t)r->most_columns;
  return (array_table){{
      ARRAY(r->w_columns, columns, width, n),
      ARRAY(r->p_columns, columns, h, n),
      ARRAY(r->g_columns, columns, h, width),
      ARRAY(r->f_columns, columns, width, width),
      ARRAY(r->ww, rows, columns, width, width),
      ARRAY(r->pw_here, rows, width, columns, h),
      ARRAY(r->pw_there, rows, h, columns, width),
      ARRAY(r->fg_here, rows, width, columns, h),
      ARRAY(r->fg_there, rows, h, columns, width),
      ARRAY(r->qc, width, k),
      ARRAY(r->ff, columns, width, width),
      ARRAY(r->heads, rows, columns, width, width),
      ARRAY(r->right, output ? rows : 0, width, (size_t)shape->out_dim),
  }};
}

static uint64_t bytes_of(const attcert_layer *layer, int n, bool into_panels) {
  gram_tile r;
  const factored_jacobian shape = {
      .n = n, .heads = layer->heads, .head_dim = layer->head_dim, .out_dim = layer->out_dim};
  most_tokens(&r.most_rows, &r.most_columns, &shape, into_panels);
  const array_table arrays = arrays_of(&r, &shape, layer->output_weight != NULL);
  return array_table_bytes(&arrays);
}

uint64_t block_gram_tile_bytes(const attcert_layer *layer, int n) {
  const uint64_t with_panels = bytes_of(layer, n, true), without = bytes_of(layer, n, false);
  return with_panels > without ? with_panels : without;
}

attcert_status block_gram_tile_init(gram_tile *r, block_gram *shared, const gram_blocks *blocks,
                                    const attcert_options *options, attcert_error *err) {
  const factored_jacobian *const m = shared->m;
  *r = (gram_tile){.shared = shared, .blocks = blocks, .threads = parallel_threads(options->threads)};
  most_tokens(&r->most_rows, &r->most_columns, m, blocks->wanted != NULL);
  const array_table arrays = arrays_of(r, m, m->output != NULL);
  return array_table_allocate(&arrays, err, "a tile of the Gram matrix");
}

void block_gram_tile_clear(gram_tile *r) {
  const array_table arrays = arrays_of(r, r->shared->m, false);
  array_table_release(&arrays);
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

/* A matrix inside an array: row r begins at data + r * stride. */
typedef struct {
  const double *data;
  size_t rows, stride;
} row_list;

/* c (rows `stride` apart) := a b^T over the first `inner` columns. */
static void multiply_rows(double *c, size_t stride, row_list a, row_list b, size_t inner) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)a.rows, (int)b.rows, (int)inner, 1.0, a.data, (int)a.stride,
              b.data, (int)b.stride, 0.0, c, (int)stride);
}

/* c := a b for the first rows of b, of `cols` doubles, and as many columns of a. */
static void multiply_plain(double *c, row_list a, const double *b, size_t rows, size_t cols) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)a.rows, (int)cols, (int)rows, 1.0, a.data, (int)a.stride,
              b, (int)cols, 0.0, c, (int)cols);
}

/* Rows of an [H][n][per][length] array: `per` for every one of some tokens of a head. */
static row_list token_rows(const double *x, const gram_tile *r, int head, int token, int tokens, size_t per,
                           size_t length) {
  const size_t at = factored_jacobian_token(r->shared->m, head, token);
  return (row_list){x + at * per * length, (size_t)tokens * per, length};
}

/* The columns' part of such an array, one head after the other; with `transpose`, its columns. */
static void gather(double *to, const double *x, const gram_tile *r, size_t per, size_t length, bool transpose) {
  const size_t heads = (size_t)r->shared->m->heads, rows = (size_t)r->columns * per;
  for (size_t h = 0; h < heads; h++) {
    const double *const from = token_rows(x, r, (int)h, r->column, r->columns, per, length).data;
    if (!transpose) memcpy(to + h * rows * length, from, rows * length * sizeof(double));
    for (size_t row = 0; row < rows && transpose; row++)
      for (size_t l = 0; l < length; l++) to[(l * heads + h) * rows + row] = from[row * length + l];
  }
}

static void gather_columns(gram_tile *r) {
  const factored_jacobian *const m = r->shared->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, width = (size_t)m->heads * k;
  gather(r->w_columns, m->w, r, k, n, true);
  gather(r->p_columns, m->p, r, 1, n, false);
  gather(r->g_columns, r->shared->gq, r, 1, width, false);
  gather(r->f_columns, r->shared->fv, r, k, width, true);
  r->gathered = true;
}

/* The products of head h' of the rows with all heads of the columns. Under the causal mask w_il = 0 for l > i. */
static void head_products(void *context, int h2) {
  const gram_tile *const r = context;
  const factored_jacobian *const m = r->shared->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, heads = (size_t)m->heads, width = heads * k;
  const size_t row = (size_t)h2 * (size_t)r->rows, tokens = heads * (size_t)r->columns, channels = tokens * k;
  const size_t attended = (size_t)attended_keys(m->mask, r->column + r->columns - 1, m->n);
  const row_list w_rows = token_rows(m->w, r, h2, r->first, r->rows, k, n);
  const row_list c_rows = token_rows(m->covariance, r, h2, r->first, r->rows, k, k);
  const row_list p_rows = token_rows(m->p, r, h2, r->first, r->rows, 1, n);
  multiply_plain(r->ww + row * k * channels, w_rows, r->w_columns, attended, channels);
  multiply_plain(r->pw_there + row * channels, p_rows, r->w_columns, attended, channels);
  multiply_rows(r->pw_here + row * k * tokens, tokens, w_rows, (row_list){r->p_columns, tokens, n}, attended);
  multiply_rows(r->fg_here + row * k * tokens, tokens, c_rows, (row_list){r->g_columns + (size_t)h2 * k, tokens, width},
                k);
  for (int h = 0; h < m->heads; h++)
    multiply_rows(r->fg_there + row * channels + (size_t)h * (size_t)r->columns * k, channels,
                  token_rows(r->shared->gq + (size_t)h * k, r, h2, r->first, r->rows, 1, width),
                  token_rows(m->covariance, r, h, r->column, r->columns, k, k), k);
}

/* F_i F'_i^T = C_i (Q Q'^T C'_i^T) of a column, which only its diagonal block has. */
static void diagonal_products(const gram_tile *r, int column) {
  const factored_jacobian *const m = r->shared->m;
  const size_t k = (size_t)m->head_dim, width = (size_t)m->heads * k;
  const int i = r->column + column;
  double *const ff = r->ff + (size_t)column * width * width;
  for (int h2 = 0; h2 < m->heads; h2++) {
    const size_t channel = (size_t)h2 * k;
    multiply_rows(r->qc, k, (row_list){r->shared->qq + channel, width, width},
                  token_rows(m->covariance, r, h2, i, 1, k, k), k);
    for (int h = 0; h < m->heads; h++) {
      const double *const c = token_rows(m->covariance, r, h, i, 1, k, k).data;
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)k, (int)k, (int)k, 1.0, c, (int)k,
                  r->qc + (size_t)h * k * k, (int)k, 0.0, ff + (size_t)h * k * width + channel, (int)width);
    }
  }
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* Block (i', i) of heads h', h: the sum of block_gram.h, transposed so that rows belong to i' <= i. `local` and
 * `column` count i' and i from the first of the rows and columns. */
static void combine(const gram_tile *r, size_t local, size_t h2, size_t column, size_t h) {
  const block_gram *const t = r->shared;
  const factored_jacobian *const m = t->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, heads = (size_t)m->heads, width = heads * k;
  const size_t tokens = heads * n, columns = heads * (size_t)r->columns, first = h * k;
  const size_t i = (size_t)r->column + column, i2 = (size_t)r->first + local, here = h * n + i, there = h2 * n + i2;
  const size_t local_here = h * (size_t)r->columns + column, local_there = h2 * (size_t)r->rows + local;
  const double pp = t->pp[here * tokens + there], gg = t->gg[here * tokens + there];
  const double p_here = m->p[here * n + i2], p_there = m->p[there * n + i];
  const double *const gv_there = t->gv + there * width + first;
  const double *const w_here = r->w_columns + (i2 * columns + local_here) * k;
  const double *const pw_there = r->pw_there + (local_there * columns + local_here) * k;
  const double *const fg_there = r->fg_there + (local_there * columns + local_here) * k;
  for (size_t b = 0; b < k; b++) {
    const size_t row = there * k + b, local_row = (local_there * k + b) * columns + local_here, channel = h2 * k + b;
    const double *const vv = t->vv + channel * width + first, *const fv_there = t->fv + row * width + first;
    const double *const fv_here = r->f_columns + (channel * columns + local_here) * k;
    const double *const ww = r->ww + local_row * k;
    const double pw = r->pw_here[local_row], gv = t->gv[here * width + channel];
    const double fg = r->fg_here[local_row], w_there = m->w[row * n + i];
    double *const out = r->heads + ((column * (size_t)r->rows + local) * width + channel) * width + first;
    for (size_t a = 0; a < k; a++)
      out[a] = pp * vv[a] + gv_there[a] * pw + pw_there[a] * gv + gg * ww[a] + p_here * fv_there[a] + w_here[a] * fg +
               p_there * fv_here[a] + fg_there[a] * w_there;
    const double *const ff = r->ff + (column * width + first) * width + channel;
    for (size_t a = 0; a < k && i == i2; a++) out[a] += ff[a * width];
  }
}

static bool in_triangle(const gram_tile *r, int local, int column) {
  return r->first + local <= r->column + column;
}

/* One column, one row and one of its heads. */
static void combine_head_blocks(void *context, int index) {
  const gram_tile *const r = context;
  const int heads = r->shared->m->heads, block = index / heads, column = block / r->rows, local = block % r->rows;
  for (int h = 0; h < heads && in_triangle(r, local, column); h++)
    combine(r, (size_t)local, (size_t)(index % heads), (size_t)column, (size_t)h);
}

void block_gram_tile_begin(gram_tile *r, int column) {
  r->column = column;
  r->columns = int_min(r->most_columns, r->shared->m->n - column);
  r->gathered = false;
}

bool block_gram_tile_compute(gram_tile *r, int first) {
  const int heads = r->shared->m->heads;
  r->first = first;
  r->rows = int_min(r->most_rows, r->column + r->columns - first);
  if (r->blocks->wanted != NULL && !r->blocks->wanted(r->blocks->context, first, r->rows)) return false;
  if (!r->gathered) gather_columns(r);
  blas_single_begin();
  parallel_for(heads, r->threads, head_products, r);
  blas_single_end();
  for (int column = 0; column < r->columns; column++) {
    const int local = r->column + column - first;
    if (local >= 0 && local < r->rows) diagonal_products(r, column);
  }
  parallel_for(r->columns * r->rows * heads, r->threads, combine_head_blocks, r);
  return true;
}
