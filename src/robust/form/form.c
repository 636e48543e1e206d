#include "robust/form/form.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "linalg/rounding/rounding.h"

#include <stdlib.h>

attcert_status form_init(form *f, int rows, int cols, attcert_error *err) {
  *f = (form){.rows = rows, .cols = cols};
  const size_t n = (size_t)rows, m = (size_t)cols;
  const array_table table = {
      {ARRAY(f->row, n), ARRAY(f->center, n, m), ARRAY(f->radius, n, m), ARRAY(f->support, n, m)}};
  return array_table_allocate(&table, err, "a form of %d x %d entries", rows, cols);
}

void form_clear(form *f) {
  for (int i = 0; f->row != NULL && i < f->rows; i++) {
    form_layout_clear(&f->row[i].layout);
    free(f->row[i].linear);
  }
  const array_table table = {
      {ARRAY(f->row, 0), ARRAY(f->center, 0), ARRAY(f->radius, 0), ARRAY(f->support, 0), ARRAY(f->narrowed, 0)}};
  array_table_release(&table);
  free(f->kept);
  f->kept = NULL;
}

attcert_status form_set_layout(form *f, int i, form_layout *layout, attcert_error *err) {
  form_row *const row = &f->row[i];
  const size_t columns = (size_t)form_layout_columns(layout);
  form_layout_clear(&row->layout);
  free(row->linear);
  row->layout = *layout;
  *layout = (form_layout){0};
  row->linear =
      array_new((size_t)f->cols * columns, sizeof(double), err, "a form of %d x %zu numbers", f->cols, columns);
  return row->linear != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
}

/* ---- how far a functional goes ----------------------------------------------------------------------------------- */

static double sum_of_squares(const double *x, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return round_up_nonnegative(sum, n);
}

static double weighted_sum(const double *x, const double *bound, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; k++) sum += fabs(x[k]) * bound[k];
  return round_up_nonnegative(sum, n);
}

/* NaN stays NaN, as below. */
static double largest_entry(const double *x, int n) {
  double largest = 0.0;
  for (int k = 0; k < n && !isnan(largest); k++) {
    if (!(fabs(x[k]) <= largest)) largest = fabs(x[k]);
  }
  return largest;
}

static double smaller(double a, double b) {
  return a < b || isnan(a) ? a : b;
}

static void add_segment(form_support *support, const double *x, const form_segment *segment) {
  const double by_entries = segment->bound != NULL ? weighted_sum(x, segment->bound, segment->width) : INFINITY;
  const double by_norm = isinf(segment->radius)
                             ? INFINITY
                             : round_up_nonnegative(segment->radius * sqrt(sum_of_squares(x, segment->width)), 2.0);
  const bool summed = segment->sum > 0.0;
  const double by_sum = summed ? round_up_nonnegative(segment->sum * largest_entry(x, segment->width), 1.0) : INFINITY;
  const double most = smaller(by_sum, smaller(by_entries, by_norm));
  support->other += most;
  if (summed) support->sum += most;
  support->magnitude += summed ? by_sum : segment->bound != NULL ? by_entries : by_norm;
}

double form_segment_support(const double *x, const form_segment *segment) {
  form_support support = {0};
  add_segment(&support, x, segment);
  return support.other;
}

form_support form_support_of(const double *row, const form_layout *layout, const form_symbols *symbols) {
  form_support support = {0};
  double squares = 0.0;
  int s = 0;
  for (; s < layout->count && symbols->segment[layout->id[s]].input; s++)
    squares += sum_of_squares(row + layout->start[s], layout->start[s + 1] - layout->start[s]);
  if (s > 0)
    support.input = round_up_nonnegative(symbols->segment[layout->id[0]].radius * sqrt(squares), (double)s + 3.0);
  for (; s < layout->count; s++) add_segment(&support, row + layout->start[s], &symbols->segment[layout->id[s]]);
  support.other = round_up_nonnegative(support.other, layout->count);
  support.sum *= 1.0 - (layout->count + 1.0) * 0x1p-52; /* at most what was added */
  support.magnitude = round_up_nonnegative(support.magnitude + support.input, layout->count + 1);
  return support;
}

typedef struct {
  form *f;
  const form_symbols *symbols;
} measurement;

static void measure_row(void *context, int i) {
  const measurement *const m = context;
  const form_row *const row = &m->f->row[i];
  const size_t columns = (size_t)form_layout_columns(&row->layout), cols = (size_t)m->f->cols;
  for (size_t c = 0; c < cols; c++)
    m->f->support[(size_t)i * cols + c] = form_support_of(row->linear + c * columns, &row->layout, m->symbols);
}

attcert_status form_measure(form *f, const form_symbols *symbols, attcert_error *err) {
  static const double limit = 0x1p300;
  measurement m = {f, symbols};
  parallel_for(f->rows, parallel_threads(0), measure_row, &m);
  for (int i = 0; i < f->rows; i++) {
    for (int c = 0; c < f->cols; c++) {
      const size_t at = (size_t)i * (size_t)f->cols + (size_t)c;
      if (!(f->support[at].magnitude <= limit && f->radius[at] <= limit && fabs(f->center[at]) <= limit))
        return attcert_fail(err, ATTCERT_UNDECIDED, "entry %d of token %d is unbounded on the ball", c,
                            f->row[i].token);
    }
  }
  return ATTCERT_OK;
}

double form_spread(const form *f, int i, int c) {
  const size_t at = (size_t)i * (size_t)f->cols + (size_t)c;
  return round_up_nonnegative(f->support[at].input + f->support[at].other + f->radius[at], 2.0);
}

range form_range(const form *f, int i, int c) {
  const size_t at = (size_t)i * (size_t)f->cols + (size_t)c;
  const double center = f->center[at], spread = form_spread(f, i, c);
  const range by_form = {range_sub_down(center, spread), range_add_up(center, spread)};
  if (f->narrowed == NULL) return by_form;
  return (range){range_larger(by_form.lo, f->narrowed[at].lo), range_smaller(by_form.hi, f->narrowed[at].hi)};
}

attcert_status form_unite_rows(form_layout *layout, const form *f, const form_symbols *symbols, attcert_error *err) {
  const form_layout **const all =
      array_new((size_t)f->rows, sizeof(const form_layout *), err, "a list of %d layouts", f->rows);
  *layout = (form_layout){0};
  if (all == NULL) return ATTCERT_RESOURCE;
  for (int i = 0; i < f->rows; i++) all[i] = &f->row[i].layout;
  const attcert_status status = form_layout_unite(layout, all, f->rows, symbols->count, symbols, err);
  free(all);
  return status;
}
