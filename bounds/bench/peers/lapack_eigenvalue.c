/* dsyevr reduces the matrix to a tridiagonal one (4/3 N^3 flops, half of them in products with vectors) and bisects for
 * its largest eigenvalue. It destroys the triangle it reads: a copy waits in the other one. */
#include "gram_matrix.h"
#include "peers.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

typedef struct {
  double *g; /* row-major: the upper triangle is the matrix, or what dsyevr left; below, its copy */
  double *diagonal;
  int side;
} copied_matrix;

static size_t entry(const copied_matrix *a, int row, int column) {
  return (size_t)row * (size_t)a->side + (size_t)column;
}

static void save(const copied_matrix *a) {
  for (int i = 0; i < a->side; i++) a->diagonal[i] = a->g[entry(a, i, i)];
}

static void restore(const copied_matrix *a) {
  for (int i = 0; i < a->side; i++) {
    a->g[entry(a, i, i)] = a->diagonal[i];
    for (int j = 0; j < i; j++) a->g[entry(a, j, i)] = a->g[entry(a, i, j)];
  }
}

/* The upper triangle by rows is the lower one by columns. NaN when LAPACK reports an error. */
static double largest(const copied_matrix *a) {
  lapack_int found, support[2];
  const lapack_int n = a->side;
  double *const values = malloc((size_t)n * sizeof(double));
  double result = NAN;
  if (values != NULL && LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'N', 'I', 'L', n, a->g, n, 0.0, 0.0, n, n, 0.0, &found, values,
                                       NULL, 1, support) == 0)
    result = values[0];
  free(values);
  return result;
}

attcert_status lapack_eigenvalue(measurement *result, const given_layer *g, attcert_error *err) {
  factored_jacobian m;
  copied_matrix a = {0};
  double error = 0.0, lambda = NAN;
  attcert_status status = given_layer_factors(&m, g, err);
  if (status == ATTCERT_OK) status = gram_matrix_init(&a.g, &a.side, &error, &m, g->threads, err);
  if (status == ATTCERT_OK) a.diagonal = malloc((size_t)a.side * sizeof(double));
  if (status == ATTCERT_OK && a.diagonal == NULL)
    status = attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a diagonal of %d entries", a.side);
  if (status == ATTCERT_OK) save(&a);
  while (status == ATTCERT_OK && measurement_due(result)) {
    restore(&a);
    measurement_start(result);
    lambda = largest(&a);
    measurement_stop(result);
    if (isnan(lambda)) status = attcert_fail(err, ATTCERT_RESOURCE, "dsyevr failed on a matrix of side %d", a.side);
  }
  if (status == ATTCERT_OK) {
    result->norm = ldexp(sqrt(lambda), (int)m.exponent);
    /* LAPACK Users' Guide, section 4.7: an eigenvalue is off by at most p(N) u ||G||; p(N) = N here. Half of it in the
     * root. */
    result->rounding = 0.5 * ((double)a.side * 0x1p-53 + error / lambda);
  }
  free(a.g);
  free(a.diagonal);
  factored_jacobian_clear(&m);
  return status;
}
