#include "network/mean/step_mean.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "linalg/rounding/rounding.h"
#include "linalg/rounding/upward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int first_of(const step *s) {
  return *(const int *)s->of;
}

static step_keys attended(const step *s, int row, int keys) {
  (void)row;
  return (step_keys){first_of(s), keys - first_of(s)};
}

static int sources(step_source *from, const step *s, const step_row *row) {
  for (int k = 0; k < row->attended.count; k++) from[k] = (step_source){0, first_of(s) + k};
  return row->attended.count;
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

static attcert_status unite_rows(form *out, const form *in, int first, form_symbols *symbols, attcert_error *err) {
  const size_t count = (size_t)(in->rows - first);
  const form_layout **const layout = array_new(count, sizeof(const form_layout *), err, "a list of %zu layouts", count);
  if (layout == NULL) return ATTCERT_RESOURCE;
  for (size_t k = 0; k < count; k++) layout[k] = &in->row[(size_t)first + k].layout;
  const attcert_status status = operation_row_layout(out, 0, layout, (int)count, symbols->count, symbols, err);
  free(layout);
  return status;
}

/* Symbol by symbol: no remainder; count additions and a division, at most gamma_{count+2} of the mean of |center| and
 * magnitudes. */
static attcert_status forms(form *out, const step *s, const form *const *inputs, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const form *const in = inputs[0];
  const int first = first_of(s), cols = in->cols;
  const double count = in->rows - first, gamma = gamma_upper(count + 2.0);
  (void)origin;
  attcert_status status = form_init(out, 1, cols, err);
  if (status == ATTCERT_OK) status = unite_rows(out, in, first, symbols, err);
  if (status != ATTCERT_OK) return status;
  form_row *const mean = &out->row[0];
  mean->token = in->row[first].token;
  for (int i = first; i < in->rows; i++) {
    form_layout_add(mean->linear, &mean->layout, in->row[i].linear, &in->row[i].layout, cols, 1.0);
    for (int c = 0; c < cols; c++) {
      const size_t at = (size_t)i * (size_t)cols + (size_t)c;
      out->center[c] += in->center[at];
      out->radius[c] += in->radius[at] + gamma * (in->support[at].magnitude + fabs(in->center[at]));
    }
  }
  const size_t numbers = (size_t)cols * (size_t)form_layout_columns(&mean->layout);
  for (size_t k = 0; k < numbers; k++) mean->linear[k] /= count;
  for (int c = 0; c < cols; c++) {
    out->center[c] /= count;
    out->radius[c] = round_up_nonnegative(out->radius[c] / count + UNDERFLOW_ALLOWANCE, count + 8.0);
  }
  return ATTCERT_OK;
}

/* The sum in any order, stored or not, then a quotient by the count, or a product with its reciprocal: constants. */
static attcert_status execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                const step_format *format, attcert_error *err) {
  const form *const x = in[0];
  const int first = first_of(s);
  const double count = x->rows - first;
  const double off = step_format_holds(format, count) ? step_format_roundings(format, 2.0, 1.0) : INFINITY;
  (void)symbols;
  (void)err;
  for (int c = 0; c < out->cols; c++) {
    step_summands summands = {0};
    double met;
    for (int i = first; i < x->rows; i++)
      step_summands_add(&summands, x->center[(size_t)i * (size_t)x->cols + (size_t)c], form_spread(x, i, c));
    const double summed = step_summands_error(&met, &summands, 0.0, format);
    const double error = upward_div(step_execution_stored(format, met, summed), count);
    const double size = step_execution_size(out, 0, c);
    const double before = upward_add3(error, upward_mul(off, error), upward_mul(off, size));
    step_execution_add(out, 0, c, step_execution_rounded(&format->compute, size, before),
                       step_execution_keep(met, met, format), format);
  }
  return ATTCERT_OK;
}

/* ---- in double and in intervals ---------------------------------------------------------------------------------- */

/* y := the mean of rows `first` to rows - 1 of x. */
static void mean_of(double *y, const double *x, int first, int rows, size_t cols) {
  memset(y, 0, cols * sizeof *y);
  for (int i = first; i < rows; i++) {
    for (size_t c = 0; c < cols; c++) y[c] += x[(size_t)i * cols + c];
  }
  for (size_t c = 0; c < cols; c++) y[c] /= rows - first;
}

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  (void)err;
  mean_of(y->data, x[0]->data, first_of(s), x[0]->rows, (size_t)y->cols);
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  const size_t cols = (size_t)dy->cols;
  (void)err;
  for (int i = first_of(s); i < x[0]->rows; i++) {
    for (size_t c = 0; c < cols; c++) dx[0]->data[(size_t)i * cols + c] += dy->data[c] / (x[0]->rows - first_of(s));
  }
  return ATTCERT_OK;
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  interval *const count = &scratch->t[0];
  (void)err;
  interval_set_si(count, x[0]->rows - first_of(s));
  for (int c = 0; c < y->cols; c++) {
    interval *const sum = step_entry(y, 0, c);
    interval_set(sum, step_entry(x[0], first_of(s), c));
    for (int i = first_of(s) + 1; i < x[0]->rows; i++) interval_add(sum, sum, step_entry(x[0], i, c));
    interval_div(sum, sum, count, &scratch->ws);
  }
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  interval *const count = &scratch->t[0], *const part = &scratch->t[1];
  (void)err;
  interval_set_si(count, x[0]->rows - first_of(s));
  for (int c = 0; c < dy->cols; c++) {
    interval_div(part, step_entry(dy, 0, c), count, &scratch->ws);
    for (int i = first_of(s); i < x[0]->rows; i++) interval_add(step_entry(dx[0], i, c), step_entry(dx[0], i, c), part);
  }
  return ATTCERT_OK;
}

/* ||D||_2 = 1 / sqrt(count), and so is that of its absolute value: a product with it takes count roundings on a path,
 * one with its transpose one. */
static attcert_status linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                attcert_error *err) {
  const double count = x[0]->rows - first_of(l->step), norm = round_up_nonnegative(1.0 / sqrt(count), 2.0);
  (void)scratch;
  (void)err;
  l->size[0] = (step_linear_size){
      .norm = norm, .pushed = upward_mul(gamma_upper(count + 1.0), norm), .pulled = upward_mul(UNIT_ROUNDOFF, norm)};
  return ATTCERT_OK;
}

static void push(double *y, const step_linear *l, const double *const *x, int count, double *scratch) {
  const size_t rows = (size_t)l->rows[0], cols = (size_t)l->cols[0];
  (void)scratch;
  for (size_t b = 0; b < (size_t)count; b++)
    mean_of(y + b * cols, x[0] + b * rows * cols, first_of(l->step), l->rows[0], cols);
}

static void pull(double *const *x, const step_linear *l, const double *y, int count, double *scratch) {
  const size_t rows = (size_t)l->rows[0], cols = (size_t)l->cols[0], first = (size_t)first_of(l->step);
  (void)scratch;
  memset(x[0], 0, (size_t)count * rows * cols * sizeof *y);
  for (size_t b = 0; b < (size_t)count; b++) {
    for (size_t k = first * cols; k < rows * cols; k++)
      x[0][b * rows * cols + k] = y[b * cols + k % cols] / (double)(rows - first);
  }
}

const step_kind step_mean = {.name = "mean",
                             .attended = attended,
                             .sources = sources,
                             .forms = forms,
                             .lower = step_lower_affine,
                             .execution = execution,
                             .value = value,
                             .pull_back = pull_back,
                             .enclose = enclose,
                             .enclose_pull_back = enclose_pull_back,
                             .linearize = linearize,
                             .push = push,
                             .pull = pull};

int step_mean_add(network_builder *b, int value, int first) {
  const void *const of = network_copy(b, &first, sizeof first);
  return network_add(b, (step){.kind = &step_mean, .of = of, .input = {value}, .inputs = 1, .rows = 1});
}
