#include "network/attention/step_attention.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"

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

/* To how many tokens row i attends. */
static int attended_by(const step *s, int i, int keys) {
  const int token = heads_of(s)->token;
  return attended(s, token >= 0 ? token : i, keys);
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

/* weight[0 .. count - 1] = softmax of q . k_j / sqrt(dim). */
static void softmax_weights(double *weight, const double *q, const double *k, int stride, int dim, int count) {
  double largest = -INFINITY, sum = 0.0;
  for (int j = 0; j < count; j++) {
    weight[j] = cblas_ddot(dim, q, 1, k + (size_t)j * (size_t)stride, 1) / sqrt(dim);
    largest = fmax(largest, weight[j]);
  }
  for (int j = 0; j < count; j++) sum += weight[j] = exp(weight[j] - largest);
  for (int j = 0; j < count; j++) weight[j] /= sum;
}

/* ---- in double --------------------------------------------------------------------------------------------------- */

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  const int d = y->cols, dim = dim_of(s);
  double *const weight = array_new((size_t)x[1]->rows, sizeof *weight, err, "the weights of %d tokens", x[1]->rows);
  if (weight == NULL) return ATTCERT_RESOURCE;
  for (int i = 0; i < y->rows; i++) {
    const int count = attended_by(s, i, x[1]->rows);
    for (size_t at = 0; at < (size_t)d; at += (size_t)dim) {
      const size_t to = (size_t)i * (size_t)d + at;
      softmax_weights(weight, x[0]->data + to, x[1]->data + at, d, dim, count);
      cblas_dgemv(CblasRowMajor, CblasTrans, count, dim, 1.0, x[2]->data + at, d, weight, 1, 0.0, y->data + to, 1);
    }
  }
  free(weight);
  return ATTCERT_OK;
}

/* One head of one token: dv_j += P_j dy, ds_j = P_j (dy . v_j - sum_m P_m dy . v_m), dq += sum_j ds_j k_j / sqrt(dim),
 * dk_j += ds_j q / sqrt(dim). scratch: 2 count numbers. */
static void pull_back_head(attcert_matrix *const *dx, const attcert_matrix *const *x, const double *dy, size_t query,
                           size_t head, int dim, int count, double *scratch) {
  const int d = x[0]->cols;
  const double *const q = x[0]->data + query, *const k = x[1]->data + head, *const v = x[2]->data + head;
  double *const weight = scratch, *const score = scratch + count, mean = 0.0;
  softmax_weights(weight, q, k, d, dim, count);
  for (int j = 0; j < count; j++) {
    score[j] = cblas_ddot(dim, dy, 1, v + (size_t)j * (size_t)d, 1);
    mean += weight[j] * score[j];
    cblas_daxpy(dim, weight[j], dy, 1, dx[2]->data + head + (size_t)j * (size_t)d, 1);
  }
  for (int j = 0; j < count; j++) {
    const double change = weight[j] * (score[j] - mean) / sqrt(dim);
    cblas_daxpy(dim, change, k + (size_t)j * (size_t)d, 1, dx[0]->data + query, 1);
    cblas_daxpy(dim, change, q, 1, dx[1]->data + head + (size_t)j * (size_t)d, 1);
  }
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  const int dim = dim_of(s);
  double *const scratch = array_new(2 * (size_t)x[1]->rows, sizeof *scratch, err, "weights of %d tokens", x[1]->rows);
  if (scratch == NULL) return ATTCERT_RESOURCE;
  for (int i = 0; i < dy->rows; i++) {
    for (size_t head = 0; head < (size_t)dy->cols; head += (size_t)dim) {
      const size_t query = (size_t)i * (size_t)dy->cols + head;
      pull_back_head(dx, x, dy->data + query, query, head, dim, attended_by(s, i, x[1]->rows), scratch);
    }
  }
  free(scratch);
  return ATTCERT_OK;
}

/* weight[0 .. count - 1] encloses the softmax of head h in row i, shifted by a lower end of the largest
 * score. */
static void enclose_weights(interval *weight, const step_enclosure *const *x, int i, int first, int dim, int count,
                            step_scratch *scratch) {
  interval *const t = scratch->t;
  mpfr_srcptr largest = NULL;
  interval_set_si(&t[0], dim);
  interval_sqrt(&t[0], &t[0]);
  for (int j = 0; j < count; j++) {
    interval_dot(&weight[j], step_entry(x[0], i, first), step_entry(x[1], j, first), (size_t)dim, &scratch->ws);
    interval_div(&weight[j], &weight[j], &t[0], &scratch->ws);
    if (largest == NULL || mpfr_greater_p(weight[j].lo, largest)) largest = weight[j].lo;
  }
  interval_set_fr(&t[1], largest);
  interval_set_zero(&t[2]);
  for (int j = 0; j < count; j++) {
    interval_sub(&weight[j], &weight[j], &t[1]);
    interval_exp(&weight[j], &weight[j]);
    interval_add(&t[2], &t[2], &weight[j]);
  }
  for (int j = 0; j < count; j++) interval_div(&weight[j], &weight[j], &t[2], &scratch->ws);
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  const int dim = dim_of(s);
  step_enclosure weight;
  const attcert_status status = step_enclosure_init(&weight, 1, x[1]->rows, scratch->precision, err);
  if (status != ATTCERT_OK) return status;
  for (int i = 0; i < y->rows; i++) {
    const int count = attended_by(s, i, x[1]->rows);
    for (int first = 0; first < y->cols; first += dim) {
      enclose_weights(weight.entry, x, i, first, dim, count, scratch);
      for (int c = first; c < first + dim; c++) {
        for (int j = 0; j < count; j++)
          step_add_product(step_entry(y, i, c), &weight.entry[j], step_entry(x[2], j, c), scratch);
      }
    }
  }
  step_enclosure_clear(&weight);
  return ATTCERT_OK;
}

/* Which row and head: its first column, its columns, the tokens it attends to. */
typedef struct {
  int row, first, dim, count;
} place;

/* As pull_back_head; rows [2, count] is scratch. */
static void enclose_pull_back_head(step_enclosure *const *dx, const step_enclosure *const *x, const step_enclosure *dy,
                                   const place *at, const step_enclosure *rows, step_scratch *scratch) {
  const int i = at->row, first = at->first, dim = at->dim, count = at->count;
  interval *const t = scratch->t, *const weight = step_entry(rows, 0, 0), *const score = step_entry(rows, 1, 0);
  enclose_weights(weight, x, i, first, dim, count, scratch);
  interval_set_zero(&t[3]);
  for (int j = 0; j < count; j++) {
    interval_dot(&score[j], step_entry(dy, i, first), step_entry(x[2], j, first), (size_t)dim, &scratch->ws);
    step_add_product(&t[3], &weight[j], &score[j], scratch);
  }
  interval_set_si(&t[0], dim);
  interval_sqrt(&t[0], &t[0]);
  for (int j = 0; j < count; j++) {
    interval_sub(&t[1], &score[j], &t[3]);
    interval_mul(&t[1], &t[1], &weight[j], &scratch->ws);
    interval_div(&t[1], &t[1], &t[0], &scratch->ws);
    for (int c = first; c < first + dim; c++) {
      step_add_product(step_entry(dx[2], j, c), &weight[j], step_entry(dy, i, c), scratch);
      step_add_product(step_entry(dx[0], i, c), &t[1], step_entry(x[1], j, c), scratch);
      step_add_product(step_entry(dx[1], j, c), &t[1], step_entry(x[0], i, c), scratch);
    }
  }
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  const int dim = dim_of(s);
  step_enclosure rows; /* weights and scores */
  const attcert_status status = step_enclosure_init(&rows, 2, x[1]->rows, scratch->precision, err);
  if (status != ATTCERT_OK) return status;
  for (int i = 0; i < dy->rows; i++) {
    const int count = attended_by(s, i, x[1]->rows);
    for (int first = 0; first < dy->cols; first += dim)
      enclose_pull_back_head(dx, x, dy, &(place){i, first, dim, count}, &rows, scratch);
  }
  step_enclosure_clear(&rows);
  return ATTCERT_OK;
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
