#include "certify/jacobian/block_gram.h"

#include "base/arrays.h"
#include "base/minimum.h"
#include "base/process_group.h"
#include "base/progress_report.h"
#include "certify/jacobian/block_gram_output.h"
#include "linalg/blas/matrix_product.h"
#include "linalg/norm/matrix_norm.h"
#include "linalg/operator/dense_matrix.h"
#include "linalg/operator/nonnegative_norm.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

int block_gram_side(const factored_jacobian *m) {
  return m->n * m->out_dim;
}

static array_table arrays_of(block_gram *t, size_t heads, size_t n, size_t k) {
  const size_t tokens = heads * n, channels = heads * k;
  return (array_table){{
      ARRAY(t->vv, channels, channels),
      ARRAY(t->vq, channels, channels),
      ARRAY(t->qq, channels, channels),
      ARRAY(t->pp, tokens, tokens),
      ARRAY(t->gg, tokens, tokens),
      ARRAY(t->gv, tokens, channels),
      ARRAY(t->gq, tokens, channels),
      ARRAY(t->fv, tokens, k, channels),
      ARRAY(t->block_norm, n, n),
  }};
}

uint64_t block_gram_bytes(const attcert_layer *layer, int n) {
  block_gram t;
  const array_table arrays = arrays_of(&t, (size_t)layer->heads, (size_t)n, (size_t)layer->head_dim);
  return array_table_bytes(&arrays) + block_gram_tile_bytes(layer, n);
}

static void shared_products(const block_gram *t) {
  const factored_jacobian *const m = t->m;
  const size_t n = (size_t)m->n, d = (size_t)m->dim, k = (size_t)m->head_dim;
  const size_t channels = (size_t)m->heads * k, tokens = (size_t)m->heads * n;
  matrix_multiply_transposed(t->vv, m->v, m->v, (int)channels, (int)channels, (int)d);
  matrix_multiply_transposed(t->pp, m->p, m->p, (int)tokens, (int)tokens, (int)n);
  matrix_multiply_transposed(t->gg, m->g, m->g, (int)tokens, (int)tokens, (int)d);
  matrix_multiply_transposed(t->gv, m->g, m->v, (int)tokens, (int)channels, (int)d);
  matrix_multiply_transposed(t->vq, m->v, m->q, (int)channels, (int)channels, (int)d);
  matrix_multiply_transposed(t->qq, m->q, m->q, (int)channels, (int)channels, (int)d);
  matrix_multiply_transposed(t->gq, m->g, m->q, (int)tokens, (int)channels, (int)d);
  for (size_t h = 0; h < (size_t)m->heads; h++)
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)(n * k), (int)channels, (int)k, 1.0,
                m->covariance + h * n * k * k, (int)k, t->vq + h * k, (int)channels, 0.0, t->fv + h * n * k * channels,
                (int)channels);
}

attcert_status block_gram_init(block_gram *t, const factored_jacobian *m, attcert_error *err) {
  *t = (block_gram){.m = m};
  const array_table arrays = arrays_of(t, (size_t)m->heads, (size_t)m->n, (size_t)m->head_dim);
  const attcert_status status = array_table_allocate(&arrays, err, "the Gram matrix's table of inner products");
  if (status == ATTCERT_OK) shared_products(t);
  return status;
}

void block_gram_clear(block_gram *t) {
  const array_table arrays = arrays_of(t, 0, 0, 0);
  array_table_release(&arrays);
  *t = (block_gram){0};
}

attcert_status block_gram_blocks(block_gram *t, const gram_blocks *blocks, const attcert_options *options,
                                 attcert_error *err) {
  const int n = t->m->n;
  gram_tile r;
  attcert_status status = block_gram_tile_init(&r, t, blocks, options, err);
  for (int column = 0; column < n && status == ATTCERT_OK; column += r.columns) {
    status = progress_report(options, "Gram matrix", (double)column / (double)n, err);
    if (status != ATTCERT_OK) break;
    block_gram_tile_begin(&r, column);
    for (int first = 0; first < column + r.columns; first += r.most_rows)
      if (block_gram_tile_compute(&r, first)) block_gram_output(&r);
  }
  block_gram_tile_clear(&r);
  return status;
}

/* ---- into panels ------------------------------------------------------------------------------------------------- */

typedef struct {
  const panels *lower;
  double *diagonal; /* out_dim x out_dim: a block on its way */
  int out;
} panel_writer;

static double *place_in_panel(void *context, int row, int column, int first, int *count, int *stride) {
  const panel_writer *const w = context;
  const panels *const a = w->lower;
  const int at = row * w->out + first, p = at / a->width, begin = panel_first(a, p);
  *stride = row == column ? w->out : panel_columns(a, p);
  if (row == column) return w->diagonal;
  *count = int_min(*count, begin + *stride - at);
  return a->panel[p] != NULL ? panel_row(a, p, column * w->out) + (at - begin) : NULL;
}

static void put_diagonal(void *context, int row, int column) {
  const panel_writer *const w = context;
  if (row == column)
    panels_put_transposed(w->lower, row * w->out, w->out, row * w->out, w->out, w->diagonal, (size_t)w->out);
}

/* Token rows of the upper triangle are columns of the lower one. */
static bool reaches_panels(void *context, int first, int rows) {
  const panel_writer *const w = context;
  const int last = ((first + rows) * w->out - 1) / w->lower->width;
  for (int p = first * w->out / w->lower->width; p <= last; p++)
    if (w->lower->panel[p] != NULL) return true;
  return false;
}

attcert_status block_gram_fill(block_gram *t, const panels *lower, const attcert_options *options, attcert_error *err) {
  const size_t out = (size_t)t->m->out_dim;
  panel_writer w = {lower, array_new(ARRAY_COUNT(out, out), sizeof(double), err, "a block of the Gram matrix"),
                    (int)out};
  if (w.diagonal == NULL) return ATTCERT_RESOURCE;
  const gram_blocks blocks = {place_in_panel, put_diagonal, reaches_panels, &w};
  const attcert_status status = block_gram_blocks(t, &blocks, options, err);
  free(w.diagonal);
  return status;
}

/* ---- error ------------------------------------------------------------------------------------------------------- */

/* Of the processes that computed a row of blocks, the owner of the panel it begins in answers for it. */
void block_gram_share(block_gram *t, const attcert_process_group *group) {
  const size_t n = (size_t)t->m->n;
  const panels a = panels_shape(block_gram_side(t->m), group);
  for (size_t row = 0; row < n; row++)
    if (!panel_is_own(&a, (int)row * t->m->out_dim / a.width)) memset(t->block_norm + row * n, 0, n * sizeof(double));
  process_group_allreduce_sum(group, t->block_norm, n * n);
}

static void mirror(double *a, size_t n) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n; j++) a[j * n + i] = a[i * n + j];
}

attcert_status block_gram_error(double *error, block_gram *t, double absolute, attcert_error *err) {
  const factored_jacobian *const m = t->m;
  const double width = (double)m->heads * (double)m->head_dim;
  mirror(t->block_norm, (size_t)m->n);
  const dense_matrix blocks = {t->block_norm, m->n, m->n};
  const linear_operator block_operator = dense_matrix_operator(&blocks);
  double block_norm2, w_norm = 1.0, second = 0.0;
  attcert_status status = nonnegative_norm_squared(&block_norm2, &block_operator, m->n, err);
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
  const double first =
      gamma_upper((double)m->n + (double)m->dim + 2.0 * (double)m->head_dim + 12.0) * w_norm * w_norm * absolute;
  *error = round_up_nonnegative(first + second, 8.0) + UNDERFLOW_ALLOWANCE;
  return ATTCERT_OK;
}

attcert_status block_gram_once(double *error, const gram_blocks *blocks, const factored_jacobian *m, double absolute,
                               const attcert_options *options, attcert_error *err) {
  block_gram t;
  attcert_status status = block_gram_init(&t, m, err);
  if (status == ATTCERT_OK) status = block_gram_blocks(&t, blocks, options, err);
  if (status == ATTCERT_OK) status = block_gram_error(error, &t, absolute, err);
  block_gram_clear(&t);
  return status;
}
