/* An entrywise function phi: over [z - dev, z + dev], dev the entry's whole deviation, range_line encloses
 *   phi(t) = slope (t - z) + height +- error       (range/range_line.h),
 * so the entry's form is scaled by the slope, its center is the height, and one fresh symbol an entry is bounded by
 *   error + |slope| radius + u |slope| magnitude   (the last: the rounding of the scaling). */
#include "base/arrays.h"
#include "linalg/rounding.h"
#include "robust/operation/operation.h"

#include <stdlib.h>

/* One row: centers and slopes of the lines, bounds of the fresh symbols. */
static void follow_row(form *out, const form *in, int i, const range_curve *curve, double *slope, double *bound) {
  for (int c = 0; c < in->cols; c++) {
    const size_t at = (size_t)i * (size_t)in->cols + (size_t)c;
    const double z = in->center[at], reach = form_spread(in, i, c);
    const range_line line = range_line_along(curve, range_down(z - reach), range_up(z + reach), z);
    const double scaled = fabs(line.slope) * (in->radius[at] + UNIT_ROUNDOFF * in->support[at].magnitude);
    slope[c] = line.slope;
    out->center[at] = line.height;
    bound[c] = round_up_nonnegative(line.error + scaled + UNDERFLOW_ALLOWANCE, 6.0);
  }
}

static void scale_row(form *out, const form *in, int i, const double *slope, int fresh) {
  const form_row *const from = &in->row[i];
  const size_t columns = (size_t)form_layout_columns(&from->layout), width = (size_t)form_layout_columns(&out->row[i].layout);
  const size_t first = (size_t)operation_column(out, i, fresh);
  for (size_t c = 0; c < (size_t)in->cols; c++) {
    double *const to = out->row[i].linear + c * width;
    for (size_t k = 0; k < columns; k++) to[k] = slope[c] * from->linear[c * columns + k];
    to[first + c] = 1.0;
  }
}

attcert_status operation_activation(form *out, const form *in, const range_curve *curve, form_symbols *symbols,
                                    int origin, attcert_error *err) {
  const size_t width = (size_t)in->cols;
  attcert_status status = form_init(out, in->rows, in->cols, err);
  double *const slope = array_new(2 * width, sizeof *slope, err, "the slopes of %d entries", in->cols);
  if (slope == NULL) status = ATTCERT_RESOURCE;
  for (int i = 0; i < in->rows && status == ATTCERT_OK; i++) {
    const form_layout *const layout = &in->row[i].layout;
    double *const bound = slope + width;
    int fresh;
    out->row[i].token = in->row[i].token;
    follow_row(out, in, i, curve, slope, bound);
    status = operation_fresh(&fresh, symbols, bound, in->cols, INFINITY, origin, err);
    if (status == ATTCERT_OK) status = operation_row_layout(out, i, &layout, 1, &fresh, 1, symbols, err);
    if (status == ATTCERT_OK) scale_row(out, in, i, slope, fresh);
  }
  free(slope);
  return status;
}
