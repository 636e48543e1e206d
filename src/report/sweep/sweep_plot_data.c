#include "report/sweep/sweep_plot_data.h"

#include "base/arrays.h"
#include "report/sweep/sweep_statistics.h"

#include <math.h>
#include <stdlib.h>

/* The row's ends as doubles; false where a logarithmic axis has no place for it. */
static bool point_of(sweep_plot_point *point, const sweep_row *row) {
  point->n = row->n;
  point->lower = mpfr_get_d(row->lower, MPFR_RNDN);
  point->upper = mpfr_get_d(row->upper, MPFR_RNDN);
  if (isinf(point->upper)) point->upper = point->lower;
  return point->lower > 0 && !isinf(point->lower);
}

static int compare_points(const void *a, const void *b) {
  const sweep_plot_point *const left = a, *const right = b;
  return (left->n > right->n) - (left->n < right->n);
}

static void set_points(sweep_plot_data *data, const sweep_row *rows, int count) {
  for (int i = 0; i < count; i++) {
    if (point_of(&data->points[data->count], &rows[i])) data->count++;
  }
  qsort(data->points, (size_t)data->count, sizeof *data->points, compare_points);
  for (int i = 0; i < data->count; i++) {
    data->low = fmin(data->low, data->points[i].lower);
    data->high = fmax(data->high, data->points[i].upper);
  }
}

/* The median of one bound at length n; 0: it is nowhere available. values: room for one number a row. */
static double median_bound(double *values, const sweep_row *rows, int count, int n, int id) {
  int found = 0;
  for (int i = 0; i < count; i++) {
    const theory_bound *const bound = &rows[i].bounds.bound[id];
    if (rows[i].n != n || !bound->available) continue;
    values[found] = mpfr_get_d(bound->value, MPFR_RNDN);
    if (values[found] > 0 && !isinf(values[found])) found++;
  }
  return found > 0 ? sweep_median(values, found) : 0;
}

/* The length of the points first .. end - 1. */
static void set_length(sweep_plot_data *data, double *values, int first, int end, const sweep_row *rows, int count) {
  sweep_plot_length *const length = &data->lengths[data->length_count++];
  length->n = data->points[first].n;
  for (int i = first; i < end; i++) values[i - first] = data->points[i].lower;
  length->lower = sweep_median(values, end - first);
  for (int id = 0; id < THEORY_COUNT; id++) {
    length->median[id] = median_bound(values, rows, count, length->n, id);
    if (length->median[id] > 0) data->has_bound[id] = true;
  }
}

static void set_lengths(sweep_plot_data *data, double *values, const sweep_row *rows, int count) {
  int first = 0;
  for (int i = 1; i <= data->count; i++) {
    if (i < data->count && data->points[i].n == data->points[first].n) continue;
    set_length(data, values, first, i, rows, count);
    first = i;
  }
}

attcert_status sweep_plot_data_init(sweep_plot_data *data, const sweep_row *rows, int count, attcert_error *err) {
  *data = (sweep_plot_data){.low = INFINITY, .high = 0};
  double *values;
  const size_t most = count > 0 ? (size_t)count : 1; /* qsort takes no NULL */
  const array_table arrays = {{ARRAY(data->points, most), ARRAY(data->lengths, most), ARRAY(values, most)}};
  attcert_status status = array_table_allocate(&arrays, err, "the plot of %d rows", count);
  if (status == ATTCERT_OK) set_points(data, rows, count);
  if (status == ATTCERT_OK && data->count == 0)
    status =
        attcert_fail(err, ATTCERT_INPUT, "--plot: no lower end is positive, expected one to draw on logarithmic axes");
  if (status == ATTCERT_OK) set_lengths(data, values, rows, count);
  free(values);
  if (status != ATTCERT_OK) sweep_plot_data_clear(data);
  return status;
}

void sweep_plot_data_clear(sweep_plot_data *data) {
  free(data->points);
  free(data->lengths);
  *data = (sweep_plot_data){0};
}
