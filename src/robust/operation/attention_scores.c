/* Scores of one head of one token: center, linear part a (q . K_j + k_j . Q), bilinear remainder.
 *
 * bilinear_remainder: |e_q . e_k| <= ||e_q|| ||e_k||.
 *
 * What S_j and s0_j miss (gamma = gamma_{dim + 5}: dim products, their scale, the rounding of 1 / sqrt(dim), the sum of
 * both parts):
 *   a (|q| . radius_k + |k| . radius_q) + a gamma (|q| . magnitude_K + |k| . magnitude_Q + |q| . |k|). */
#include "linalg/rounding.h"
#include "robust/operation/attention_head.h"

#include <cblas.h>
#include <string.h>

/* Where head h of row i of a form begins. */
static size_t head_at(const form *f, int i, int h, int dim) {
  return (size_t)i * (size_t)f->cols + (size_t)h * (size_t)dim;
}

static void center_of_score(attention_token *row, const form *q, size_t at_q, const form *k, size_t at_k, int j) {
  const double scale = 1.0 / sqrt(row->dim), gamma = gamma_upper(row->dim + 5.0);
  double score = 0.0, miss = 0.0;
  for (size_t c = 0; c < (size_t)row->dim; c++) {
    const double x = q->center[at_q + c], y = k->center[at_k + c];
    const double of_q = q->radius[at_q + c] + gamma * q->support[at_q + c].magnitude;
    const double of_k = k->radius[at_k + c] + gamma * k->support[at_k + c].magnitude;
    score += x * y;
    miss += fabs(x) * of_k + fabs(y) * of_q + gamma * fabs(x * y);
  }
  row->score[j] = scale * score;
  row->score_miss[j] = round_up_nonnegative(scale * miss + UNDERFLOW_ALLOWANCE, row->dim + 12.0);
}

/* S_j += a q . K_j, all columns of key j at once. */
static void add_key_part(attention_token *row, const double *q, const form *k, int h, int j) {
  const form_row *const key = &k->row[j];
  const int columns = form_layout_columns(&key->layout);
  if (columns == 0) return;
  cblas_dgemv(CblasRowMajor, CblasTrans, row->dim, columns, 1.0 / sqrt(row->dim),
              key->linear + (size_t)h * (size_t)row->dim * (size_t)columns, columns, q, 1, 0.0, row->block, 1);
  form_layout_add(row->score_linear + (size_t)j * (size_t)row->columns, row->layout, row->block, &key->layout, 1, 1.0);
}

/* S_j += a k_j . Q for all j. */
static void add_query_part(attention_token *row, const form_row *query, const form *k, int h) {
  const int columns = form_layout_columns(&query->layout);
  if (columns == 0) return;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, row->count, columns, row->dim, 1.0 / sqrt(row->dim),
              k->center + head_at(k, 0, h, row->dim), k->cols,
              query->linear + (size_t)h * (size_t)row->dim * (size_t)columns, columns, 0.0, row->block, columns);
  form_layout_add(row->score_linear, row->layout, row->block, &query->layout, row->count, 1.0);
}

void attention_head_scores(attention_token *row, const operation_attention_input *in, int i, int h,
                           const attention_norms *norms) {
  const form *const q = in->query, *const k = in->key;
  const size_t at_q = head_at(q, i, h, row->dim), heads = (size_t)row->heads;
  const double scale = round_up_nonnegative(1.0 / sqrt(row->dim), 2.0);
  if (row->columns > 0) memset(row->score_linear, 0, (size_t)row->count * (size_t)row->columns * sizeof(double));
  for (int j = 0; j < row->count; j++) {
    const double norm_q = norms->query[(size_t)i * heads + (size_t)h];
    const double norm_k = norms->key[(size_t)j * heads + (size_t)h];
    center_of_score(row, q, at_q, k, head_at(k, j, h, row->dim), j);
    row->score_bound[j] = round_up_nonnegative(scale * norm_q * norm_k, 2.0);
    add_key_part(row, q->center + at_q, k, h, j);
  }
  add_query_part(row, &q->row[i], k, h);
}
