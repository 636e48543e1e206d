#include "network/activation/step_activation.h"

#include "base/parallel.h"
#include "interval/interval_arith.h"

static const range_curve *curve_of(const step *s) {
  return s->of;
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
                                   .fresh = step_activation_fresh,
                                   .scratch = step_activation_scratch,
                                   .forms = step_activation_forms,
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
