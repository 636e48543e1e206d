#include "linalg/norm/gram_norm.h"

#include "base/arrays.h"
#include "linalg/norm/symmetric_norm.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <stdlib.h>

attcert_status gram_norm_upper(double *norm, const double *a, int rows, int columns, double roundings,
                               attcert_error *err) {
  const bool wide = rows <= columns;
  const int side = wide ? rows : columns, inner = wide ? columns : rows;
  const size_t n = (size_t)side;
  *norm = INFINITY;
  double *const gram = array_new(2 * n * n, sizeof *gram, err, "a Gram matrix of side %d", side);
  if (gram == NULL) return ATTCERT_RESOURCE;
  if (side > 0)
    cblas_dsyrk(CblasRowMajor, CblasUpper, wide ? CblasNoTrans : CblasTrans, side, inner, 1.0, a, columns, 0.0, gram,
                side);
  const double frobenius = norm_upper(a, n * (size_t)inner);
  const double error = round_up_nonnegative(gamma_upper(inner + 2.0 * roundings) * frobenius * frobenius, 3.0);
  const double square = symmetric_norm_upper(gram, gram + n * n, side);
  *norm = round_up_nonnegative(sqrt(square + error + UNDERFLOW_ALLOWANCE), 3.0);
  free(gram);
  return ATTCERT_OK;
}
