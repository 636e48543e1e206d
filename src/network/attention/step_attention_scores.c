/* Scores of one head of one token: center, linear part a (q . K_j + k_j . Q), bilinear remainder.
 *
 * bilinear_remainder: |e_q . e_k| <= ||e_q|| ||e_k||.
 *
 * What S_j and s0_j miss (gamma = gamma_{dim + 5}: dim products, their scale, the rounding of 1 / sqrt(dim), the sum of
 * both parts):
 *   a (|q| . radius_k + |k| . radius_q) + a gamma (|q| . magnitude_K + |k| . magnitude_Q + |q| . |k|). */
#include "linalg/rounding/rounding.h"
#include "network/attention/step_attention_head.h"

#include <cblas.h>
#include <string.h>

static void center_of_score(step_attention_token *t, size_t at_q, size_t at_k, int j) {
  const form *const q = t->query, *const k = t->key;
  const double scale = 1.0 / sqrt(t->dim), gamma = gamma_upper(t->dim + 5.0);
  double score = 0.0, miss = 0.0;
  for (size_t c = 0; c < (size_t)t->dim; c++) {
    const double x = q->center[at_q + c], y = k->center[at_k + c];
    const double of_q = q->radius[at_q + c] + gamma * q->support[at_q + c].magnitude;
    const double of_k = k->radius[at_k + c] + gamma * k->support[at_k + c].magnitude;
    score += x * y;
    miss += fabs(x) * of_k + fabs(y) * of_q + gamma * fabs(x * y);
  }
  t->score[j] = scale * score;
  t->of[j].score_miss = round_up_nonnegative(scale * miss + UNDERFLOW_ALLOWANCE, t->dim + 12.0);
}

/* S_j += a q . K_j, all columns of key j at once. */
static void add_key_part(step_attention_token *t, const double *q, int h, int j) {
  const form_row *const key = &t->key->row[j];
  const int columns = form_layout_columns(&key->layout);
  if (columns == 0) return;
  cblas_dgemv(CblasRowMajor, CblasTrans, t->dim, columns, 1.0 / sqrt(t->dim),
              key->linear + (size_t)h * (size_t)t->dim * (size_t)columns, columns, q, 1, 0.0, t->block, 1);
  form_layout_add(t->score_linear + (size_t)j * (size_t)t->columns, &t->layout, t->block, &key->layout, 1, 1.0);
}

/* S_j += a k_j . Q for all j. */
static void add_query_part(step_attention_token *t, int h) {
  const form_row *const query = &t->query->row[t->i];
  const int columns = form_layout_columns(&query->layout);
  const size_t first = (size_t)h * (size_t)t->dim;
  if (columns == 0) return;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, t->count, columns, t->dim, 1.0 / sqrt(t->dim),
              t->key->center + first, t->key->cols, query->linear + first * (size_t)columns, columns, 0.0, t->block,
              columns);
  form_layout_add(t->score_linear, &t->layout, t->block, &query->layout, t->count, 1.0);
}

void step_attention_scores(step_attention_token *t, int h) {
  const size_t first = (size_t)h * (size_t)t->dim, heads = (size_t)t->heads, width = (size_t)t->key->cols;
  const size_t at_q = (size_t)t->i * width + first;
  const double scale = round_up_nonnegative(1.0 / sqrt(t->dim), 2.0);
  const double norm = t->query_norm[(size_t)t->i * heads + (size_t)h].all;
  if (t->columns > 0) memset(t->score_linear, 0, (size_t)t->count * (size_t)t->columns * sizeof(double));
  for (int j = 0; j < t->count; j++) {
    center_of_score(t, at_q, (size_t)j * width + first, j);
    t->of[j].score_bound = round_up_nonnegative(scale * norm * t->key_norm[(size_t)j * heads + (size_t)h].all, 2.0);
    add_key_part(t, t->query->center + at_q, h, j);
  }
  add_query_part(t, h);
}
