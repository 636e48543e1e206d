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

/* Entries a head. */
static int dim_of(const step *s) {
  return s->cols / heads_of(s)->heads;
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
  const int heads = heads_of(s)->heads;
  return k == 0 ? row->attended * heads : k <= heads ? dim_of(s) : 0;
}

/* step_attention_token (step_attention_head.h). */
static uint64_t scratch(const step *s, int in_cols, const step_row *row, int columns) {
  const int dim = dim_of(s), keys = row->attended;
  (void)in_cols;
  return ((uint64_t)s->cols + (uint64_t)keys + (uint64_t)(keys > dim ? keys : dim)) * (uint64_t)columns;
}

/* One head of one row: its first column, its columns, the tokens it attends to. */
typedef struct {
  int row, first, dim, count;
} place;

static int places(const step *s, int rows) {
  return rows * heads_of(s)->heads;
}

static place place_of(const step *s, int number, int keys) {
  const attention_heads *const of = s->of;
  const int row = number / of->heads, dim = dim_of(s);
  return (place){row, number % of->heads * dim, dim, attended(s, of->token >= 0 ? of->token : row, keys)};
}

/* ---- in double: the rows of the kernel, with BLAS for the products ----------------------------------------------- */

/* Where the head begins in row i. */
static double *head_of(const attcert_matrix *m, int i, const place *at) {
  return m->data + (size_t)i * (size_t)m->cols + (size_t)at->first;
}

static void softmax_weights(double *weight, const attcert_matrix *const *x, const place *at) {
  const double *const q = head_of(x[0], at->row, at);
  for (int j = 0; j < at->count; j++) weight[j] = cblas_ddot(at->dim, q, 1, head_of(x[1], j, at), 1) / sqrt(at->dim);
  softmax_row(weight, at->count);
}

static void value_of_head(const attcert_matrix *y, const attcert_matrix *const *x, double *weight, const place *at) {
  softmax_weights(weight, x, at);
  cblas_dgemv(CblasRowMajor, CblasTrans, at->count, at->dim, 1.0, head_of(x[2], 0, at), x[2]->cols, weight, 1, 0.0,
              head_of(y, at->row, at), 1);
}

/* dv_j += P_j c, dq += sum_j t_j k_j, dk_j += t_j q for the row c of dy, where t are the scores' cotangents of the
 * numbers c . v_j, values of one entry. scratch: 3 count numbers. */
static void pull_back_head(attcert_matrix *const *dx, const attcert_matrix *const *x, const attcert_matrix *dy,
                           double *scratch, const place *at) {
  const double *const q = head_of(x[0], at->row, at), *const c = head_of(dy, at->row, at), one = 1.0;
  double *const weight = scratch, *const along = weight + at->count, *const t = along + at->count;
  softmax_weights(weight, x, at);
  for (int j = 0; j < at->count; j++) along[j] = cblas_ddot(at->dim, c, 1, head_of(x[2], j, at), 1);
  const double mean = vector_dot(weight, along, at->count);
  attention_score_cotangents(t, weight, along, &mean, &one, sqrt(at->dim), at->count, 1);
  for (int j = 0; j < at->count; j++) {
    cblas_daxpy(at->dim, weight[j], c, 1, head_of(dx[2], j, at), 1);
    cblas_daxpy(at->dim, t[j], head_of(x[1], j, at), 1, head_of(dx[0], at->row, at), 1);
    cblas_daxpy(at->dim, t[j], q, 1, head_of(dx[1], j, at), 1);
  }
}

/* For every head of every row: y, or with dx the gradients from y, which is dy then. */
static attcert_status heads_in_double(const attcert_matrix *y, attcert_matrix *const *dx, const step *s,
                                      const attcert_matrix *const *x, attcert_error *err) {
  const int keys = x[1]->rows;
  double *const scratch = array_new(3 * (size_t)keys, sizeof *scratch, err, "the weights of %d tokens", keys);
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

/* ---- in intervals: the rows of certify/enclosure; t[0] of the scratch is sqrt(dim) ------------------------------- */

/* out[j] contains z . k_j / sqrt(dim), for z and the same head of k_j in row j of a matrix. */
static void enclose_scores(interval *out, const interval *z, const step_enclosure *keys, const place *at,
                           step_scratch *scratch) {
  for (int j = 0; j < at->count; j++)
    score_enclosure(&out[j], z, step_entry(keys, j, at->first), &scratch->t[0], 1, at->dim, &scratch->ws);
}

static void enclose_weights(interval *weight, const step_enclosure *const *x, const place *at, step_scratch *scratch) {
  enclose_scores(weight, step_entry(x[0], at->row, at->first), x[1], at, scratch);
  softmax_enclosure(weight, at->count, scratch->precision, &scratch->ws);
}

static void enclose_head(const step_enclosure *y, const step_enclosure *const *x, interval *weight, const place *at,
                         step_scratch *scratch) {
  enclose_weights(weight, x, at, scratch);
  for (int j = 0; j < at->count; j++)
    scaled_row_add(step_entry(y, at->row, at->first), &weight[j], step_entry(x[2], j, at->first), at->dim,
                   &scratch->ws);
}

/* As pull_back_head; weight and t: [count]. */
static void enclose_pull_back_head(step_enclosure *const *dx, const step_enclosure *const *x, const step_enclosure *dy,
                                   interval *weight, interval *t, const place *at, step_scratch *scratch) {
  const interval *const q = step_entry(x[0], at->row, at->first), *const c = step_entry(dy, at->row, at->first);
  interval *const dq = step_entry(dx[0], at->row, at->first), *const mean = &scratch->t[1];
  enclose_weights(weight, x, at, scratch);
  enclose_scores(t, c, x[2], at, scratch);
  interval_dot(mean, weight, t, (size_t)at->count, &scratch->ws);
  for (int j = 0; j < at->count; j++) {
    interval_sub(&t[j], &t[j], mean);
    interval_mul(&t[j], &t[j], &weight[j], &scratch->ws);
    scaled_row_add(step_entry(dx[2], j, at->first), &weight[j], c, at->dim, &scratch->ws);
    scaled_row_add(dq, &t[j], step_entry(x[1], j, at->first), at->dim, &scratch->ws);
    scaled_row_add(step_entry(dx[1], j, at->first), &t[j], q, at->dim, &scratch->ws);
  }
}

/* As heads_in_double. */
static attcert_status enclose_heads(const step_enclosure *y, step_enclosure *const *dx, const step *s,
                                    const step_enclosure *const *x, step_scratch *scratch, attcert_error *err) {
  const int keys = x[1]->rows;
  step_enclosure rows; /* the weights, the scores' cotangents */
  const attcert_status status = step_enclosure_init(&rows, 2, keys, scratch->precision, err);
  if (status != ATTCERT_OK) return status;
  interval_set_si(&scratch->t[0], dim_of(s));
  interval_sqrt(&scratch->t[0], &scratch->t[0]);
  for (int k = 0; k < places(s, y->rows); k++) {
    const place at = place_of(s, k, keys);
    if (dx == NULL)
      enclose_head(y, x, rows.entry, &at, scratch);
    else
      enclose_pull_back_head(dx, x, y, rows.entry, rows.entry + keys, &at, scratch);
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

int step_attention_add(network_builder *b, const int input[3], const attention_heads *heads) {
  const void *const of = network_copy(b, heads, sizeof *heads);
  return network_add(b,
                     (step){.kind = &step_attention, .of = of, .input = {input[0], input[1], input[2]}, .inputs = 3});
}
