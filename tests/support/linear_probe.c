/* Normal equations (F^T F + ridge I) W = F^T Y, F with a last column of ones, by Cholesky. */
#include "linear_probe.h"

#include <lapacke.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static double *numbers(int rows, int cols) {
  double *a = calloc((size_t)rows * (size_t)cols, sizeof *a);
  assert_non_null(a);
  return a;
}

static double feature(const double *row, int dim, int i) {
  return i < dim ? row[i] : 1.0;
}

static void accumulate(double *gram, double *right, const double *row, int label, int dim, int classes) {
  for (int i = 0; i <= dim; i++) {
    for (int j = 0; j <= dim; j++) gram[i * (dim + 1) + j] += feature(row, dim, i) * feature(row, dim, j);
    right[i * classes + label] += feature(row, dim, i);
  }
}

static int predict(const double *weight, const double *row, int dim, int classes) {
  int best = 0;
  double best_score = 0;
  for (int c = 0; c < classes; c++) {
    double score = 0;
    for (int i = 0; i <= dim; i++) score += feature(row, dim, i) * weight[i * classes + c];
    if (c == 0 || score > best_score) {
      best = c;
      best_score = score;
    }
  }
  return best;
}

double linear_probe_accuracy(const double *features, const int *label, int count, int dim, int classes) {
  double *gram = numbers(dim + 1, dim + 1), *weight = numbers(dim + 1, classes);
  const int half = count / 2;
  int right = 0;
  for (int s = 0; s < half; s++) accumulate(gram, weight, features + (size_t)s * (size_t)dim, label[s], dim, classes);
  for (int i = 0; i <= dim; i++) gram[i * (dim + 1) + i] += 1e-3 * half;
  assert_int_equal(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', dim + 1, classes, gram, dim + 1, weight, classes), 0);
  for (int s = half; s < count; s++)
    right += predict(weight, features + (size_t)s * (size_t)dim, dim, classes) == label[s];
  free(gram);
  free(weight);
  return (double)right / (count - half);
}
