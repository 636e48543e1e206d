/* Products with the derivative of attention and its transpose, as step_attention_linear.c has them. */
#include "base/parallel.h"
#include "linalg/blas/blas_single.h"
#include "network/attention/step_attention_linear.h"
#include "network/attention/step_attention_weights.h"

#include <cblas.h>

typedef struct {
  attention_linear p;
  const double *query, *key, *value; /* of the tangent */
  double *to_query, *to_key, *to_value;
  const double *from;
  double *to;
  double *scratch;
} product;

/* t from what `scores` holds, ds or a: P (s - sum P s), with the slope before the mean or behind it. */
static void respond(double *scores, const attention_linear *p, int h, bool transpose) {
  for (int i = 0; i < p->rows; i++) {
    const size_t first = attention_linear_weights(p, h, i);
    const double *const weight = p->weight + first, *const slope = p->slope != NULL ? p->slope + first : NULL;
    double *const s = scores + (size_t)i * (size_t)p->keys, mean = 0.0;
    for (int j = 0; j < p->keys && slope != NULL && !transpose; j++) s[j] *= slope[j];
    for (int j = 0; j < p->keys; j++) mean += weight[j] * s[j];
    for (int j = 0; j < p->keys; j++) s[j] = weight[j] * (s[j] - mean);
    for (int j = 0; j < p->keys && slope != NULL && transpose; j++) s[j] *= slope[j];
  }
}

/* c := a b + keep c, with sides m, k, n; transposed: of a stored by columns, or of b. */
static void multiply(double *c, int ldc, const double *a, int lda, bool a_turned, const double *b, int ldb,
                     bool b_turned, const int side[3], double keep) {
  cblas_dgemm(CblasRowMajor, a_turned ? CblasTrans : CblasNoTrans, b_turned ? CblasTrans : CblasNoTrans, side[0],
              side[2], side[1], 1.0, a, lda, b, ldb, keep, c, ldc);
}

static attention_place place_of(const attention_linear *p, int h, int i) {
  return attention_place_of(p->of, i * p->of->heads + h, p->keys);
}

/* s_ij += dq_i . u_ij + w_ij . dk_j, where i attends to j. */
static void add_shifts(double *s, const attention_linear *p, int h, const double *query, const double *key) {
  const int k = p->of->head_dim;
  for (int i = 0; i < p->rows && p->of->shifts != NULL; i++) {
    const attention_place at = place_of(p, h, i);
    const double *const dq = query + (size_t)i * (size_t)p->query_cols + at.query;
    for (int j = 0; j < at.count; j++) {
      const size_t row = (size_t)attention_place_key(&at, j);
      double *const sum = s + (size_t)i * (size_t)p->keys + row;
      if (p->key_shift != NULL) *sum += cblas_ddot(k, dq, 1, attention_place_shift(&at, p->key_shift, j), 1);
      if (p->query_shift != NULL)
        *sum += cblas_ddot(k, attention_place_shift(&at, p->query_shift, j), 1,
                           key + row * (size_t)p->key_cols + at.key, 1);
    }
  }
}

/* dq_i += sum_j t_ij u_ij, dk_j += sum_i t_ij w_ij. */
static void pull_shifts(double *query, double *key, const attention_linear *p, int h, const double *t) {
  const int k = p->of->head_dim;
  for (int i = 0; i < p->rows && p->of->shifts != NULL; i++) {
    const attention_place at = place_of(p, h, i);
    double *const dq = query + (size_t)i * (size_t)p->query_cols + at.query;
    for (int j = 0; j < at.count; j++) {
      const size_t row = (size_t)attention_place_key(&at, j);
      const double factor = t[(size_t)i * (size_t)p->keys + row];
      if (p->key_shift != NULL) cblas_daxpy(k, factor, attention_place_shift(&at, p->key_shift, j), 1, dq, 1);
      if (p->query_shift != NULL)
        cblas_daxpy(k, factor, attention_place_shift(&at, p->query_shift, j), 1,
                    key + row * (size_t)p->key_cols + at.key, 1);
    }
  }
}

static void push_vector(void *context, int v) {
  const product *const t = context;
  const attention_linear *const p = &t->p;
  const int n = p->rows, m = p->keys, k = p->of->head_dim, d = p->of->value_dim;
  const int to_scores[] = {n, k, m}, to_values[] = {n, m, d};
  const double *const query = t->query + (size_t)v * (size_t)n * (size_t)p->query_cols;
  const double *const key = t->key + (size_t)v * (size_t)m * (size_t)p->key_cols;
  const double *const value = t->value + (size_t)v * (size_t)m * (size_t)p->value_cols;
  double *const y = t->to + (size_t)v * (size_t)n * (size_t)p->out_cols;
  double *const s = t->scratch + (size_t)v * (size_t)n * (size_t)m;
  for (int h = 0; h < p->of->heads; h++) {
    const int g = attention_heads_key_head(p->of, h);
    multiply(s, m, query + h * k, p->query_cols, false, p->key + g * k, p->key_cols, true, to_scores, 0.0);
    multiply(s, m, p->query + h * k, p->query_cols, false, key + g * k, p->key_cols, true, to_scores, 1.0);
    add_shifts(s, p, h, query, key);
    respond(s, p, h, false);
    multiply(y + h * d, p->out_cols, p->weight + attention_linear_weights(p, h, 0), m, false, value + g * d,
             p->value_cols, false, to_values, 0.0);
    multiply(y + h * d, p->out_cols, s, m, false, p->value + g * d, p->value_cols, false, to_values, 1.0);
  }
}

static void pull_vector(void *context, int v) {
  const product *const t = context;
  const attention_linear *const p = &t->p;
  const int n = p->rows, m = p->keys, k = p->of->head_dim, d = p->of->value_dim;
  const int to_scores[] = {n, d, m}, to_value[] = {m, n, d}, to_query[] = {n, m, k}, to_key[] = {m, n, k};
  double *const query = t->to_query + (size_t)v * (size_t)n * (size_t)p->query_cols;
  double *const key = t->to_key + (size_t)v * (size_t)m * (size_t)p->key_cols;
  double *const value = t->to_value + (size_t)v * (size_t)m * (size_t)p->value_cols;
  const double *const c = t->from + (size_t)v * (size_t)n * (size_t)p->out_cols;
  double *const s = t->scratch + (size_t)v * (size_t)n * (size_t)m;
  for (int h = 0; h < p->of->heads; h++) {
    const int g = attention_heads_key_head(p->of, h);
    const double keep = h % p->group == 0 ? 0.0 : 1.0;
    multiply(s, m, c + h * d, p->out_cols, false, p->value + g * d, p->value_cols, true, to_scores, 0.0);
    respond(s, p, h, true);
    multiply(value + g * d, p->value_cols, p->weight + attention_linear_weights(p, h, 0), m, true, c + h * d,
             p->out_cols, false, to_value, keep);
    multiply(query + h * k, p->query_cols, s, m, false, p->key + g * k, p->key_cols, false, to_query, 0.0);
    multiply(key + g * k, p->key_cols, s, m, true, p->query + h * k, p->query_cols, false, to_key, keep);
    pull_shifts(query, key, p, h, s);
  }
}

/* Of several vectors, each on a thread. */
static void for_vectors(int count, int threads, parallel_body body, product *t) {
  blas_single_begin();
  parallel_for(count, threads, body, t);
  blas_single_end();
}

void step_attention_push(double *y, const step_linear *l, const double *const *x, int count, double *scratch) {
  product t = {.p = attention_linear_of(l), .query = x[0], .key = x[1], .value = x[2], .to = y, .scratch = scratch};
  for_vectors(count, l->threads, push_vector, &t);
}

void step_attention_pull(double *const *x, const step_linear *l, const double *y, int count, double *scratch) {
  product t = {
      .p = attention_linear_of(l), .to_query = x[0], .to_key = x[1], .to_value = x[2], .from = y, .scratch = scratch};
  for_vectors(count, l->threads, pull_vector, &t);
}
