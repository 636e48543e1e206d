/* LayerNorm with the real division: the row is centered, and what is left of it is normalised as any row is
 * (operation_normalize.h).
 *
 * Roundings: the mean of d numbers gamma_{d+2} of their mean magnitude; the others are noted where they are added. */
#include "base/arrays.h"
#include "linalg/rounding/rounding.h"
#include "network/layernorm/step_layernorm.h"
#include "robust/operation/operation_normalize.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  int dim, columns;
  double *centered, *miss; /* [d]: c, and a bound of |e_a - (C eta)_a| */
  double *linear;          /* [d, columns]: C */
  form_support *support;   /* [d]: of C */
} centered_row;

static array_table row_table(centered_row *r) {
  const size_t d = (size_t)r->dim, columns = (size_t)r->columns;
  return (array_table){{ARRAY(r->centered, d), ARRAY(r->miss, d), ARRAY(r->linear, d, columns), ARRAY(r->support, d)}};
}

/* linear (d x columns) less the mean of its rows. */
static attcert_status center_linear(centered_row *r, attcert_error *err) {
  const size_t d = (size_t)r->dim, columns = (size_t)r->columns;
  double *const middle = array_new(columns, sizeof *middle, err, "the mean of %d rows", r->dim);
  if (middle == NULL) return ATTCERT_RESOURCE;
  for (size_t a = 0; a < d; a++) {
    for (size_t k = 0; k < columns; k++) middle[k] += r->linear[a * columns + k];
  }
  for (size_t k = 0; k < columns; k++) middle[k] /= r->dim;
  for (size_t a = 0; a < d; a++) {
    for (size_t k = 0; k < columns; k++) r->linear[a * columns + k] -= middle[k];
  }
  free(middle);
  return ATTCERT_OK;
}

/* c, C, their supports, and what they miss of the exact centered row. */
static attcert_status center_row(centered_row *r, const form *in, int i, const form_symbols *symbols,
                                 attcert_error *err) {
  const size_t d = (size_t)r->dim, columns = (size_t)r->columns, at = (size_t)i * d;
  const double gamma = gamma_upper((double)d + 3.0), *const center = in->center + at;
  double sum = 0.0, size = 0.0, radius = 0.0;
  for (size_t a = 0; a < d; a++) {
    sum += center[a];
    size += gamma * (fabs(center[a]) + in->support[at + a].magnitude);
    radius += in->radius[at + a];
  }
  const double common = round_up_nonnegative((size + radius) / (double)d, (double)d + 6.0);
  for (size_t a = 0; a < d; a++) {
    r->centered[a] = center[a] - sum / (double)d;
    const double own = gamma * (fabs(r->centered[a]) + in->support[at + a].magnitude);
    r->miss[a] = round_up_nonnegative(in->radius[at + a] + common + own, 6.0);
  }
  if (columns > 0) memcpy(r->linear, in->row[i].linear, d * columns * sizeof(double));
  const attcert_status status = center_linear(r, err);
  for (size_t a = 0; a < d && status == ATTCERT_OK; a++)
    r->support[a] = form_support_of(r->linear + a * columns, &in->row[i].layout, symbols);
  return status;
}

attcert_status step_layernorm_forms(form *out, const step *s, const form *const *inputs, form_symbols *symbols,
                                    int origin, attcert_error *err) {
  const layernorm_weights *const w = s->of;
  const form *const in = inputs[0];
  attcert_status status = form_init(out, in->rows, in->cols, err);
  for (int i = 0; i < in->rows && status == ATTCERT_OK; i++) {
    const form_layout *const layout = &in->row[i].layout;
    centered_row r = {.dim = in->cols, .columns = form_layout_columns(layout)};
    const array_table table = row_table(&r);
    out->row[i].token = in->row[i].token;
    status = array_table_allocate(&table, err, "LayerNorm of %d x %d numbers", r.dim, r.columns);
    if (status == ATTCERT_OK) status = center_row(&r, in, i, symbols, err);
    const operation_normalized centered = {.dim = r.dim,
                                           .parts = 1,
                                           .layout = layout,
                                           .center = r.centered,
                                           .miss = r.miss,
                                           .linear = r.linear,
                                           .support = r.support,
                                           .gain = w->gain,
                                           .bias = w->bias,
                                           .epsilon = w->epsilon};
    if (status == ATTCERT_OK) status = operation_normalize(out, i, &centered, symbols, origin, err);
    array_table_release(&table);
  }
  return status;
}
