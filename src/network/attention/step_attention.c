#include "network/attention/step_attention.h"

#include "base/arrays.h"
#include "certify/enclosure/attention_enclosure.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "kernel/linear/vector.h"
#include "kernel/row/attention_row.h"
#include "kernel/row/softmax.h"
#include "network/attention/step_attention_weights.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The biases and the sinks' scores are the only weights; pairs are behind the heads. Biases that are computed stay as
 * they are: what executing them adds is the execution's. */
static attcert_status round_scores(void **of, const step *s, int in_cols, const step_format *format,
                                   attcert_error *err) {
  struct {
    attention_heads heads;
    attention_pair_lists pairs;
  } own = {.heads = *(const attention_heads *)s->of};
  if (own.heads.pairs != NULL) own.pairs = *own.heads.pairs;
  const double *none = NULL;
  const bool stored = own.heads.bias != NULL && own.heads.bias_low == NULL;
  const size_t offsets = stored ? 2 * (size_t)own.heads.span - 1 : 0, count = (size_t)own.heads.heads;
  const size_t pairs = (size_t)own.pairs.biases * (size_t)own.pairs.rows * (size_t)own.pairs.keys;
  const step_weights weights[] = {
      {stored ? &own.heads.bias : &none, count * offsets}, {&own.heads.sink, count}, {&own.pairs.bias, pairs}};
  (void)in_cols;
  char *const memory = *of = step_execution_round(weights, 3, sizeof own, format, err);
  if (memory == NULL) return ATTCERT_RESOURCE;
  if (own.heads.pairs != NULL) own.heads.pairs = (const void *)(memory + ((char *)&own.pairs - (char *)&own));
  memcpy(memory, &own, sizeof own);
  return ATTCERT_OK;
}

/* ---- in double: the rows of the kernel, with BLAS for the products ----------------------------------------------- */

static double *entry(const attcert_matrix *m, int i, int c) {
  return m->data + (size_t)i * (size_t)m->cols + (size_t)c;
}

/* q . k_j + q . u + w . k_j of key number j. */
static double shifted_product(const attcert_matrix *const *x, const attention_place *at, int j) {
  const attention_heads *const of = at->of;
  const double *const q = entry(x[0], at->row, at->query), *const k = entry(x[1], attention_place_key(at, j), at->key);
  double product = cblas_ddot(of->head_dim, q, 1, k, 1);
  if (attention_heads_shifts_keys(of))
    product += cblas_ddot(of->head_dim, q, 1, attention_place_shift(at, of->shifts->key, j), 1);
  if (attention_heads_shifts_queries(of))
    product += cblas_ddot(of->head_dim, attention_place_shift(at, of->shifts->query, j), 1, k, 1);
  return product;
}

/* slope[j] = c' of the product by the root, unless NULL. */
static void softmax_weights(double *weight, double *slope, const attcert_matrix *const *x, const attention_place *at) {
  const attention_heads *const of = at->of;
  const double root = sqrt(of->divided_by);
  for (int j = 0; j < at->count; j++) {
    const double s = shifted_product(x, at, j) / root;
    const int key = attention_place_key(at, j);
    weight[j] = (of->curve != NULL ? of->cap * of->curve->estimate(s / of->cap) : s) +
                attention_heads_bias(of, at->head, at->token, key);
    if (of->pairs != NULL) weight[j] += attention_heads_pair_bias(of, at->head, at->token, key);
    if (slope != NULL) slope[j] = of->curve != NULL ? of->curve->slope_estimate(s / of->cap) : 1.0;
  }
  if (of->sink != NULL) weight[at->count] = of->sink[at->head];
  softmax_row(weight, attention_heads_weights(of, at->count));
}

/* The weights of keys go to their places behind the first one, zeros between them. */
static void spread_weights(double *weight, const attention_place *at) {
  for (int j = at->count - 1; j >= 0; j--) {
    const double p = weight[j];
    weight[j] = 0.0;
    weight[attention_place_key(at, j) - at->first] = p;
  }
}

static void value_of_head(const attcert_matrix *y, const attcert_matrix *const *x, double *weight,
                          const attention_place *at) {
  const int span = attention_place_span(at);
  softmax_weights(weight, NULL, x, at);
  for (int j = at->count; j < span; j++) weight[j] = 0.0;
  spread_weights(weight, at);
  cblas_dgemv(CblasRowMajor, CblasTrans, span, at->of->value_dim, 1.0, entry(x[2], at->first, at->value), x[2]->cols,
              weight, 1, 0.0, entry(y, at->row, at->output), 1);
}

/* dv_j += P_j c, dq += sum_j t_j (k_j + u), dk_j += t_j (q + w) for the row c of dy, where t are the scores' cotangents
 * of the numbers c . v_j, values of one entry, times c'. scratch: 4 weights' numbers. */
static void pull_back_head(attcert_matrix *const *dx, const attcert_matrix *const *x, const attcert_matrix *dy,
                           double *scratch, const attention_place *at) {
  const int dim = at->of->head_dim, value_dim = at->of->value_dim;
  const double *const q = entry(x[0], at->row, at->query), *const c = entry(dy, at->row, at->output), one = 1.0;
  double *const weight = scratch, *const along = weight + attention_heads_weights(at->of, at->count);
  double *const t = along + at->count, *const slope = t + at->count;
  softmax_weights(weight, slope, x, at);
  for (int j = 0; j < at->count; j++)
    along[j] = cblas_ddot(value_dim, c, 1, entry(x[2], attention_place_key(at, j), at->value), 1);
  const double mean = vector_dot(weight, along, at->count);
  attention_score_cotangents(t, weight, along, &mean, &one, sqrt(at->of->divided_by), at->count, 1);
  for (int j = 0; j < at->count; j++) {
    const int key = attention_place_key(at, j);
    cblas_daxpy(value_dim, weight[j], c, 1, entry(dx[2], key, at->value), 1);
    cblas_daxpy(dim, t[j] * slope[j], entry(x[1], key, at->key), 1, entry(dx[0], at->row, at->query), 1);
    cblas_daxpy(dim, t[j] * slope[j], q, 1, entry(dx[1], key, at->key), 1);
    if (attention_heads_shifts_keys(at->of))
      cblas_daxpy(dim, t[j] * slope[j], attention_place_shift(at, at->of->shifts->key, j), 1,
                  entry(dx[0], at->row, at->query), 1);
    if (attention_heads_shifts_queries(at->of))
      cblas_daxpy(dim, t[j] * slope[j], attention_place_shift(at, at->of->shifts->query, j), 1,
                  entry(dx[1], key, at->key), 1);
  }
}

/* For every head of every row: y, or with dx the gradients from y, which is dy then. */
static attcert_status heads_in_double(const attcert_matrix *y, attcert_matrix *const *dx, const step *s,
                                      const attcert_matrix *const *x, attcert_error *err) {
  const int keys = x[1]->rows;
  const size_t weights = (size_t)attention_heads_weights(s->of, keys);
  double *const scratch = array_new(4 * weights, sizeof *scratch, err, "the weights of %d tokens", keys);
  if (scratch == NULL) return ATTCERT_RESOURCE;
  for (int k = 0; k < attention_places(s->of, y->rows); k++) {
    const attention_place at = attention_place_of(s->of, k, keys);
    if (dx == NULL)
      value_of_head(y, x, scratch, &at);
    else
      pull_back_head(dx, x, y, scratch, &at);
  }
  free(scratch);
  return ATTCERT_OK;
}

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  return heads_in_double(y, NULL, s, x, err);
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  return heads_in_double(dy, dx, s, x, err);
}

/* ---- in intervals --------------------------------------------------------------------------------------------- */

static void enclose_head(const step_enclosure *y, const step_enclosure *const *x, const step_enclosure *rows,
                         const attention_place *at, step_scratch *scratch) {
  interval *const weight = step_entry(rows, 0, 0);
  step_attention_enclose_weights(weight, step_entry(rows, 1, 0), x, at, scratch);
  for (int j = 0; j < at->count; j++)
    scaled_row_add(step_entry(y, at->row, at->output), &weight[j],
                   step_entry(x[2], attention_place_key(at, j), at->value), at->of->value_dim, &scratch->ws);
}

/* As pull_back_head. */
static void enclose_pull_back_head(step_enclosure *const *dx, const step_enclosure *const *x, const step_enclosure *dy,
                                   const step_enclosure *rows, const attention_place *at, step_scratch *scratch) {
  const int dim = at->of->head_dim, value_dim = at->of->value_dim;
  const interval *const q = step_entry(x[0], at->row, at->query), *const c = step_entry(dy, at->row, at->output);
  interval *const dq = step_entry(dx[0], at->row, at->query), *const mean = &scratch->t[2];
  interval *const weight = step_entry(rows, 0, 0), *const slope = step_entry(rows, 1, 0);
  interval *const t = step_entry(rows, 2, 0);
  step_attention_enclose_weights(weight, slope, x, at, scratch);
  step_attention_enclose_scores(t, c, x[2], at, at->value, value_dim, scratch);
  interval_dot(mean, weight, t, (size_t)at->count, &scratch->ws);
  for (int j = 0; j < at->count; j++) {
    const int key = attention_place_key(at, j);
    interval_sub(&t[j], &t[j], mean);
    interval_mul(&t[j], &t[j], &weight[j], &scratch->ws);
    interval_mul(&t[j], &t[j], &slope[j], &scratch->ws);
    scaled_row_add(step_entry(dx[2], key, at->value), &weight[j], c, value_dim, &scratch->ws);
    scaled_row_add(dq, &t[j], step_entry(x[1], key, at->key), dim, &scratch->ws);
    scaled_row_add(step_entry(dx[1], key, at->key), &t[j], q, dim, &scratch->ws);
    const attention_shifts *const of = at->of->shifts;
    if (attention_heads_shifts_keys(at->of)) step_attention_add_shift(dq, &t[j], of->key, of->key_low, at, j, scratch);
    if (attention_heads_shifts_queries(at->of))
      step_attention_add_shift(step_entry(dx[1], key, at->key), &t[j], of->query, of->query_low, at, j, scratch);
  }
}

/* As heads_in_double. */
static attcert_status enclose_heads(const step_enclosure *y, step_enclosure *const *dx, const step *s,
                                    const step_enclosure *const *x, step_scratch *scratch, attcert_error *err) {
  const int keys = x[1]->rows;
  step_enclosure rows; /* the weights, the curve's slopes, the scores' cotangents */
  const attcert_status status =
      step_enclosure_init(&rows, 3, attention_heads_weights(s->of, keys), scratch->precision, err);
  if (status != ATTCERT_OK) return status;
  step_attention_enclose_scale(s->of, scratch);
  for (int k = 0; k < attention_places(s->of, y->rows); k++) {
    const attention_place at = attention_place_of(s->of, k, keys);
    if (dx == NULL)
      enclose_head(y, x, &rows, &at, scratch);
    else
      enclose_pull_back_head(dx, x, y, &rows, &at, scratch);
  }
  step_enclosure_clear(&rows);
  return ATTCERT_OK;
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  return enclose_heads(y, NULL, s, x, scratch, err);
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  return enclose_heads(dy, dx, s, x, scratch, err);
}

const step_kind step_attention = {.name = "attention",
                                  .attended = step_attention_attended,
                                  .sources = step_attention_sources,
                                  .fresh = step_attention_fresh,
                                  .scratch = step_attention_scratch,
                                  .round = round_scores,
                                  .forms = step_attention_forms,
                                  .lower = step_attention_lower,
                                  .execution = step_attention_execution,
                                  .value = value,
                                  .pull_back = pull_back,
                                  .enclose = enclose,
                                  .enclose_pull_back = enclose_pull_back,
                                  .linearize = step_attention_linearize,
                                  .push = step_attention_push,
                                  .pull = step_attention_pull};

attention_heads step_attention_plain(int heads, int head_dim) {
  return (attention_heads){.heads = heads,
                           .key_heads = heads,
                           .head_dim = head_dim,
                           .value_dim = head_dim,
                           .divided_by = head_dim,
                           .before = ATTENTION_ALL,
                           .after = ATTENTION_ALL,
                           .token = -1};
}

int step_attention_add(network_builder *b, const int input[3], const attention_heads *heads) {
  const void *const of = network_copy(b, heads, sizeof *heads);
  return network_add(b, (step){.kind = &step_attention,
                               .of = of,
                               .input = {input[0], input[1], input[2]},
                               .inputs = 3,
                               .cols = heads->heads * heads->value_dim});
}
