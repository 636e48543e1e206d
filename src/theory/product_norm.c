/* ||A B||_2 by one GEMM: with both factors scaled by powers of two to entries at most 1,
 *   || fl(A B) - A B ||_2 <= gamma_inner || |A| |B| ||_F <= gamma_inner ||A||_F ||B||_F   (Coq: `product_frobenius`),
 * and an allowance for what underflows, far below. */
#include "theory/product_norm.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "linalg/norm/matrix_norm.h"
#include "linalg/rounding/binary_exponent.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <stdlib.h>

attcert_status product_norm_plain(interval *norm, const double *a, int rows, int cols, attcert_error *err) {
  return matrix_norm(norm->lo, norm->hi, a, rows, cols, 0.0, err);
}

/* A copy divided by 2^*exponent, the least power of two above every entry; NULL, and the message in err, when out of
 * memory. */
static double *scaled_copy(long *exponent, const double *a, size_t count, attcert_error *err) {
  double *const copy = array_new(count, sizeof *copy, err, "a factor of %zu entries", count);
  *exponent = exponent_of_doubles(a, count);
  for (size_t i = 0; copy != NULL && i < count; i++)
    copy[i] = *exponent == EXPONENT_OF_ZERO ? 0.0 : scale_double(a[i], -*exponent);
  return copy;
}

static CBLAS_TRANSPOSE blas_transpose(product_factor f) {
  return f.transposed ? CblasTrans : CblasNoTrans;
}

/* Both factors have entries at most 1. */
static attcert_status scaled_product_norm(interval *norm, product_factor a, product_factor b, int rows, int inner,
                                          int cols, attcert_error *err) {
  const size_t r = (size_t)rows, k = (size_t)inner, c = (size_t)cols;
  double *const product = array_new(ARRAY_COUNT(r, c), sizeof *product, err, "a %d x %d matrix", rows, cols);
  if (product == NULL) return ATTCERT_RESOURCE;
  cblas_dgemm(CblasRowMajor, blas_transpose(a), blas_transpose(b), rows, cols, inner, 1.0, a.data,
              a.transposed ? rows : inner, b.data, b.transposed ? inner : cols, 0.0, product, cols);
  const double rounding = gamma_upper(inner) * norm_upper(a.data, r * k) * norm_upper(b.data, k * c);
  /* Of each product, two factors scaled, each times another of at most 1, and itself. */
  const double underflow = (double)r * (double)k * (double)c * 16.0 * UNDERFLOW_UNIT;
  const attcert_status status =
      matrix_norm(norm->lo, norm->hi, product, rows, cols, round_up_nonnegative(rounding, 2.0) + underflow, err);
  free(product);
  return status;
}

attcert_status product_norm(interval *norm, product_factor a, product_factor b, int rows, int inner, int cols,
                            attcert_error *err) {
  long a_exponent, b_exponent;
  double *const a_scaled = scaled_copy(&a_exponent, a.data, (size_t)rows * (size_t)inner, err);
  double *const b_scaled = scaled_copy(&b_exponent, b.data, (size_t)inner * (size_t)cols, err);
  attcert_status status = a_scaled != NULL && b_scaled != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
  const long exponent = exponent_product(a_exponent, b_exponent);
  if (status == ATTCERT_OK && exponent == EXPONENT_OF_ZERO) {
    mpfr_set_zero(norm->lo, 1);
    mpfr_set_zero(norm->hi, 1);
  } else if (status == ATTCERT_OK) {
    status = scaled_product_norm(norm, (product_factor){a_scaled, a.transposed},
                                 (product_factor){b_scaled, b.transposed}, rows, inner, cols, err);
    interval_scale_2exp(norm, norm, exponent);
  }
  free(a_scaled);
  free(b_scaled);
  return status;
}
