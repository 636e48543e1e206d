#include "network/batchnorm/step_batchnorm.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "linalg/rounding/upward.h"

#include <string.h>

static double weight_of(const step_batchnorm_parameters *of, int c) {
  return of->weight != NULL ? of->weight[c] : 1.0;
}

static double bias_of(const step_batchnorm_parameters *of, int c) {
  return of->bias != NULL ? of->bias[c] : 0.0;
}

/* A double for f. variance + epsilon rounds once, which its root halves, the root and the quotient round once each:
 * |f - its double| <= gamma_3 |its double|, or an underflow unit where the quotient underflows. */
static double factor_of(const step_batchnorm_parameters *of, int c) {
  return weight_of(of, c) / sqrt(of->variance[c] + of->epsilon);
}

static double factor_miss(double factor) {
  return upward_add(upward_mul(gamma_upper(3.0), fabs(factor)), UNDERFLOW_UNIT);
}

/* epsilon is a constant of the code. */
static attcert_status round_parameters(void **of, const step *s, int in_cols, const step_format *format,
                                       attcert_error *err) {
  step_batchnorm_parameters own = *(const step_batchnorm_parameters *)s->of;
  const size_t cols = (size_t)own.cols;
  const step_weights weights[] = {{&own.weight, cols}, {&own.bias, cols}, {&own.mean, cols}, {&own.variance, cols}};
  (void)in_cols;
  *of = step_execution_round(weights, 4, sizeof own, format, err);
  if (*of == NULL) return ATTCERT_RESOURCE;
  memcpy(*of, &own, sizeof own);
  return ATTCERT_OK;
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

/* Row i, column c. Symbol by symbol: no remainder. With f~ the double for f, |x - mean| <= reach, the sum of |center|,
 * |mean|, magnitude and radius,
 *   |f~| radius + |f - f~| reach                          what x and f~ miss
 * + |f~| (u magnitude + gamma_3 (|center| + |mean|))      roundings: a product; a difference, a product and a sum
 * + u |bias| */
static void map_entry(form *out, const form *x, int i, int c, const step_batchnorm_parameters *of) {
  const size_t at = (size_t)i * (size_t)x->cols + (size_t)c;
  const size_t columns = (size_t)form_layout_columns(&x->row[i].layout), first = (size_t)c * columns;
  const double factor = factor_of(of, c), bias = bias_of(of, c), radius = x->radius[at];
  const double apart = fabs(x->center[at]) + fabs(of->mean[c]), magnitude = x->support[at].magnitude;
  for (size_t k = first; k < first + columns; k++) out->row[i].linear[k] = factor * x->row[i].linear[k];
  out->center[at] = factor * (x->center[at] - of->mean[c]) + bias;
  const double missed = fabs(factor) * radius + factor_miss(factor) * (apart + magnitude + radius);
  const double rounded = fabs(factor) * (UNIT_ROUNDOFF * magnitude + gamma_upper(3.0) * apart);
  out->radius[at] = round_up_nonnegative(missed + rounded + UNIT_ROUNDOFF * fabs(bias) + UNDERFLOW_ALLOWANCE, 12.0);
}

static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const form *const x = in[0];
  (void)origin;
  attcert_status status = form_init(out, x->rows, x->cols, err);
  for (int i = 0; i < x->rows && status == ATTCERT_OK; i++) {
    const form_layout *const layout = &x->row[i].layout;
    out->row[i].token = x->row[i].token;
    status = operation_row_layout(out, i, &layout, 1, symbols->count, symbols, err);
    for (int c = 0; c < x->cols && status == ATTCERT_OK; c++) map_entry(out, x, i, c, s->of);
  }
  return status;
}

/* What `value` misses at 0: f by its factor_miss, a product and a sum by three roundings. */
static attcert_status lower(step_lower *l, const step *s, attcert_error *err) {
  const step_batchnorm_parameters *const of = s->of;
  const int entries = s->rows * s->cols;
  const attcert_status status = step_lower_affine(l, s, err);
  for (int b = 0; b < l->count && status == ATTCERT_OK; b++) {
    double missed = 0.0;
    for (int k = 0; k < entries; k++) {
      const double factor = factor_of(of, k % s->cols), mean = fabs(of->mean[k % s->cols]);
      const double size = upward_add(upward_mul(fabs(factor), mean), fabs(bias_of(of, k % s->cols)));
      const double off = upward_add(upward_mul(factor_miss(factor), mean), upward_mul(gamma_upper(3.0), size));
      missed = upward_add(missed, upward_mul(fabs(l->from[(size_t)b * (size_t)entries + (size_t)k]),
                                             upward_add(off, 4.0 * UNDERFLOW_UNIT)));
    }
    step_lower_add(&l->constant[b], -missed);
  }
  return status;
}

/* ---- in double and in intervals ---------------------------------------------------------------------------------- */

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  const step_batchnorm_parameters *const of = s->of;
  (void)err;
  for (int k = 0; k < y->rows * y->cols; k++) {
    const int c = k % y->cols;
    y->data[k] = factor_of(of, c) * (x[0]->data[k] - of->mean[c]) + bias_of(of, c);
  }
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  (void)x;
  (void)err;
  for (int k = 0; k < dy->rows * dy->cols; k++) dx[0]->data[k] += factor_of(s->of, k % dy->cols) * dy->data[k];
  return ATTCERT_OK;
}

/* f of column c; uses t[0]. */
static void enclose_factor(interval *f, const step *s, int c, step_scratch *scratch) {
  const step_batchnorm_parameters *const of = s->of;
  interval *const t = &scratch->t[0];
  interval_set_d(t, of->variance[c]);
  interval_set_d(f, of->epsilon);
  interval_add(t, t, f);
  interval_sqrt(t, t);
  interval_set_d(f, weight_of(of, c));
  interval_div(f, f, t, &scratch->ws);
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  const step_batchnorm_parameters *const of = s->of;
  interval *const f = &scratch->t[1], *const mean = &scratch->t[2], *const bias = &scratch->t[3];
  (void)err;
  for (int c = 0; c < y->cols; c++) {
    enclose_factor(f, s, c, scratch);
    interval_set_d(mean, of->mean[c]);
    interval_set_d(bias, bias_of(of, c));
    for (int i = 0; i < y->rows; i++) {
      interval *const entry = step_entry(y, i, c);
      interval_sub(entry, step_entry(x[0], i, c), mean);
      interval_fma(entry, f, entry, bias, &scratch->ws);
    }
  }
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  interval *const f = &scratch->t[1];
  (void)x;
  (void)err;
  for (int c = 0; c < dy->cols; c++) {
    enclose_factor(f, s, c, scratch);
    for (int i = 0; i < dy->rows; i++) {
      interval *const to = step_entry(dx[0], i, c);
      interval_fma(to, f, step_entry(dy, i, c), to, &scratch->ws);
    }
  }
  return ATTCERT_OK;
}

static attcert_status linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                attcert_error *err) {
  (void)x;
  return step_linear_columns(l, enclose_factor, scratch, err);
}

const step_kind step_batchnorm = {.name = "batchnorm",
                                  .forms = forms,
                                  .lower = lower,
                                  .round = round_parameters,
                                  .execution = step_batchnorm_execution,
                                  .value = value,
                                  .pull_back = pull_back,
                                  .enclose = enclose,
                                  .enclose_pull_back = enclose_pull_back,
                                  .linearize = linearize,
                                  .push = step_linear_rows_push,
                                  .pull = step_linear_rows_pull};

/* ---- building ---------------------------------------------------------------------------------------------------- */

static attcert_status check_column(const step_batchnorm_parameters *of, int c, attcert_error *err) {
  const double numbers[] = {weight_of(of, c), bias_of(of, c), of->mean[c], of->variance[c]};
  static const char *const names[] = {"weight", "bias", "mean", "variance"};
  for (int k = 0; k < 4; k++) {
    if (!isfinite(numbers[k]))
      return attcert_fail(err, ATTCERT_INPUT, "column %d of a BatchNorm has a %s that is not finite", c, names[k]);
  }
  const double square = of->variance[c] + of->epsilon;
  if (square > 0.0 && isfinite(square)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "column %d of a BatchNorm has variance + epsilon = %g + %g, expected a positive number", c,
                      of->variance[c], of->epsilon);
}

static attcert_status check(const step_batchnorm_parameters *of, int cols, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  if (of->cols != cols)
    return attcert_fail(err, ATTCERT_INPUT, "a BatchNorm of %d columns, expected %d", of->cols, cols);
  for (int c = 0; c < cols && status == ATTCERT_OK; c++) status = check_column(of, c, err);
  return status;
}

int step_batchnorm_add(network_builder *b, int value, const step_batchnorm_parameters *of) {
  if (b->status == ATTCERT_OK) b->status = check(of, network_cols(b->network, value), b->err);
  const void *const own = network_copy(b, of, sizeof *of);
  return network_add(b, (step){.kind = &step_batchnorm, .of = own, .input = {value}, .inputs = 1});
}
