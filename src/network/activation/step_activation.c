#include "network/activation/step_activation.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "interval/interval_arith.h"
#include "linalg/rounding/rounding.h"

static const range_curve *curve_of(const step *s) {
  return s->of;
}

static int fresh(const step *s, const step_row *row, int k) {
  (void)row;
  return k == 0 ? s->cols : 0;
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

/* An entrywise function phi: over all that the entry can be (form_range) and its center z, range_line encloses
 *   phi(t) = slope (t - z) + height +- error       (range/range_line.h),
 * so the entry's form is scaled by the slope, its center is the height, and one fresh symbol an entry is bounded by
 *   error + |slope| radius + u |slope| magnitude   (the last: the rounding of the scaling). */
typedef struct {
  form *out;
  const form *in;
  const range_curve *curve;
  double *slope, *bound; /* [rows, cols] */
} activation_pass;

/* Row i: centers and slopes of the lines, bounds of the fresh symbols. */
static void follow_row(void *context, int i) {
  const activation_pass *const p = context;
  const form *const in = p->in;
  for (int c = 0; c < in->cols; c++) {
    const size_t at = (size_t)i * (size_t)in->cols + (size_t)c;
    const double z = in->center[at];
    const range reach = range_hull(form_range(in, i, c), range_of(z));
    const range_line line = range_line_along(p->curve, reach.lo, reach.hi, z);
    const double scaled = fabs(line.slope) * (in->radius[at] + UNIT_ROUNDOFF * in->support[at].magnitude);
    p->slope[at] = line.slope;
    p->out->center[at] = line.height;
    p->bound[at] = round_up_nonnegative(line.error + scaled + UNDERFLOW_ALLOWANCE, 6.0);
  }
}

static void scale_row(void *context, int i) {
  const activation_pass *const p = context;
  const form_row *const from = &p->in->row[i], *const to = &p->out->row[i];
  const size_t columns = (size_t)form_layout_columns(&from->layout), width = (size_t)form_layout_columns(&to->layout);
  const size_t cols = (size_t)p->in->cols;
  for (size_t c = 0; c < cols; c++) {
    const double slope = p->slope[(size_t)i * cols + c];
    for (size_t k = 0; k < columns; k++) to->linear[c * width + k] = slope * from->linear[c * columns + k];
  }
}

static attcert_status forms(form *out, const step *s, const form *const *inputs, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const form *const in = inputs[0];
  const size_t count = (size_t)in->rows * (size_t)in->cols;
  activation_pass p = {.out = out, .in = in, .curve = curve_of(s)};
  const array_table table = {{ARRAY(p.slope, count), ARRAY(p.bound, count)}};
  attcert_status status = form_init(out, in->rows, in->cols, err);
  if (status == ATTCERT_OK) status = array_table_allocate(&table, err, "the slopes of %zu entries", count);
  if (status != ATTCERT_OK) return status;
  parallel_for(in->rows, parallel_threads(0), follow_row, &p);
  for (int i = 0; i < in->rows && status == ATTCERT_OK; i++)
    status = operation_fresh_row(out, i, &in->row[i], p.bound + (size_t)i * (size_t)in->cols, symbols, origin, err);
  if (status == ATTCERT_OK) parallel_for(in->rows, parallel_threads(0), scale_row, &p);
  array_table_release(&table);
  return status;
}

/* ---- in double, by the estimates of curve and slope -------------------------------------------------------------- */

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  (void)err;
  for (size_t i = 0; i < (size_t)y->rows * (size_t)y->cols; i++) y->data[i] = curve_of(s)->estimate(x[0]->data[i]);
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  (void)err;
  for (size_t i = 0; i < (size_t)dy->rows * (size_t)dy->cols; i++)
    dx[0]->data[i] += curve_of(s)->slope_estimate(x[0]->data[i]) * dy->data[i];
  return ATTCERT_OK;
}

typedef struct {
  const step_enclosure *y, *x;
  const range_curve *curve;
  mpfr_prec_t precision;
} enclosed_curve;

static void enclose_column(void *context, int c) {
  const enclosed_curve *const p = context;
  interval_scratch ws;
  interval slope;
  interval_scratch_init(&ws, p->precision);
  interval_init(&slope, p->precision);
  for (int i = 0; i < p->y->rows; i++) p->curve->enclose(step_entry(p->y, i, c), &slope, step_entry(p->x, i, c), &ws);
  interval_scratch_clear(&ws);
  interval_clear(&slope);
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  enclosed_curve entries = {y, x[0], curve_of(s), scratch->precision};
  (void)err;
  parallel_for(y->cols, parallel_threads(0), enclose_column, &entries);
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  (void)err;
  for (size_t k = 0; k < (size_t)dy->rows * (size_t)dy->cols; k++) {
    curve_of(s)->enclose(&scratch->t[0], &scratch->t[1], &x[0]->entry[k], &scratch->ws);
    interval_fma(&dx[0]->entry[k], &scratch->t[1], &dy->entry[k], &dx[0]->entry[k], &scratch->ws);
  }
  return ATTCERT_OK;
}

static attcert_status linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                attcert_error *err) {
  step_enclosure slope; /* of a row */
  attcert_status status = step_linear_rows_init(l, 1, 0, err);
  if (status == ATTCERT_OK) status = step_enclosure_init(&slope, 1, x[0]->cols, scratch->precision, err);
  if (status != ATTCERT_OK) return status;
  for (int i = 0; i < x[0]->rows; i++) {
    for (int c = 0; c < x[0]->cols; c++)
      curve_of(l->step)->enclose(&scratch->t[0], step_entry(&slope, 0, c), step_entry(x[0], i, c), &scratch->ws);
    step_linear_rows_set(l, 0, i, slope.entry, NULL, &scratch->ws);
  }
  step_linear_rows_finish(l, 0, NAN);
  step_enclosure_clear(&slope);
  return ATTCERT_OK;
}

const step_kind step_activation = {.name = "activation",
                                   .fresh = fresh,
                                   .forms = forms,
                                   .lower = step_activation_lower,
                                   .draws = true,
                                   .execution = step_activation_execution,
                                   .value = value,
                                   .pull_back = pull_back,
                                   .enclose = enclose,
                                   .enclose_pull_back = enclose_pull_back,
                                   .linearize = linearize,
                                   .push = step_linear_rows_push,
                                   .pull = step_linear_rows_pull};

int step_activation_add(network_builder *b, int value, const range_curve *curve) {
  return network_add(b, (step){.kind = &step_activation, .of = curve, .input = {value}, .inputs = 1});
}
