#include "network/attention/step_attention.h"

#include "base/arrays.h"
#include "certify/enclosure/attention_enclosure.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "kernel/linear/vector.h"
#include "kernel/row/attended_keys.h"
#include "kernel/row/attention_row.h"
#include "kernel/row/softmax.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

static const attention_heads *heads_of(const step *s) {
  return s->of;
}

static int attended(const step *s, int token, int keys) {
  return attended_keys(heads_of(s)->mask, token, keys);
}

static int sources(step_source *from, const step *s, const step_row *row) {
  int count = 0;
  (void)s;
  from[count++] = (step_source){0, row->row};
  for (int j = 0; j < row->attended; j++) {
    from[count++] = (step_source){1, j};
    from[count++] = (step_source){2, j};
  }
  return count;
}

/* The weights of all heads, then the products of each. */
static int fresh(const step *s, const step_row *row, int k) {
  const attention_heads *const of = s->of;
  return k == 0 ? row->attended * of->heads : k <= of->heads ? of->value_dim : 0;
}

/* step_attention_token (step_attention_head.h). */
static uint64_t scratch(const step *s, int in_cols, const step_row *row, int columns) {
  const int dim = heads_of(s)->value_dim, keys = row->attended;
  (void)in_cols;
  return ((uint64_t)s->cols + (uint64_t)keys + (uint64_t)(keys > dim ? keys : dim)) * (uint64_t)columns;
}

/* One head of one row: where it begins in the rows of query, key, value and output, how many tokens it attends to. */
typedef struct {
  const attention_heads *of;
  int row, query, key, value, output, count;
} place;

static int places(const step *s, int rows) {
  return rows * heads_of(s)->heads;
}

static place place_of(const step *s, int number, int keys) {
  const attention_heads *const of = s->of;
  const int row = number / of->heads, h = number % of->heads, g = attention_heads_key_head(of, h);
  return (place){.of = of,
                 .row = row,
                 .query = h * of->head_dim,
                 .key = g * of->head_dim,
                 .value = g * of->value_dim,
                 .output = h * of->value_dim,
                 .count = attended(s, of->token >= 0 ? of->token : row, keys)};
}

/* ---- in double: the rows of the kernel, with BLAS for the products ----------------------------------------------- */

static double *entry(const attcert_matrix *m, int i, int c) {
  return m->data + (size_t)i * (size_t)m->cols + (size_t)c;
}

/* slope[j] = c'(q . k_j / root), unless NULL. */
static void softmax_weights(double *weight, double *slope, const attcert_matrix *const *x, const place *at) {
  const attention_heads *const of = at->of;
  const double *const q = entry(x[0], at->row, at->query), root = sqrt(of->divided_by);
  for (int j = 0; j < at->count; j++) {
    const double s = cblas_ddot(of->head_dim, q, 1, entry(x[1], j, at->key), 1) / root;
    weight[j] = of->curve != NULL ? of->cap * of->curve->estimate(s / of->cap) : s;
    if (slope != NULL) slope[j] = of->curve != NULL ? of->curve->slope_estimate(s / of->cap) : 1.0;
  }
  softmax_row(weight, at->count);
}

static void value_of_head(const attcert_matrix *y, const attcert_matrix *const *x, double *weight, const place *at) {
  softmax_weights(weight, NULL, x, at);
  cblas_dgemv(CblasRowMajor, CblasTrans, at->count, at->of->value_dim, 1.0, entry(x[2], 0, at->value), x[2]->cols,
              weight, 1, 0.0, entry(y, at->row, at->output), 1);
}

/* dv_j += P_j c, dq += sum_j t_j k_j, dk_j += t_j q for the row c of dy, where t are the scores' cotangents of the
 * numbers c . v_j, values of one entry, times c'. scratch: 4 count numbers. */
static void pull_back_head(attcert_matrix *const *dx, const attcert_matrix *const *x, const attcert_matrix *dy,
                           double *scratch, const place *at) {
  const int dim = at->of->head_dim, value_dim = at->of->value_dim;
  const double *const q = entry(x[0], at->row, at->query), *const c = entry(dy, at->row, at->output), one = 1.0;
  double *const weight = scratch, *const along = weight + at->count, *const t = along + at->count;
  double *const slope = t + at->count;
  softmax_weights(weight, slope, x, at);
  for (int j = 0; j < at->count; j++) along[j] = cblas_ddot(value_dim, c, 1, entry(x[2], j, at->value), 1);
  const double mean = vector_dot(weight, along, at->count);
  attention_score_cotangents(t, weight, along, &mean, &one, sqrt(at->of->divided_by), at->count, 1);
  for (int j = 0; j < at->count; j++) {
    cblas_daxpy(value_dim, weight[j], c, 1, entry(dx[2], j, at->value), 1);
    cblas_daxpy(dim, t[j] * slope[j], entry(x[1], j, at->key), 1, entry(dx[0], at->row, at->query), 1);
    cblas_daxpy(dim, t[j] * slope[j], q, 1, entry(dx[1], j, at->key), 1);
  }
}

/* For every head of every row: y, or with dx the gradients from y, which is dy then. */
static attcert_status heads_in_double(const attcert_matrix *y, attcert_matrix *const *dx, const step *s,
                                      const attcert_matrix *const *x, attcert_error *err) {
  const int keys = x[1]->rows;
  double *const scratch = array_new(4 * (size_t)keys, sizeof *scratch, err, "the weights of %d tokens", keys);
  if (scratch == NULL) return ATTCERT_RESOURCE;
  for (int k = 0; k < places(s, y->rows); k++) {
    const place at = place_of(s, k, keys);
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

/* ---- in intervals: the rows of certify/enclosure; t[0] of the scratch is the divisor, t[1] the cap --------------- */

/* out[j] contains z . x_j / divisor, for z and the `dim` entries from `first` on of row j of a matrix. */
static void enclose_scores(interval *out, const interval *z, const step_enclosure *x, int first, int dim, int count,
                           step_scratch *scratch) {
  for (int j = 0; j < count; j++)
    score_enclosure(&out[j], z, step_entry(x, j, first), &scratch->t[0], 1, dim, &scratch->ws);
}

/* s[j] becomes c(s_j), slope[j] contains c'(s_j). */
static void enclose_curve(interval *s, interval *slope, const attention_heads *of, int count, step_scratch *scratch) {
  for (int j = 0; j < count; j++) {
    if (of->curve == NULL) {
      interval_set_si(&slope[j], 1);
      continue;
    }
    interval_div(&scratch->t[2], &s[j], &scratch->t[1], &scratch->ws);
    of->curve->enclose(&s[j], &slope[j], &scratch->t[2], &scratch->ws);
    interval_mul(&s[j], &s[j], &scratch->t[1], &scratch->ws);
  }
}

static void enclose_weights(interval *weight, interval *slope, const step_enclosure *const *x, const place *at,
                            step_scratch *scratch) {
  enclose_scores(weight, step_entry(x[0], at->row, at->query), x[1], at->key, at->of->head_dim, at->count, scratch);
  enclose_curve(weight, slope, at->of, at->count, scratch);
  softmax_enclosure(weight, at->count, scratch->precision, &scratch->ws);
}

static void enclose_head(const step_enclosure *y, const step_enclosure *const *x, const step_enclosure *rows,
                         const place *at, step_scratch *scratch) {
  interval *const weight = step_entry(rows, 0, 0);
  enclose_weights(weight, step_entry(rows, 1, 0), x, at, scratch);
  for (int j = 0; j < at->count; j++)
    scaled_row_add(step_entry(y, at->row, at->output), &weight[j], step_entry(x[2], j, at->value), at->of->value_dim,
                   &scratch->ws);
}

/* As pull_back_head. */
static void enclose_pull_back_head(step_enclosure *const *dx, const step_enclosure *const *x, const step_enclosure *dy,
                                   const step_enclosure *rows, const place *at, step_scratch *scratch) {
  const int dim = at->of->head_dim, value_dim = at->of->value_dim;
  const interval *const q = step_entry(x[0], at->row, at->query), *const c = step_entry(dy, at->row, at->output);
  interval *const dq = step_entry(dx[0], at->row, at->query), *const mean = &scratch->t[2];
  interval *const weight = step_entry(rows, 0, 0), *const slope = step_entry(rows, 1, 0);
  interval *const t = step_entry(rows, 2, 0);
  enclose_weights(weight, slope, x, at, scratch);
  enclose_scores(t, c, x[2], at->value, value_dim, at->count, scratch);
  interval_dot(mean, weight, t, (size_t)at->count, &scratch->ws);
  for (int j = 0; j < at->count; j++) {
    interval_sub(&t[j], &t[j], mean);
    interval_mul(&t[j], &t[j], &weight[j], &scratch->ws);
    interval_mul(&t[j], &t[j], &slope[j], &scratch->ws);
    scaled_row_add(step_entry(dx[2], j, at->value), &weight[j], c, value_dim, &scratch->ws);
    scaled_row_add(dq, &t[j], step_entry(x[1], j, at->key), dim, &scratch->ws);
    scaled_row_add(step_entry(dx[1], j, at->key), &t[j], q, dim, &scratch->ws);
  }
}

/* As heads_in_double. */
static attcert_status enclose_heads(const step_enclosure *y, step_enclosure *const *dx, const step *s,
                                    const step_enclosure *const *x, step_scratch *scratch, attcert_error *err) {
  const attention_heads *const of = s->of;
  const int keys = x[1]->rows;
  step_enclosure rows; /* the weights, the curve's slopes, the scores' cotangents */
  const attcert_status status = step_enclosure_init(&rows, 3, keys, scratch->precision, err);
  if (status != ATTCERT_OK) return status;
  interval_set_d(&scratch->t[0], of->divided_by);
  interval_sqrt(&scratch->t[0], &scratch->t[0]);
  if (of->curve != NULL) interval_set_d(&scratch->t[1], of->cap);
  for (int k = 0; k < places(s, y->rows); k++) {
    const place at = place_of(s, k, keys);
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
                                  .attended = attended,
                                  .sources = sources,
                                  .fresh = fresh,
                                  .scratch = scratch,
                                  .forms = step_attention_forms,
                                  .execution = step_attention_execution,
                                  .value = value,
                                  .pull_back = pull_back,
                                  .enclose = enclose,
                                  .enclose_pull_back = enclose_pull_back};

attention_heads step_attention_plain(int heads, int head_dim) {
  return (attention_heads){.heads = heads,
                           .key_heads = heads,
                           .head_dim = head_dim,
                           .value_dim = head_dim,
                           .divided_by = head_dim,
                           .mask = ATTCERT_MASK_NONE,
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
