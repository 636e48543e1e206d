/* dgesdd without vectors reduces the matrix to a bidiagonal one and takes its singular values; it destroys the
 * matrix. */
#include "jacobian_columns.h"
#include "peers.h"

#include "certify/jacobian/structured_jacobian.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest; NaN when LAPACK reports an error. work: the matrix, destroyed; singular: room for the results. */
static double largest(const jacobian_columns *a, double *work, double *singular) {
  const lapack_int failed =
      LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', a->rows, a->columns, work, a->rows, singular, NULL, 1, NULL, 1);
  return failed == 0 ? singular[0] : NAN;
}

static attcert_status time_runs(measurement *result, double *norm, const jacobian_columns *a, attcert_error *err) {
  const size_t count = (size_t)a->rows * (size_t)a->columns;
  const int least = a->rows < a->columns ? a->rows : a->columns;
  double *const work = malloc(count * sizeof(double)), *const singular = malloc((size_t)least * sizeof(double));
  attcert_status status = ATTCERT_OK;
  if (work == NULL || singular == NULL)
    status = attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a %d x %d matrix", a->rows, a->columns);
  while (status == ATTCERT_OK && measurement_due(result)) {
    memcpy(work, a->values, count * sizeof(double));
    measurement_start(result);
    *norm = largest(a, work, singular);
    measurement_stop(result);
    if (isnan(*norm)) status = attcert_fail(err, ATTCERT_RESOURCE, "dgesdd failed on a matrix of side %d", a->rows);
  }
  free(work);
  free(singular);
  return status;
}

attcert_status lapack_singular_values(measurement *result, const given_layer *g, attcert_error *err) {
  factored_jacobian m;
  jacobian_columns a = {0};
  double norm = NAN;
  attcert_status status = given_layer_factors(&m, g, err);
  if (status == ATTCERT_OK) status = jacobian_columns_init(&a, &m, err);
  if (status == ATTCERT_OK) status = time_runs(result, &norm, &a, err);
  if (status == ATTCERT_OK) {
    result->norm = ldexp(norm, (int)m.exponent);
    /* LAPACK Users' Guide, section 4.9: p(N) u ||J||, p(N) = N here; and the roundings of the columns. */
    result->rounding = ((double)a.columns + structured_jacobian_roundings(&m, false)) * 0x1p-53;
  }
  jacobian_columns_clear(&a);
  factored_jacobian_clear(&m);
  return status;
}
