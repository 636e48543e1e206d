#include "robust/lower.h"

#include "base/arrays.h"
#include "linalg/rounding/upward.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

static size_t entries_of(const robust_lower *l, int value) {
  return network_entries(l->network, value);
}

/* ---- what all walks share ---------------------------------------------------------------------------------------- */

static attcert_status init_slopes(step_slopes *slopes, size_t entries, attcert_error *err) {
  const array_table table = {{ARRAY(slopes->slope[0], entries), ARRAY(slopes->slope[1], entries),
                              ARRAY(slopes->touch[0], entries), ARRAY(slopes->touch[1], entries),
                              ARRAY(slopes->factor, entries)}};
  const attcert_status status = array_table_allocate(&table, err, "the lines of %zu entries", entries);
  for (size_t k = 0; k < entries && status == ATTCERT_OK; k++) slopes->slope[0][k] = slopes->slope[1][k] = NAN;
  return status;
}

static attcert_status unite_symbols(form_layout *all, const form_symbols *symbols, attcert_error *err) {
  return form_layout_unite(all, NULL, 0, 0, symbols, err);
}

attcert_status robust_lower_init(robust_lower *l, const network_steps *network, const form *value,
                                 const form_symbols *symbols, int count, attcert_error *err) {
  const size_t steps = (size_t)network->count, functionals = (size_t)count;
  *l = (robust_lower){.network = network, .value = value, .symbols = symbols, .count = count};
  attcert_status status = unite_symbols(&l->all, symbols, err);
  const size_t columns = (size_t)form_layout_columns(&l->all);
  const array_table table = {{ARRAY(l->direction, steps + 1), ARRAY(l->kept, steps), ARRAY(l->slopes, steps),
                              ARRAY(l->constant, functionals), ARRAY(l->along, functionals, columns),
                              ARRAY(l->best, functionals), ARRAY(l->worst, columns)}};
  if (status == ATTCERT_OK) status = array_table_allocate(&table, err, "functionals of %zu symbols", columns);
  for (int s = 0; s < network->count && status == ATTCERT_OK; s++) {
    if (network->step[s].kind->draws) status = init_slopes(&l->slopes[s], entries_of(l, s + 1), err);
  }
  return status;
}

static void forget_directions(robust_lower *l) {
  for (int v = 0; l->direction != NULL && v <= l->network->count; v++) {
    free(l->direction[v]);
    l->direction[v] = NULL;
  }
}

void robust_lower_clear(robust_lower *l) {
  forget_directions(l);
  for (int s = 0; l->kept != NULL && s < l->network->count; s++) {
    step_slopes *const of = &l->slopes[s];
    const array_table table = {{ARRAY(of->slope[0], 0), ARRAY(of->slope[1], 0), ARRAY(of->touch[0], 0),
                                ARRAY(of->touch[1], 0), ARRAY(of->factor, 0)}};
    array_table_release(&table);
    step_lower_kept_clear(&l->kept[s]);
  }
  const array_table table = {{ARRAY(l->direction, 0), ARRAY(l->kept, 0), ARRAY(l->slopes, 0), ARRAY(l->constant, 0),
                              ARRAY(l->along, 0), ARRAY(l->best, 0), ARRAY(l->worst, 0)}};
  array_table_release(&table);
  form_layout_clear(&l->all);
}

/* ---- forms of what is left --------------------------------------------------------------------------------------- */

static double *along_of(const robust_lower *l, int b) {
  return l->along + (size_t)b * (size_t)form_layout_columns(&l->all);
}

/* along += the symbols of row i of value v, for all functionals. */
static attcert_status add_row(robust_lower *l, int v, int i, attcert_error *err) {
  const form *const f = &l->value[v];
  const form_layout *const layout = &f->row[i].layout;
  const int columns = form_layout_columns(layout);
  const size_t entries = entries_of(l, v), first = (size_t)i * (size_t)f->cols;
  const double *const w = l->direction[v] + first;
  bool any = false;
  for (size_t b = 0; b < (size_t)l->count && columns > 0; b++)
    for (size_t c = 0; c < (size_t)f->cols; c++) any = any || w[b * entries + c] != 0.0;
  if (!any) return ATTCERT_OK;
  double *const line = array_new((size_t)l->count * (size_t)columns, sizeof *line, err, "%d columns", columns);
  if (line == NULL) return ATTCERT_RESOURCE;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, l->count, columns, f->cols, 1.0, w, (int)entries,
              f->row[i].linear, columns, 0.0, line, columns);
  form_layout_add(l->along, &l->all, line, layout, l->count, 1.0);
  free(line);
  return ATTCERT_OK;
}

/* What the centers of value v add, less its radii and, for sums of so many terms, roundings of `along`. */
static void add_centers(double *sum, const robust_lower *l, int v, int b, double terms) {
  const form *const f = &l->value[v];
  const size_t entries = entries_of(l, v);
  const double *const w = l->direction[v] + (size_t)b * entries;
  const double gamma = gamma_upper(terms);
  double missed = 0.0;
  for (size_t k = 0; k < entries; k++) missed += fabs(w[k]) * (f->radius[k] + gamma * f->support[k].magnitude);
  step_lower_add(sum, step_lower_dot(w, f->center, entries, 1.0));
  step_lower_add(sum, -upward_add(round_up_nonnegative(missed, (double)entries + 3.0), UNDERFLOW_ALLOWANCE));
}

/* along := the symbols of values up to `last` that have directions; returns of how many terms their sums are. */
static attcert_status gather(double *terms, robust_lower *l, int last, attcert_error *err) {
  const size_t columns = (size_t)form_layout_columns(&l->all);
  attcert_status status = ATTCERT_OK;
  *terms = 2.0;
  if (columns > 0) memset(l->along, 0, (size_t)l->count * columns * sizeof(double));
  for (int v = 0; v <= last; v++) {
    if (l->direction[v] == NULL) continue;
    *terms += (double)entries_of(l, v) + l->value[v].rows;
    for (int i = 0; i < l->value[v].rows && status == ATTCERT_OK; i++) status = add_row(l, v, i, err);
  }
  return status;
}

/* A double <= what functional b is beside `along`. */
static double constant_of(const robust_lower *l, int last, int b, double terms) {
  double sum = l->constant[b];
  for (int v = 0; v <= last; v++)
    if (l->direction[v] != NULL) add_centers(&sum, l, v, b, terms);
  return sum;
}

/* Values up to `last` that have directions: bounds by their forms. */
static attcert_status look(robust_lower *l, int last, attcert_error *err) {
  const size_t columns = (size_t)form_layout_columns(&l->all);
  double terms;
  const attcert_status status = gather(&terms, l, last, err);
  for (int b = 0; b < l->count && status == ATTCERT_OK; b++) {
    double sum = constant_of(l, last, b, terms);
    const form_support support = form_support_of(along_of(l, b), &l->all, l->symbols);
    step_lower_add(&sum, -upward_add(support.input, support.other));
    if (!(sum > l->best[b])) continue;
    l->best[b] = sum;
    if (b == 0 && columns > 0) memcpy(l->worst, l->along, columns * sizeof(double));
  }
  return status;
}

/* ---- step by step back ------------------------------------------------------------------------------------------- */

/* The value's directions += w, which it takes over: sums are off by u |sum| |x|. */
static void add_direction(robust_lower *l, int v, double *w) {
  const form *const f = &l->value[v];
  const size_t entries = entries_of(l, v);
  if (l->direction[v] == NULL) {
    l->direction[v] = w;
    return;
  }
  for (int b = 0; b < l->count; b++) {
    double missed = 0.0;
    for (size_t k = 0; k < entries; k++) {
      double *const to = &l->direction[v][(size_t)b * entries + k];
      *to += w[(size_t)b * entries + k];
      missed += fabs(*to) * step_execution_size(f, (int)(k / (size_t)f->cols), (int)(k % (size_t)f->cols));
    }
    step_lower_add(&l->constant[b], -round_up_nonnegative(UNIT_ROUNDOFF * missed, (double)entries + 4.0));
  }
  free(w);
}

/* The directions of value s + 1 become such of the inputs of step s. */
static attcert_status step_back(robust_lower *l, int s, attcert_error *err) {
  const step *const of = &l->network->step[s];
  const form *in[STEP_MAX_INPUTS];
  double *const constant = array_new((size_t)l->count, sizeof *constant, err, "%d functionals", l->count);
  step_lower lower = {.in = in,
                      .out = &l->value[s + 1],
                      .symbols = l->symbols,
                      .count = l->count,
                      .from = l->direction[s + 1],
                      .constant = constant,
                      .slopes = &l->slopes[s],
                      .kept = &l->kept[s]};
  attcert_status status = constant != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
  for (int k = 0; k < of->inputs && status == ATTCERT_OK; k++) {
    in[k] = &l->value[of->input[k]];
    lower.to[k] = array_new((size_t)l->count * entries_of(l, of->input[k]), sizeof(double), err, "functionals");
    if (lower.to[k] == NULL) status = ATTCERT_RESOURCE;
  }
  if (status == ATTCERT_OK) status = of->kind->lower(&lower, of, err);
  for (int b = 0; b < l->count && status == ATTCERT_OK; b++) step_lower_add(&l->constant[b], constant[b]);
  for (int k = 0; k < of->inputs; k++) {
    if (status == ATTCERT_OK)
      add_direction(l, of->input[k], lower.to[k]);
    else
      free(lower.to[k]);
  }
  free(constant);
  free(l->direction[s + 1]);
  l->direction[s + 1] = NULL;
  return status;
}

static bool is_alone(const robust_lower *l, int value) {
  for (int v = 0; v < value; v++)
    if (l->direction[v] != NULL) return false;
  return true;
}

/* The functionals at the value, w. */
static attcert_status begin(robust_lower *l, int value, const double *w, attcert_error *err) {
  const size_t numbers = (size_t)l->count * entries_of(l, value);
  double *const own = array_new(numbers, sizeof *own, err, "%d functionals", l->count);
  if (own == NULL) return ATTCERT_RESOURCE;
  memcpy(own, w, numbers * sizeof *own);
  l->direction[value] = own;
  for (int b = 0; b < l->count; b++) {
    l->constant[b] = 0.0;
    l->best[b] = -INFINITY;
  }
  return ATTCERT_OK;
}

static bool ends_at(const robust_lower *l, int value) {
  return value == 0 || l->network->step[value - 1].kind->lower == NULL;
}

attcert_status robust_lower_bound(robust_lower *l, int value, const double *w, attcert_error *err) {
  attcert_status status = begin(l, value, w, err);
  for (int v = value, lost = 0; v >= 0 && status == ATTCERT_OK; v--) {
    if (l->direction[v] == NULL) continue;
    const bool ends = ends_at(l, v);
    if (ends || (lost && is_alone(l, v))) {
      status = look(l, v, err);
      lost = 0;
    }
    if (status != ATTCERT_OK || ends) break;
    status = step_back(l, v - 1, err);
    lost = lost || l->network->step[v - 1].kind->lower != step_lower_affine;
  }
  forget_directions(l);
  return status;
}

/* ---- what stays open --------------------------------------------------------------------------------------------- */

/* Directions of open entries of step s's output go aside. */
static void put_aside(robust_lower *l, int s) {
  const size_t entries = entries_of(l, s + 1), open = (size_t)l->open->count;
  for (size_t k = 0; k < open; k++) {
    if (l->open->step[k] != s) continue;
    for (size_t b = 0; b < (size_t)l->count; b++) {
      double *const from = &l->direction[s + 1][b * entries + l->open->entry[k]];
      l->aside[b * open + k] = *from;
      *from = 0.0;
    }
  }
}

attcert_status robust_lower_rows(robust_lower *l, int value, const double *w, attcert_error *err) {
  double terms;
  attcert_status status = begin(l, value, w, err);
  memset(l->aside, 0, (size_t)l->count * (size_t)l->open->count * sizeof *l->aside);
  int v = value;
  for (; status == ATTCERT_OK && v > 0; v--) {
    if (l->direction[v] == NULL) continue;
    if (ends_at(l, v)) break;
    put_aside(l, v - 1);
    status = step_back(l, v - 1, err);
  }
  if (status == ATTCERT_OK && v == 0) status = gather(&terms, l, 0, err);
  for (int b = 0; b < l->count && status == ATTCERT_OK && v == 0; b++) l->best[b] = constant_of(l, 0, b, terms);
  forget_directions(l);
  return status;
}
