/* Softmax mean of the values, head by head: inputs query, key, value. */
#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "linalg/upward.h"
#include "robust/step/step.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

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
static int fresh(int *width, const step *s, const step_row *row) {
  width[0] = row->attended * s->heads;
  for (int h = 0; h < s->heads; h++) width[h + 1] = s->cols / s->heads;
  return s->heads + 1;
}

/* attention_token (operation/attention_head.h). */
static uint64_t scratch(const step *s, int in_cols, const step_row *row, int columns) {
  const int dim = s->cols / s->heads, keys = row->attended;
  (void)in_cols;
  return ((uint64_t)s->cols + (uint64_t)keys + (uint64_t)(keys > dim ? keys : dim)) * (uint64_t)columns;
}

static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const operation_attention_input input = {in[0], in[1], in[2], s->heads, s->causal};
  return operation_attention(out, &input, symbols, origin, err);
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

static int attended(const step *s, int row, int keys) {
  const int token = s->token >= 0 ? s->token : row;
  return s->causal ? token + 1 : keys;
}

/* ---- what an execution adds -------------------------------------------------------------------------------------- */

/* What is executed of one head of one row, bounded over all tokens that it attends to. */
typedef struct {
  double score; /* |s'_j| */
  double error; /* |s'_j - s_j| */
  double met;   /* on the way */
} executed_scores;

/* The products q_c k_jc around those of the centers; *reach: a bound of sum |q_c| + |k_jc|. Returns a bound of |q .
 * k_j|. */
static double product_summands(step_summands *sum, double *reach, const form *q, int i, const form *k, int j, int first,
                               int dim) {
  double middle = 0.0, sizes = 0.0, rest = 0.0, each = 0.0;
  for (int c = first; c < first + dim; c++) {
    const double x = q->center[(size_t)i * (size_t)q->cols + (size_t)c], of_x = form_spread(q, i, c);
    const double y = k->center[(size_t)j * (size_t)k->cols + (size_t)c], of_y = form_spread(k, j, c);
    const double spread = round_up_nonnegative(fabs(x) * of_y + of_x * fabs(y) + of_x * of_y, 5.0);
    step_summands_add(sum, x * y, spread);
    middle += x * y;
    sizes += fabs(x * y);
    rest += spread;
    each += fabs(x) + of_x + fabs(y) + of_y;
  }
  *reach = round_up_nonnegative(each, dim + 3.0);
  return round_up_nonnegative(fabs(middle) + gamma_upper(dim + 2.0) * sizes + rest, dim + 8.0);
}

/* A score s = q . k / sqrt(dim): a sum of dim products (step_summands_error), rounded five times each where queries and
 * keys were scaled first, by rounded constants, and otherwise once. It may be stored; scaled afterwards, it is rounded
 * by the constant and the product, and may be stored again. */
static void add_score(executed_scores *to, const form *q, int i, const form *k, int j, int first, int dim,
                      const step_format *format) {
  const double scale = round_up_nonnegative(1.0 / sqrt(dim), 2.0);
  step_summands sum = {0};
  double reach, met;
  const double product = product_summands(&sum, &reach, q, i, k, j, first, dim), size = upward_mul(product, scale);
  const double rounded = step_summands_error(&met, &sum, 5.0, format);
  double error = upward_add(rounded, upward_mul(2.0 * format->compute.tiny, upward_add(reach, 2.0 * dim + 4.0)));
  met = upward_add(met, error);
  error = upward_mul(step_execution_stored(format, product, error), scale);
  for (int times = 0; times < 2; times++) error = step_execution_rounded(&format->compute, size, error);
  error = step_execution_stored(format, size, error);
  const double score = upward_add(size, error);
  if (!(met <= to->met)) to->met = met;
  if (!(error <= to->error)) to->error = error;
  if (!(score <= to->score)) to->score = score;
}

/* How much the logarithm of exp(s'_j - max s') is off from s_j - max s', beside what underflows: by the score, by the
 * rounding of the difference, which is at most twice the largest score, and by log(1 + f) <= f / (1 - f). */
static double exponent_error(const executed_scores *scores, const step_format *format) {
  const double difference = step_execution_rounded(&format->compute, upward_mul(2.0, scores->score), 0.0);
  return upward_add3(scores->error, difference, upward_inverse(step_format_function(format)));
}

/* Half of the interval that column c of the executed values of `count` tokens lies in, and *size >= |v_jc|. The ends
 * are rounded once each and so is their difference: at most 4 u of the size. */
static double half_range(double *size, const form *v, int c, int count) {
  double lo = INFINITY, hi = -INFINITY;
  *size = 0.0;
  for (int j = 0; j < count; j++) {
    const double center = v->center[(size_t)j * (size_t)v->cols + (size_t)c], spread = form_spread(v, j, c);
    lo = fmin(lo, center - spread);
    hi = fmax(hi, center + spread);
    *size = fmax(*size, upward_add(fabs(center), spread));
  }
  return upward_add(0.5 * (hi - lo), upward_mul(4.0 * UNIT_ROUNDOFF, *size));
}

/* Head h of row i. Let P be the softmax of the exact scores of the executed queries and keys, P' the exactly normalised
 * executed exponentials, whose logarithms are off by at most eta (exponent_error). Along the line between the scores
 * d/dt sum_j P_j v_j is the covariance of v and that error under P, at most the product of their standard deviations,
 * and one of a random variable is at most half of its range (Popoviciu):
 *   |sum_j (P'_j - P_j) v_j| <= eta h,   h half of the range of v_j over j.
 * An exponential that underflows is off by tiny; their sum is at least 1 - f - n tiny >= 1/2, as the largest has the
 * argument 0: together sum_j |P'_j - P_j| <= 4 n tiny more, times h. Then the sum of n exponentials, its reciprocal, a
 * product with it, the product with v_j and the mean's sum, in either order: gamma_{2n+1}; and one rounding where the
 * weights are stored: of sum_j P'_j |v_j| <= max |v_j|. */
static void execute_head(form *out, const step *s, const form *const *in, int i, int h, const step_format *format) {
  const int dim = s->cols / s->heads, count = s->causal ? out->row[i].token + 1 : in[1]->rows;
  const double tiny = format->compute.tiny, stored = format->narrows ? format->store.unit : 0.0;
  executed_scores scores = {0};
  for (int j = 0; j < count; j++) add_score(&scores, in[0], i, in[1], j, h * dim, dim, format);
  const double f = step_format_function(format);
  const double eta = f <= 0.25 && count * tiny <= 0.125 ? exponent_error(&scores, format) : INFINITY;
  const double relative = upward_compound(step_format_gamma(format, 2.0 * count + 1.0), stored);
  const double lost = upward_add(tiny, format->narrows ? format->store.tiny : 0.0);
  for (int c = h * dim; c < (h + 1) * dim; c++) {
    double size;
    const double half = half_range(&size, in[2], c, count);
    const double moved = upward_mul(upward_add(eta, upward_mul(4.0 * count, tiny)), half);
    const double below = upward_mul(upward_mul(4.0 * count + 4.0, lost), upward_add(1.0, size));
    const double met = upward_mul(2.0 * count, upward_add(1.0, size));
    const double error = upward_add3(moved, upward_mul(relative, size), below);
    step_execution_add(out, i, c, error, scores.met <= met ? met : scores.met, format);
  }
}

static attcert_status execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                const step_format *format, attcert_error *err) {
  (void)symbols;
  (void)err;
  for (int i = 0; i < out->rows; i++) {
    for (int h = 0; h < s->heads; h++) execute_head(out, s, in, i, h, format);
  }
  return ATTCERT_OK;
}

/* ---- in double --------------------------------------------------------------------------------------------------- */

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  const int d = y->cols, dim = d / s->heads;
  double *const weight = array_new((size_t)x[1]->rows, sizeof *weight, err, "the weights of %d tokens", x[1]->rows);
  if (weight == NULL) return ATTCERT_RESOURCE;
  for (int i = 0; i < y->rows; i++) {
    const int count = attended(s, i, x[1]->rows);
    for (int h = 0; h < s->heads; h++) {
      const size_t at = (size_t)h * (size_t)dim, to = (size_t)i * (size_t)d + at;
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
  const int dim = dy->cols / s->heads;
  double *const scratch = array_new(2 * (size_t)x[1]->rows, sizeof *scratch, err, "weights of %d tokens", x[1]->rows);
  if (scratch == NULL) return ATTCERT_RESOURCE;
  for (int i = 0; i < dy->rows; i++) {
    for (int h = 0; h < s->heads; h++) {
      const size_t head = (size_t)h * (size_t)dim, query = (size_t)i * (size_t)dy->cols + head;
      pull_back_head(dx, x, dy->data + query, query, head, dim, attended(s, i, x[1]->rows), scratch);
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
  const int dim = y->cols / s->heads;
  step_enclosure weight;
  const attcert_status status = step_enclosure_init(&weight, 1, x[1]->rows, scratch->precision, err);
  if (status != ATTCERT_OK) return status;
  for (int i = 0; i < y->rows; i++) {
    const int count = attended(s, i, x[1]->rows);
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
  const int dim = dy->cols / s->heads;
  step_enclosure rows; /* weights and scores */
  const attcert_status status = step_enclosure_init(&rows, 2, x[1]->rows, scratch->precision, err);
  if (status != ATTCERT_OK) return status;
  for (int i = 0; i < dy->rows; i++) {
    const int count = attended(s, i, x[1]->rows);
    for (int first = 0; first < dy->cols; first += dim)
      enclose_pull_back_head(dx, x, dy, &(place){i, first, dim, count}, &rows, scratch);
  }
  step_enclosure_clear(&rows);
  return ATTCERT_OK;
}

const step_kind step_attention = {"attention", sources, fresh,     scratch, forms,
                                  execution,   value,   pull_back, enclose, enclose_pull_back};
