#include "certify/structured_gram.h"

#include "certify/dense_matrix.h"
#include "certify/matrix_norm.h"
#include "certify/nonnegative_norm.h"
#include "certify/parallel.h"
#include "certify/rounding.h"
#include "certify/structured_jacobian.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 12 };

/* Products shared by the blocks; (h, i) stands for h n + i, (h, i, a) for (h n + i) k + a, (h, a) for h k + a. */
typedef struct {
  const midpoint_layer *m;
  double *vv;         /* [(h, a)][(h', b)]     V V'^T */
  double *pp;         /* [(h, i)][(h', i')]    P_i . P'_i' */
  double *gg;         /* [(h, i)][(h', i')]    g_i . g'_i' */
  double *vg;         /* [(h, a)][(h', i')]    V g'_i' */
  double *pw;         /* [(h, i)][(h', i', b)] sum_l P_il w'_i'l */
  double *vf;         /* [(h, a)][(h', i', b)] V F'_i'^T */
  double *fg;         /* [(h, i, a)][(h', i')] F_i g'_i' */
  double *ff;         /* [(h, a)][(h', b)]     F_i F'_i^T of the current i */
  double *ww;         /* [(h', i', b)][(h, a)] sum_l w'_i'l w_il of the current i */
  double *panel;      /* [(i', h', b)][(h, a)] column panel i of the concatenated heads' Gram */
  double *right;      /* panel W'^T */
  double *block_norm; /* [i'][i] ||C_i'i||_F, rounded up, both triangles */
  const gram_blocks *blocks;
  int i; /* the current token */
} gram;

typedef struct {
  size_t tokens, channels, rows; /* H n, H k, H n k */
} sides;

static sides sides_of(int heads, int n, int head_dim) {
  const size_t h = (size_t)heads, t = (size_t)n, k = (size_t)head_dim;
  return (sides){h * t, h * k, h * t * k};
}

/* c (rows x cols) := a b^T, b given by rows. */
static void multiply_transposed(double *c, const double *a, const double *b, size_t rows, size_t cols, size_t inner) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)cols, (int)inner, 1.0, a, (int)inner, b,
              (int)inner, 0.0, c, (int)cols);
}

static void shared_products(const gram *t) {
  const midpoint_layer *const m = t->m;
  const sides s = sides_of(m->heads, m->n, m->head_dim);
  const size_t n = (size_t)m->n, d = (size_t)m->dim;
  multiply_transposed(t->vv, m->v, m->v, s.channels, s.channels, d);
  multiply_transposed(t->pp, m->p, m->p, s.tokens, s.tokens, n);
  multiply_transposed(t->gg, m->g, m->g, s.tokens, s.tokens, d);
  multiply_transposed(t->vg, m->v, m->g, s.channels, s.tokens, d);
  multiply_transposed(t->pw, m->p, m->w, s.tokens, s.rows, n);
  multiply_transposed(t->vf, m->v, m->f, s.channels, s.rows, d);
  multiply_transposed(t->fg, m->f, m->g, s.rows, s.tokens, d);
}

/* The two products that belong to token i alone: F_i F'_i^T, and sum_l w'_i'l w_il for i' <= i. */
static void token_products(const gram *t) {
  const midpoint_layer *const m = t->m;
  const sides s = sides_of(m->heads, m->n, m->head_dim);
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim, i = (size_t)t->i;
  const int width = (int)s.channels, reach = m->mask == ATTCERT_MASK_CAUSAL ? t->i + 1 : m->n;
  for (size_t h = 0; h < (size_t)m->heads; h++) {
    for (size_t h2 = 0; h2 < (size_t)m->heads; h2++) {
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)k, (int)k, (int)d, 1.0, m->f + (h * n + i) * k * d,
                  (int)d, m->f + (h2 * n + i) * k * d, (int)d, 0.0, t->ff + h * k * s.channels + h2 * k, width);
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)((i + 1) * k), (int)k, reach, 1.0,
                  m->w + h2 * n * k * n, (int)n, m->w + (h * n + i) * k * n, (int)n, 0.0,
                  t->ww + h2 * n * k * s.channels + h * k, width);
    }
  }
}

/* Block (i', i) of heads h', h: the sum of the header, transposed so that rows belong to i' <= i. */
static void combine(const gram *t, size_t i2, size_t h2, size_t h) {
  const midpoint_layer *const m = t->m;
  const sides s = sides_of(m->heads, m->n, m->head_dim);
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, i = (size_t)t->i, here = h * n + i, there = h2 * n + i2;
  const double pp = t->pp[here * s.tokens + there], gg = t->gg[here * s.tokens + there];
  const double p_here = m->p[here * n + i2], p_there = m->p[there * n + i];
  for (size_t b = 0; b < k; b++) {
    double *const out = t->panel + (i2 * s.channels + h2 * k + b) * s.channels + h * k;
    const size_t row = there * k + b, channel = h2 * k + b;
    const double *const ww = t->ww + row * s.channels + h * k, *const ff = t->ff + h * k * s.channels + channel;
    const double pw = t->pw[here * s.rows + row], vg = t->vg[channel * s.tokens + here];
    const double fg = t->fg[row * s.tokens + here], w_there = m->w[row * n + i];
    for (size_t a = 0; a < k; a++) {
      const size_t row_a = here * k + a, channel_a = h * k + a;
      double sum = pp * t->vv[channel_a * s.channels + channel] + t->vg[channel_a * s.tokens + there] * pw;
      sum += t->pw[there * s.rows + row_a] * vg + gg * ww[a];
      sum += p_here * t->vf[channel_a * s.rows + row] + m->w[row_a * n + i2] * fg;
      sum += p_there * t->vf[channel * s.rows + row_a] + t->fg[row_a * s.tokens + there] * w_there;
      out[a] = i == i2 ? sum + ff[a * s.channels] : sum;
    }
  }
}

static void combine_token(void *context, int index) {
  const gram *const t = context;
  const size_t n = (size_t)t->m->n, i = (size_t)t->i, i2 = (size_t)index;
  const size_t block = (size_t)t->m->heads * (size_t)t->m->head_dim;
  for (size_t h2 = 0; h2 < (size_t)t->m->heads; h2++) {
    for (size_t h = 0; h < (size_t)t->m->heads; h++) combine(t, i2, h2, h);
  }
  t->block_norm[i2 * n + i] = t->block_norm[i * n + i2] = norm_upper(t->panel + i2 * block * block, block * block);
}

/* block := (block + block^T) / 2: an error in it then counts with its symmetric part. */
static void make_symmetric(double *block, size_t size, size_t stride) {
  for (size_t r = 0; r < size; r++) {
    for (size_t c = r + 1; c < size; c++)
      block[r * stride + c] = block[c * stride + r] = 0.5 * (block[r * stride + c] + block[c * stride + r]);
  }
}

/* Block (i2, i) of the panel, with W' on both sides, to its place. */
static void store_block(const gram *t, int i2) {
  const midpoint_layer *const m = t->m;
  const size_t width = sides_of(m->heads, m->n, m->head_dim).channels, out = (size_t)m->out_dim;
  int stride;
  double *const block = t->blocks->place(t->blocks->context, i2, t->i, &stride);
  if (m->output != NULL)
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)out, (int)out, (int)width, 1.0, m->output, (int)width,
                t->right + (size_t)i2 * width * out, (int)out, 0.0, block, stride);
  else
    for (size_t r = 0; r < width; r++)
      memcpy(block + r * (size_t)stride, t->panel + ((size_t)i2 * width + r) * width, width * sizeof(double));
  if (i2 == t->i) make_symmetric(block, out, (size_t)stride);
  t->blocks->take(t->blocks->context, i2, t->i, block, stride);
}

static void store_panel(const gram *t) {
  const midpoint_layer *const m = t->m;
  const size_t width = sides_of(m->heads, m->n, m->head_dim).channels, out = (size_t)m->out_dim;
  if (m->output != NULL) multiply_transposed(t->right, t->panel, m->output, ((size_t)t->i + 1) * width, out, width);
  for (int i2 = 0; i2 <= t->i; i2++) store_block(t, i2);
}

int structured_gram_side(const midpoint_layer *m) {
  return m->n * m->out_dim;
}

/* Doubles of each array of `gram`, in the order of gram_init. */
static void array_sizes(size_t size[ARRAYS], int heads, int n, int head_dim, int out_dim, bool output) {
  const sides s = sides_of(heads, n, head_dim);
  const size_t token = s.channels * s.channels, panel = (size_t)n * token;
  const size_t right = output ? (size_t)n * s.channels * (size_t)out_dim : 1;
  const size_t all[ARRAYS] = {token,
                              s.tokens * s.tokens,
                              s.tokens * s.tokens,
                              s.channels * s.tokens,
                              s.tokens * s.rows,
                              s.channels * s.rows,
                              s.rows * s.tokens,
                              token,
                              panel,
                              panel,
                              right,
                              (size_t)n * (size_t)n};
  memcpy(size, all, sizeof all);
}

uint64_t structured_gram_bytes(const attcert_layer *layer, int n) {
  size_t size[ARRAYS];
  array_sizes(size, layer->heads, n, layer->head_dim, layer->out_dim, layer->output_weight != NULL);
  uint64_t doubles = 0;
  for (size_t i = 0; i < ARRAYS; i++) doubles += size[i];
  return doubles * sizeof(double);
}

static double **array(gram *t, size_t i) {
  double **const all[ARRAYS] = {&t->vv, &t->pp, &t->gg, &t->vg,    &t->pw,    &t->vf,
                                &t->fg, &t->ff, &t->ww, &t->panel, &t->right, &t->block_norm};
  return all[i];
}

static bool gram_init(gram *t, const midpoint_layer *m, const gram_blocks *blocks) {
  *t = (gram){.m = m, .blocks = blocks};
  size_t size[ARRAYS];
  array_sizes(size, m->heads, m->n, m->head_dim, m->out_dim, m->output != NULL);
  bool allocated = true;
  for (size_t i = 0; i < ARRAYS; i++) {
    *array(t, i) = malloc(size[i] * sizeof(double));
    allocated = allocated && *array(t, i) != NULL;
  }
  return allocated;
}

static void gram_clear(gram *t) {
  for (size_t i = 0; i < ARRAYS; i++) free(*array(t, i));
}

/* The header's error bound, from the block norms of the concatenated heads. */
static attcert_status rounding_error(double *error, const gram *t, attcert_error *err) {
  const midpoint_layer *const m = t->m;
  const double width = (double)m->heads * (double)m->head_dim;
  const dense_matrix blocks = {t->block_norm, m->n, m->n};
  const linear_operator block_operator = dense_matrix_operator(&blocks);
  double heads, block_norm2, w_norm = 1.0, second = 0.0;
  attcert_status status = structured_jacobian_absolute_norm(&heads, m, err);
  if (status == ATTCERT_OK) status = nonnegative_norm_squared(&block_norm2, &block_operator, m->n, err);
  if (status == ATTCERT_OK && m->output != NULL) {
    mpfr_t lo, hi;
    mpfr_inits2(53, lo, hi, (mpfr_ptr)0);
    status = matrix_norm(lo, hi, m->output, m->out_dim, (int)width, 0.0, err);
    w_norm = mpfr_get_d(hi, MPFR_RNDU);
    const double w_frobenius = norm_upper(m->output, (size_t)m->out_dim * (size_t)width);
    second = 2.0 * gamma_upper(2.0 * width + 2.0) * w_frobenius * w_norm * sqrt(block_norm2);
    mpfr_clears(lo, hi, (mpfr_ptr)0);
  }
  if (status != ATTCERT_OK) return status;
  const double first = gamma_upper((double)m->n + (double)m->dim + 12.0) * w_norm * w_norm * heads;
  /* Underflow: fewer than 2^50 products behind an entry, each 2^-1074, times factors below 2^40; N entries a row. */
  *error = round_up_nonnegative(first + second, 8.0) + (double)structured_gram_side(m) * 0x1p-980;
  return ATTCERT_OK;
}

attcert_status structured_gram_blocks(const gram_blocks *blocks, double *error, const midpoint_layer *m,
                                      const attcert_options *options, attcert_error *err) {
  gram t;
  if (!gram_init(&t, m, blocks)) {
    gram_clear(&t);
    return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: the Gram matrix of %d tokens", m->n);
  }
  shared_products(&t);
  for (t.i = 0; t.i < m->n; t.i++) {
    if (options->progress != NULL)
      options->progress(options->progress_context, "Gram matrix", (double)t.i / (double)m->n);
    token_products(&t);
    parallel_for(t.i + 1, parallel_threads(options->threads), combine_token, &t);
    store_panel(&t);
  }
  const attcert_status status = rounding_error(error, &t, err);
  gram_clear(&t);
  return status;
}

/* Blocks on their way to the panels. */
typedef struct {
  const panels *lower;
  double *block; /* out_dim x out_dim */
  int out;
} panel_writer;

static double *place_in_block(void *context, int row, int column, int *stride) {
  const panel_writer *const w = context;
  (void)row, (void)column;
  *stride = w->out;
  return w->block;
}

static void put_block(void *context, int row, int column, const double *block, int stride) {
  const panel_writer *const w = context;
  panels_put_transposed(w->lower, row * w->out, w->out, column * w->out, w->out, block, (size_t)stride);
}

attcert_status structured_gram(const panels *lower, double *error, const midpoint_layer *m,
                               const attcert_options *options, attcert_error *err) {
  const size_t out = (size_t)m->out_dim;
  panel_writer w = {lower, malloc(out * out * sizeof(double)), m->out_dim};
  if (w.block == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a block of side %d", m->out_dim);
  const gram_blocks blocks = {place_in_block, put_block, &w};
  const attcert_status status = structured_gram_blocks(&blocks, error, m, options, err);
  free(w.block);
  return status;
}
