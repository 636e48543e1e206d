/* An entrywise function phi: over [z - dev, z + dev], dev the entry's whole deviation, range_line encloses
 *   phi(t) = slope (t - z) + height +- error       (range/range_line.h),
 * so the entry's form is scaled by the slope, its center is the height, and one fresh symbol an entry is bounded by
 *   error + |slope| radius + u |slope| magnitude   (the last: the rounding of the scaling). */
#include "base/arrays.h"
#include "base/parallel.h"
#include "linalg/rounding.h"
#include "robust/operation/operation.h"

typedef struct {
  form *out;
  const form *in;
  const range_curve *curve;
  double *slope, *bound; /* [rows, cols] */
  const int *fresh;      /* [rows] */
} activation_pass;

/* Row i: centers and slopes of the lines, bounds of the fresh symbols. */
static void follow_row(void *context, int i) {
  const activation_pass *const p = context;
  const form *const in = p->in;
  for (int c = 0; c < in->cols; c++) {
    const size_t at = (size_t)i * (size_t)in->cols + (size_t)c;
    const double z = in->center[at], reach = form_spread(in, i, c);
    const range_line line = range_line_along(p->curve, range_down(z - reach), range_up(z + reach), z);
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
  const size_t first = (size_t)operation_column(p->out, i, p->fresh[i]), cols = (size_t)p->in->cols;
  for (size_t c = 0; c < cols; c++) {
    const double slope = p->slope[(size_t)i * cols + c];
    for (size_t k = 0; k < columns; k++) to->linear[c * width + k] = slope * from->linear[c * columns + k];
    to->linear[c * width + first + c] = 1.0;
  }
}

static attcert_status add_symbols(const activation_pass *p, int *fresh, form_symbols *symbols, int origin,
                                  attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < p->in->rows && status == ATTCERT_OK; i++) {
    const form_layout *const layout = &p->in->row[i].layout;
    p->out->row[i].token = p->in->row[i].token;
    status = operation_fresh(&fresh[i], symbols, p->bound + (size_t)i * (size_t)p->in->cols, p->in->cols, INFINITY,
                             origin, err);
    if (status == ATTCERT_OK) status = operation_row_layout(p->out, i, &layout, 1, &fresh[i], 1, symbols, err);
  }
  return status;
}

attcert_status operation_activation(form *out, const form *in, const range_curve *curve, form_symbols *symbols,
                                    int origin, attcert_error *err) {
  const size_t rows = (size_t)in->rows, count = rows * (size_t)in->cols;
  int *fresh;
  activation_pass p = {.out = out, .in = in, .curve = curve};
  const array_table table = {{ARRAY(p.slope, count), ARRAY(p.bound, count), ARRAY(fresh, rows)}};
  attcert_status status = form_init(out, in->rows, in->cols, err);
  if (status == ATTCERT_OK) status = array_table_allocate(&table, err, "the slopes of %zu entries", count);
  if (status != ATTCERT_OK) return status;
  p.fresh = fresh;
  parallel_for(in->rows, parallel_threads(0), follow_row, &p);
  status = add_symbols(&p, fresh, symbols, origin, err);
  if (status == ATTCERT_OK) parallel_for(in->rows, parallel_threads(0), scale_row, &p);
  array_table_release(&table);
  return status;
}
