#include "network/scale/step_scale.h"

#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "linalg/rounding/rounding.h"

#include <math.h>
#include <string.h>

static const double *factors(const step *s) {
  return ((const scale_weights *)s->of)->factor;
}

static attcert_status round_weights(void **of, const step *s, int in_cols, const step_format *format,
                                    attcert_error *err) {
  scale_weights w = {factors(s)};
  (void)in_cols;
  *of = step_execution_round(&(step_weights){&w.factor, (size_t)s->cols}, 1, sizeof w, format, err);
  if (*of == NULL) return ATTCERT_RESOURCE;
  memcpy(*of, &w, sizeof w);
  return ATTCERT_OK;
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

/* Symbol by symbol: no remainder; one rounding of each number, u |factor| (|center| + magnitude) at most. */
static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const form *const x = in[0];
  const double *const factor = factors(s);
  const size_t cols = (size_t)x->cols;
  (void)origin;
  attcert_status status = form_init(out, x->rows, x->cols, err);
  for (int i = 0; i < x->rows && status == ATTCERT_OK; i++) {
    const form_row *const from = &x->row[i];
    const form_layout *const layout = &from->layout;
    const size_t columns = (size_t)form_layout_columns(layout);
    out->row[i].token = from->token;
    status = operation_row_layout(out, i, &layout, 1, symbols->count, symbols, err);
    for (size_t c = 0; c < cols && status == ATTCERT_OK; c++) {
      const size_t at = (size_t)i * cols + c;
      const double size = fabs(factor[c]), terms = x->support[at].magnitude + fabs(x->center[at]);
      for (size_t k = 0; k < columns; k++)
        out->row[i].linear[c * columns + k] = factor[c] * from->linear[c * columns + k];
      out->center[at] = factor[c] * x->center[at];
      out->radius[at] = round_up_nonnegative(size * (x->radius[at] + UNIT_ROUNDOFF * terms) + UNDERFLOW_ALLOWANCE, 8.0);
    }
  }
  return status;
}

/* ---- in double and in intervals ---------------------------------------------------------------------------------- */

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  const double *const factor = factors(s);
  const size_t cols = (size_t)y->cols;
  (void)err;
  for (size_t k = 0; k < (size_t)y->rows * cols; k++) y->data[k] = factor[k % cols] * x[0]->data[k];
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  const double *const factor = factors(s);
  const size_t cols = (size_t)dy->cols;
  (void)x;
  (void)err;
  for (size_t k = 0; k < (size_t)dy->rows * cols; k++) dx[0]->data[k] += factor[k % cols] * dy->data[k];
  return ATTCERT_OK;
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  const double *const factor = factors(s);
  interval *const t = &scratch->t[0];
  (void)err;
  for (int k = 0; k < y->rows * y->cols; k++) {
    interval_set_d(t, factor[k % y->cols]);
    interval_mul(&y->entry[k], t, &x[0]->entry[k], &scratch->ws);
  }
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  const double *const factor = factors(s);
  interval *const t = &scratch->t[0];
  (void)x;
  (void)err;
  for (int k = 0; k < dy->rows * dy->cols; k++) {
    interval_set_d(t, factor[k % dy->cols]);
    interval_fma(&dx[0]->entry[k], t, &dy->entry[k], &dx[0]->entry[k], &scratch->ws);
  }
  return ATTCERT_OK;
}

static void enclose_factor(interval *f, const step *s, int c, step_scratch *scratch) {
  (void)scratch;
  interval_set_d(f, factors(s)[c]);
}

static attcert_status linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                attcert_error *err) {
  (void)x;
  return step_linear_columns(l, enclose_factor, scratch, err);
}

const step_kind step_scale = {.name = "scale",
                              .forms = forms,
                              .lower = step_lower_affine,
                              .round = round_weights,
                              .execution = step_execution_operation,
                              .value = value,
                              .pull_back = pull_back,
                              .enclose = enclose,
                              .enclose_pull_back = enclose_pull_back,
                              .linearize = linearize,
                              .push = step_linear_rows_push,
                              .pull = step_linear_rows_pull};

int step_scale_add(network_builder *b, int value, const scale_weights *weights) {
  const void *const of = network_copy(b, weights, sizeof *weights);
  return network_add(b, (step){.kind = &step_scale, .of = of, .input = {value}, .inputs = 1});
}
