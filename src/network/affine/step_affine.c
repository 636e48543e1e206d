#include "network/affine/step_affine.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "linalg/norm/gram_norm.h"
#include "linalg/rounding/rounding.h"
#include "linalg/rounding/upward.h"
#include "network/affine/affine_slices.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The absolute values of the weights, and of the bounds that they multiply. */
static uint64_t scratch(const step *s, int in_cols, const step_row *row, int columns) {
  (void)row;
  (void)columns;
  return ((uint64_t)s->cols + (uint64_t)s->rows) * (uint64_t)in_cols;
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

/* y = W x + b acts on center and linear part alone: no remainder. Entry c misses by
 *   sum_a |W_ca| radius_a                                    what x missed
 * + gamma_{m+2} sum_a |W_ca| (magnitude_a + |center_a|)      roundings of the products, m entries each
 * + gamma_{m+2} |b_c|                                        the bias is one more summand
 * out (n x out_cols) = terms (n x in_cols) |W|^T, where a term is what one entry of x adds to a radius. */
static attcert_status map_radius(form *out, const form *in, const double *weight, attcert_error *err) {
  const size_t rows = (size_t)in->rows, m = (size_t)in->cols, width = (size_t)out->cols;
  const double gamma = gamma_upper((double)m + 2.0);
  double *absolute, *term;
  const array_table table = {{ARRAY(absolute, width, m), ARRAY(term, rows, m)}};
  const attcert_status status = array_table_allocate(&table, err, "an affine map of %zu x %zu", width, m);
  if (status != ATTCERT_OK) return status;
  for (size_t i = 0; i < width * m; i++) absolute[i] = fabs(weight[i]);
  for (size_t i = 0; i < rows * m; i++)
    term[i] = in->radius[i] + gamma * (in->support[i].magnitude + fabs(in->center[i]));
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, in->rows, out->cols, in->cols, 1.0, term, in->cols, absolute,
              in->cols, 0.0, out->radius, out->cols);
  array_table_release(&table);
  return ATTCERT_OK;
}

static void finish_radius(form *out, int m, const double *bias) {
  const size_t width = (size_t)out->cols;
  const double gamma = gamma_upper((double)m + 2.0);
  for (size_t i = 0; i < (size_t)out->rows * width; i++) {
    const double shift = bias != NULL ? gamma * fabs(bias[i % width]) : 0.0;
    out->radius[i] = round_up_nonnegative(out->radius[i] + shift + UNDERFLOW_ALLOWANCE, (double)m + 8.0);
  }
}

static attcert_status forms(form *out, const step *s, const form *const *inputs, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const affine_weights *const w = s->of;
  const double *const weight = w->weight, *const bias = w->bias;
  const form *const in = inputs[0];
  const int out_cols = s->cols;
  (void)origin;
  const size_t width = (size_t)out_cols;
  attcert_status status = form_init(out, in->rows, out_cols, err);
  if (status == ATTCERT_OK) status = map_radius(out, in, weight, err);
  if (status != ATTCERT_OK) return status;
  finish_radius(out, in->cols, bias);
  for (int i = 0; bias != NULL && i < in->rows; i++)
    memcpy(out->center + (size_t)i * width, bias, width * sizeof *bias);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, in->rows, out_cols, in->cols, 1.0, in->center, in->cols, weight,
              in->cols, 1.0, out->center, out_cols);
  for (int i = 0; i < in->rows && status == ATTCERT_OK; i++) {
    const form_layout *const layout = &in->row[i].layout;
    const int columns = form_layout_columns(layout);
    out->row[i].token = in->row[i].token;
    status = operation_row_layout(out, i, &layout, 1, symbols->count, symbols, err);
    if (status == ATTCERT_OK && columns > 0)
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, out_cols, columns, in->cols, 1.0, weight, in->cols,
                  in->row[i].linear, columns, 0.0, out->row[i].linear, columns);
  }
  return status;
}

static attcert_status round_weights(void **of, const step *s, int in_cols, const step_format *format,
                                    attcert_error *err) {
  affine_weights w = *(const affine_weights *)s->of;
  const size_t cols = (size_t)s->cols;
  const step_weights weights[] = {{&w.weight, cols * (size_t)in_cols}, {&w.bias, cols}};
  *of = step_execution_round(weights, 2, sizeof w, format, err);
  if (*of == NULL) return ATTCERT_RESOURCE;
  memcpy(*of, &w, sizeof w);
  return ATTCERT_OK;
}

/* Where a narrow format stores W x, which is off by `error`, before it adds b != 0. */
static double add_stored(const form *out, int i, int c, double bias, double error, const step_format *format) {
  const double center = out->center[(size_t)i * (size_t)out->cols + (size_t)c];
  const double product = upward_add(round_up_nonnegative(fabs(center - bias), 1.0), form_spread(out, i, c));
  const double stored = step_execution_stored(format, product, error);
  return step_execution_rounded(&format->compute, step_execution_size(out, i, c), stored);
}

/* W x + b is a sum of m products, rounded once each, and b, in any order (step_summands_error). It is off by `tiny`
 * more for each product, each addition and each number read that is below the normal range, which for weights is
 * multiplied by |x|; what follows enlarges these by 1 + gamma <= 2. W and b are numbers of the format. */
static attcert_status execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                const step_format *format, attcert_error *err) {
  const affine_weights *const w = s->of;
  const int m = in[0]->cols;
  (void)symbols;
  double *const spread = array_new((size_t)m, sizeof *spread, err, "%d ranges", m);
  if (spread == NULL) return ATTCERT_RESOURCE;
  for (int i = 0; i < out->rows; i++) {
    const double *const center = in[0]->center + (size_t)i * (size_t)m;
    double reach = 0.0;
    for (int a = 0; a < m; a++) {
      spread[a] = form_spread(in[0], i, a);
      reach += fabs(center[a]) + spread[a];
    }
    reach = round_up_nonnegative(reach + 2.0 * (m + 1.0), 2.0 * m + 2.0);
    for (int c = 0; c < out->cols; c++) {
      const double *const weight = w->weight + (size_t)c * (size_t)m;
      step_summands sum = {0};
      double met;
      for (int a = 0; a < m; a++) step_summands_add(&sum, weight[a] * center[a], fabs(weight[a]) * spread[a]);
      if (w->bias != NULL) step_summands_add(&sum, w->bias[c], 0.0);
      const double rounded = step_summands_error(&met, &sum, step_format_gamma(format, 1.0), format);
      double error = upward_add(rounded, upward_mul(2.0 * format->compute.tiny, reach));
      if (format->narrows && w->bias != NULL && w->bias[c] != 0.0)
        error = add_stored(out, i, c, w->bias[c], error, format);
      step_execution_add(out, i, c, error, upward_add(met, error), format);
    }
  }
  free(spread);
  return ATTCERT_OK;
}

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  const affine_weights *const w = s->of;
  const size_t width = (size_t)y->cols;
  (void)err;
  for (size_t i = 0; w->bias != NULL && i < (size_t)y->rows; i++)
    memcpy(y->data + i * width, w->bias, width * sizeof(double));
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, y->rows, y->cols, x[0]->cols, 1.0, x[0]->data, x[0]->cols,
              w->weight, x[0]->cols, w->bias != NULL ? 1.0 : 0.0, y->data, y->cols);
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  const affine_weights *const w = s->of;
  (void)err;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, dy->rows, x[0]->cols, dy->cols, 1.0, dy->data, dy->cols,
              w->weight, x[0]->cols, 1.0, dx[0]->data, x[0]->cols);
  return ATTCERT_OK;
}

/* y (rows x cols) = x times the exact numbers of `weight`, cols x in. */
typedef struct {
  const step_enclosure *y, *x;
  const point *weight;
  mpfr_prec_t precision;
} enclosed_product;

/* Column c of y, so that a row of the weights stays in the cache. */
static void multiply_column(void *context, int c) {
  const enclosed_product *const p = context;
  const size_t in = (size_t)p->x->cols;
  interval_scratch ws;
  interval_scratch_init(&ws, p->precision);
  for (int i = 0; i < p->y->rows; i++)
    interval_dot_mixed(step_entry(p->y, i, c), step_entry(p->x, i, 0), p->weight + (size_t)c * in, in, &ws);
  interval_scratch_clear(&ws);
}

static void multiply(step_enclosure *y, const step_enclosure *x, const point *weight, const step_scratch *scratch) {
  enclosed_product product = {y, x, weight, scratch->precision};
  parallel_for(y->cols, parallel_threads(0), multiply_column, &product);
}

static attcert_status multiply_in_intervals(step_enclosure *y, const step_enclosure *x, const double *weight,
                                            const step_scratch *scratch, attcert_error *err) {
  point *const points = step_points(weight, y->cols, x->cols, false, err);
  if (points == NULL) return ATTCERT_RESOURCE;
  multiply(y, x, points, scratch);
  point_vec_free(points);
  return ATTCERT_OK;
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  const affine_weights *const w = s->of;
  const attcert_status status = scratch->product_bits > 0 ? affine_slices_multiply(y, x[0], w->weight, scratch, err)
                                                          : multiply_in_intervals(y, x[0], w->weight, scratch, err);
  for (int c = 0; w->bias != NULL && c < y->cols && status == ATTCERT_OK; c++) {
    interval_set_d(&scratch->t[0], w->bias[c]);
    for (int i = 0; i < y->rows; i++) interval_add(step_entry(y, i, c), step_entry(y, i, c), &scratch->t[0]);
  }
  return status;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  const affine_weights *const w = s->of;
  step_enclosure product;
  point *const weight = step_points(w->weight, s->cols, x[0]->cols, true, err);
  attcert_status status = weight != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
  if (status == ATTCERT_OK) status = step_enclosure_init(&product, x[0]->rows, x[0]->cols, scratch->precision, err);
  if (status == ATTCERT_OK) {
    multiply(&product, dy, weight, scratch);
    for (size_t k = 0; k < (size_t)product.rows * (size_t)product.cols; k++)
      interval_add(&dx[0]->entry[k], &dx[0]->entry[k], &product.entry[k]);
    step_enclosure_clear(&product);
  }
  point_vec_free(weight);
  return status;
}

/* ---- the derivative, W for every row ----------------------------------------------------------------------------- */

/* Inner products of as many terms as rows or columns of W have; the norm of |W| is at most ||W||_F. */
static attcert_status linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                attcert_error *err) {
  const affine_weights *const w = l->step->of;
  const int in = l->cols[0], out = l->step->cols;
  step_linear_size *const size = &l->size[0];
  (void)x;
  (void)scratch;
  const double frobenius = norm_upper(w->weight, (size_t)in * (size_t)out);
  size->pushed = upward_mul(gamma_upper(in), frobenius);
  size->pulled = upward_mul(gamma_upper(out), frobenius);
  return gram_norm_upper(&size->norm, w->weight, out, in, 0.0, err);
}

static void push(double *y, const step_linear *l, const double *const *x, int count, double *scratch) {
  const affine_weights *const w = l->step->of;
  const int in = l->cols[0], out = l->step->cols;
  (void)scratch;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, count * l->rows[0], out, in, 1.0, x[0], in, w->weight, in, 0.0,
              y, out);
}

static void pull(double *const *x, const step_linear *l, const double *y, int count, double *scratch) {
  const affine_weights *const w = l->step->of;
  const int in = l->cols[0], out = l->step->cols;
  (void)scratch;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, count * l->rows[0], in, out, 1.0, y, out, w->weight, in, 0.0,
              x[0], in);
}

const step_kind step_affine = {.name = "affine",
                               .scratch = scratch,
                               .forms = forms,
                               .lower = step_lower_affine,
                               .round = round_weights,
                               .execution = execution,
                               .value = value,
                               .pull_back = pull_back,
                               .enclose = enclose,
                               .enclose_pull_back = enclose_pull_back,
                               .linearize = linearize,
                               .push = push,
                               .pull = pull};

int step_affine_add(network_builder *b, int value, const affine_weights *weights, int cols) {
  const void *const of = network_copy(b, weights, sizeof *weights);
  return network_add(b, (step){.kind = &step_affine, .of = of, .input = {value}, .inputs = 1, .cols = cols});
}
