#include "network/sum/step_sum.h"

#include "interval/interval_arith.h"
#include "linalg/rounding/rounding.h"

#include <string.h>

/* Symbol by symbol: no remainder; one rounding an entry of center and linear part, u (|x| + |y|) at most. */
static attcert_status forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const form *const a = in[0], *const b = in[1];
  (void)s;
  (void)origin;
  attcert_status status = form_init(out, a->rows, a->cols, err);
  for (int i = 0; i < a->rows && status == ATTCERT_OK; i++) {
    const form_row *const x = &a->row[i], *const y = &b->row[i];
    const form_layout *const layouts[] = {&x->layout, &y->layout};
    form_row *const sum = &out->row[i];
    sum->token = x->token;
    status = operation_row_layout(out, i, layouts, 2, symbols->count, symbols, err);
    if (status != ATTCERT_OK) break;
    form_layout_add(sum->linear, &sum->layout, x->linear, &x->layout, a->cols, 1.0);
    form_layout_add(sum->linear, &sum->layout, y->linear, &y->layout, a->cols, 1.0);
  }
  for (size_t i = 0; status == ATTCERT_OK && i < (size_t)a->rows * (size_t)a->cols; i++) {
    const double terms = a->support[i].magnitude + b->support[i].magnitude + fabs(a->center[i]) + fabs(b->center[i]);
    out->center[i] = a->center[i] + b->center[i];
    out->radius[i] = round_up_nonnegative(a->radius[i] + b->radius[i] + UNIT_ROUNDOFF * terms, 8.0);
  }
  return status;
}

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  (void)s;
  (void)err;
  for (size_t i = 0; i < (size_t)y->rows * (size_t)y->cols; i++) y->data[i] = x[0]->data[i] + x[1]->data[i];
  return ATTCERT_OK;
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  (void)s;
  (void)x;
  (void)err;
  for (int k = 0; k < 2; k++) {
    for (size_t i = 0; i < (size_t)dy->rows * (size_t)dy->cols; i++) dx[k]->data[i] += dy->data[i];
  }
  return ATTCERT_OK;
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  (void)s;
  (void)scratch;
  (void)err;
  for (size_t k = 0; k < (size_t)y->rows * (size_t)y->cols; k++)
    interval_add(&y->entry[k], &x[0]->entry[k], &x[1]->entry[k]);
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  (void)s;
  (void)x;
  (void)scratch;
  (void)err;
  for (size_t k = 0; k < (size_t)dy->rows * (size_t)dy->cols; k++) {
    for (int i = 0; i < 2; i++) interval_add(&dx[i]->entry[k], &dx[i]->entry[k], &dy->entry[k]);
  }
  return ATTCERT_OK;
}

/* One rounding an entry of a sum, none of a copy. */
static attcert_status linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                attcert_error *err) {
  (void)x;
  (void)scratch;
  (void)err;
  for (int k = 0; k < 2; k++) l->size[k] = (step_linear_size){.norm = 1.0, .pushed = UNIT_ROUNDOFF};
  return ATTCERT_OK;
}

static void push(double *y, const step_linear *l, const double *const *x, int count, double *scratch) {
  const size_t entries = (size_t)count * (size_t)l->rows[0] * (size_t)l->cols[0];
  (void)scratch;
  for (size_t i = 0; i < entries; i++) y[i] = x[0][i] + x[1][i];
}

static void pull(double *const *x, const step_linear *l, const double *y, int count, double *scratch) {
  const size_t entries = (size_t)count * (size_t)l->rows[0] * (size_t)l->cols[0];
  (void)scratch;
  for (int k = 0; k < 2; k++) memcpy(x[k], y, entries * sizeof *y);
}

const step_kind step_sum = {.name = "sum",
                            .sources = step_sources_of_two,
                            .forms = forms,
                            .lower = step_lower_affine,
                            .execution = step_execution_operation,
                            .value = value,
                            .pull_back = pull_back,
                            .enclose = enclose,
                            .enclose_pull_back = enclose_pull_back,
                            .linearize = linearize,
                            .push = push,
                            .pull = pull};

int step_sum_add(network_builder *b, int x, int y) {
  return network_add(b, (step){.kind = &step_sum, .input = {x, y}, .inputs = 2});
}
