#include "report/sweep/sweep_statistics.h"

#include <math.h>
#include <stdlib.h>

/* Whether the row has a point (x, y) = (log n, log lower). */
static bool logarithms(double *x, double *y, const sweep_row *row) {
  const double lower = mpfr_get_d(row->lower, MPFR_RNDN);
  if (!(lower > 0) || isinf(lower)) return false;
  *x = log(row->n);
  *y = log(lower);
  return true;
}

/* The mean of the points; how many there are. */
static int mean_point(double *mean_x, double *mean_y, const sweep_row *rows, int count) {
  double x, y, sum_x = 0, sum_y = 0;
  int points = 0;
  for (int i = 0; i < count; i++) {
    if (!logarithms(&x, &y, &rows[i])) continue;
    sum_x += x;
    sum_y += y;
    points++;
  }
  *mean_x = sum_x / points;
  *mean_y = sum_y / points;
  return points;
}

/* Two different lengths have logarithms whose difference is far above rounding, as n <= 32768. */
static bool several_lengths(const sweep_row *rows, int count) {
  double x, y;
  int n = 0;
  for (int i = 0; i < count; i++) {
    if (!logarithms(&x, &y, &rows[i])) continue;
    if (n != 0 && rows[i].n != n) return true;
    n = rows[i].n;
  }
  return false;
}

bool sweep_fit_lower(sweep_fit *fit, const sweep_row *rows, int count) {
  double mean_x, mean_y, x, y, xx = 0, xy = 0;
  if (!several_lengths(rows, count)) return false;
  fit->count = mean_point(&mean_x, &mean_y, rows, count);
  for (int i = 0; i < count; i++) {
    if (!logarithms(&x, &y, &rows[i])) continue;
    xx += (x - mean_x) * (x - mean_x);
    xy += (x - mean_x) * (y - mean_y);
  }
  fit->exponent = xy / xx;
  fit->constant = exp(mean_y - fit->exponent * mean_x);
  return true;
}

static int compare(const void *a, const void *b) {
  const double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

double sweep_median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  const double upper = values[count / 2];
  return count % 2 == 1 ? upper : (values[count / 2 - 1] + upper) / 2;
}
