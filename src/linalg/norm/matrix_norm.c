#include "linalg/norm/matrix_norm.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_vec.h"
#include "linalg/eigenvalue/largest_eigenvalue.h"
#include "linalg/operator/dense_matrix.h"
#include "linalg/operator/lanczos.h"
#include "linalg/rounding/binary_exponent.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <stdlib.h>

/* lo <= ||A v|| / ||v|| evaluated in 106-bit intervals. */
static attcert_status direction_lower(mpfr_t lo, const dense_matrix *a, const double *v, attcert_error *err) {
  enum { PRECISION = 106 };
  const size_t cols = (size_t)a->cols;
  point *const direction = point_vec_new(cols, PRECISION), *const row = point_vec_new(cols, PRECISION);
  if (direction == NULL || row == NULL) {
    point_vec_free(direction);
    point_vec_free(row);
    return array_out_of_memory(err, 2 * (uint64_t)point_vec_bytes(cols, PRECISION), "a vector of %zu numbers", cols);
  }
  interval_scratch ws;
  interval sum, value;
  interval_scratch_init(&ws, PRECISION);
  interval_init(&sum, PRECISION);
  interval_init(&value, PRECISION);
  point_vec_set_d(direction, v, cols);
  for (int i = 0; i < a->rows; i++) {
    point_vec_set_d(row, a->data + (size_t)i * cols, cols);
    interval_dot_points(&value, row, direction, cols, &ws);
    interval_sqr(&value, &value, &ws);
    interval_add(&sum, &sum, &value);
  }
  interval_dot_points(&value, direction, direction, cols, &ws);
  interval_div(&sum, &sum, &value, &ws);
  interval_sqrt(&sum, &sum);
  mpfr_set(lo, sum.lo, MPFR_RNDD);
  interval_clear(&value);
  interval_clear(&sum);
  interval_scratch_clear(&ws);
  point_vec_free(row);
  point_vec_free(direction);
  return ATTCERT_OK;
}

/* hi >= ||A||_2 from the smaller Gram matrix:
 * ||fl(A A^T) - A A^T||_2 <= gamma_m || |A| |A|^T || <= gamma_m ||A||_F^2      (Coq: `product_frobenius`). */
static attcert_status gram_upper(mpfr_t hi, const dense_matrix *a, double sigma, attcert_error *err) {
  const bool wide = a->rows <= a->cols;
  const int n = wide ? a->rows : a->cols, inner = wide ? a->cols : a->rows;
  const size_t side = (size_t)n;
  double *const g = array_new(ARRAY_COUNT(side, side), sizeof *g, err, "a Gram matrix of side %d", n);
  if (g == NULL) return ATTCERT_RESOURCE;
  cblas_dgemm(CblasRowMajor, wide ? CblasNoTrans : CblasTrans, wide ? CblasTrans : CblasNoTrans, n, n, inner, 1.0,
              a->data, a->cols, a->data, a->cols, 0.0, g, n);
  const attcert_status status = largest_eigenvalue_upper(hi, g, n, sigma * sigma, NULL, err);
  free(g);
  if (status != ATTCERT_OK) return status;
  const double frobenius = norm_upper(a->data, (size_t)a->rows * (size_t)a->cols);
  const double product = round_up_nonnegative(gamma_upper(inner) * frobenius * frobenius, 2.0);
  const double underflow = 2.0 * (double)n * (double)inner * UNDERFLOW_UNIT;
  mpfr_add_d(hi, hi, product, MPFR_RNDU);
  mpfr_add_d(hi, hi, underflow, MPFR_RNDU);
  mpfr_sqrt(hi, hi, MPFR_RNDU);
  return ATTCERT_OK;
}

static attcert_status matrix_norm_scaled(mpfr_t lo, mpfr_t hi, const dense_matrix *a, attcert_error *err) {
  double *const v = array_new((size_t)a->cols, sizeof *v, err, "a vector of %d doubles", a->cols);
  if (v == NULL) return ATTCERT_RESOURCE;
  const linear_operator op = dense_matrix_operator(a);
  double sigma = 0.0;
  attcert_status status = lanczos_top(v, &sigma, &op, NULL, err);
  if (status == ATTCERT_OK) status = direction_lower(lo, a, v, err);
  if (status == ATTCERT_OK) status = gram_upper(hi, a, sigma, err);
  free(v);
  return status;
}

attcert_status matrix_norm(mpfr_t lo, mpfr_t hi, const double *a, int rows, int cols, double error,
                           attcert_error *err) {
  const size_t count = (size_t)rows * (size_t)cols;
  const long exponent = exponent_of_doubles(a, count);
  mpfr_set_zero(lo, 1);
  mpfr_set_zero(hi, 1);
  attcert_status status = ATTCERT_OK;
  if (exponent != EXPONENT_OF_ZERO) {
    double *const scaled = array_new(count, sizeof *scaled, err, "a %d x %d matrix", rows, cols);
    if (scaled == NULL) return ATTCERT_RESOURCE;
    for (size_t i = 0; i < count; i++) scaled[i] = scale_double(a[i], -exponent);
    const dense_matrix matrix = {scaled, rows, cols};
    status = matrix_norm_scaled(lo, hi, &matrix, err);
    free(scaled);
    const double lost = (double)rows * (double)cols * UNDERFLOW_UNIT; /* by scaling the entries */
    mpfr_add_d(hi, hi, lost, MPFR_RNDU);
    mpfr_sub_d(lo, lo, lost, MPFR_RNDD);
    mpfr_mul_2si(hi, hi, exponent, MPFR_RNDU);
    mpfr_mul_2si(lo, lo, exponent, MPFR_RNDD);
  }
  mpfr_add_d(hi, hi, error, MPFR_RNDU);
  mpfr_sub_d(lo, lo, error, MPFR_RNDD);
  if (mpfr_sgn(lo) < 0) mpfr_set_zero(lo, 1);
  return status;
}
