/* The bound of a functional as a function of the slopes of lines: w phi(t) >= w (slope t + height) has the derivative
 * w (t - touch) by its slope, t being what the entry is where the bound is the lowest, by its form. What else slopes
 * have an influence on is left out: only the choice is searched, and every slope gives a bound. */
#include "base/arrays.h"
#include "robust/form/form_lowest.h"
#include "robust/lower.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_STEP 0.3
#define STEP_SHRINKS 0.93
#define MOMENTUM 0.7

/* The search ends where so many steps, one after the other, have brought the bound nearer to 0 by less than this. */
#define WORTH 0.01
enum { PATIENCE = 3 };

typedef struct {
  robust_lower *l;
  double *eta;       /* [all symbols]: where the functional is the lowest, about */
  double **momentum; /* [steps][entries]: of slopes */
} ascent;

/* Entry c of row i of a form there. */
static double entry_at(const ascent *a, const form *f, int i, int c) {
  const form_layout *const layout = &f->row[i].layout;
  const double *row = f->row[i].linear + (size_t)c * (size_t)form_layout_columns(layout);
  const form_layout *const all = &a->l->all;
  double sum = f->center[(size_t)i * (size_t)f->cols + (size_t)c];
  for (int s = 0; s < layout->count; s++) {
    const double *const eta = a->eta + all->start[layout->id[s]];
    for (int k = layout->start[s]; k < layout->start[s + 1]; k++) sum += row[k] * eta[k - layout->start[s]];
  }
  return sum;
}

/* derivative := those by the slopes of step s's lines; returns the largest. */
static double differentiate(const ascent *a, int s, double *derivative) {
  const step *const of = &a->l->network->step[s];
  const form *const in = &a->l->value[of->input[0]];
  const step_slopes *const slopes = &a->l->slopes[s];
  double largest = 0.0;
  for (int i = 0; i < in->rows; i++) {
    for (int c = 0; c < in->cols; c++) {
      const size_t at = (size_t)i * (size_t)in->cols + (size_t)c;
      const double w = slopes->factor[at];
      derivative[at] = w == 0.0 ? 0.0 : w * (entry_at(a, in, i, c) - slopes->touch[w < 0.0][at]);
      largest = fmax(largest, fabs(derivative[at]));
    }
  }
  return largest;
}

/* Slopes of step s go along their momentum, for `length`. */
static attcert_status move_slopes(ascent *a, int s, double length, attcert_error *err) {
  const step_slopes *const slopes = &a->l->slopes[s];
  const size_t entries = network_entries(a->l->network, s + 1);
  double *const derivative = array_new(entries, sizeof *derivative, err, "the derivatives of %zu slopes", entries);
  if (derivative == NULL) return ATTCERT_RESOURCE;
  const double largest = differentiate(a, s, derivative);
  for (size_t k = 0; k < entries && largest > 0.0; k++) {
    double *const momentum = &a->momentum[s][k];
    const double w = slopes->factor[k];
    *momentum = MOMENTUM * *momentum + derivative[k] / largest;
    if (w != 0.0) slopes->slope[w < 0.0][k] += length * *momentum;
  }
  free(derivative);
  return ATTCERT_OK;
}

static attcert_status move_all(ascent *a, double length, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  form_lowest(a->eta, a->l->worst, &a->l->all, a->l->symbols);
  for (int s = 0; s < a->l->network->count && status == ATTCERT_OK; s++)
    if (a->l->slopes[s].factor != NULL) status = move_slopes(a, s, length, err);
  return status;
}

static attcert_status ascent_init(ascent *a, robust_lower *l, attcert_error *err) {
  *a = (ascent){.l = l};
  const array_table table = {
      {ARRAY(a->eta, (size_t)form_layout_columns(&l->all)), ARRAY(a->momentum, (size_t)l->network->count)}};
  attcert_status status = array_table_allocate(&table, err, "an ascent of slopes");
  for (int s = 0; s < l->network->count && status == ATTCERT_OK; s++) {
    const size_t entries = network_entries(l->network, s + 1);
    if (l->slopes[s].factor == NULL) continue;
    for (int side = 0; side < 2; side++)
      for (size_t k = 0; k < entries; k++) l->slopes[s].slope[side][k] = NAN;
    a->momentum[s] = array_new(entries, sizeof(double), err, "the momentum of %zu slopes", entries);
    if (a->momentum[s] == NULL) status = ATTCERT_RESOURCE;
  }
  return status;
}

static void ascent_clear(ascent *a) {
  for (int s = 0; a->momentum != NULL && s < a->l->network->count; s++) free(a->momentum[s]);
  const array_table table = {{ARRAY(a->eta, 0), ARRAY(a->momentum, 0)}};
  array_table_release(&table);
}

attcert_status robust_lower_search(double *bound, robust_lower *l, int value, const double *w, int steps,
                                   const robust_watch *watch, attcert_error *err) {
  ascent a;
  double length = FIRST_STEP;
  attcert_status status = ascent_init(&a, l, err);
  *bound = -INFINITY;
  for (int i = 0, stale = 0; status == ATTCERT_OK && !(*bound > 0.0) && stale < PATIENCE; i++) {
    status = robust_watch_report(watch, (double)i / (steps + 1), err);
    if (status == ATTCERT_OK) status = robust_lower_bound(l, value, w, err);
    if (status != ATTCERT_OK) break;
    stale = l->best[0] > *bound + WORTH * fabs(*bound) ? 0 : stale + 1;
    if (l->best[0] > *bound) *bound = l->best[0];
    if (i == steps || *bound > 0.0 || !isfinite(l->best[0])) break;
    status = move_all(&a, length, err);
    length *= STEP_SHRINKS;
  }
  ascent_clear(&a);
  return status;
}
