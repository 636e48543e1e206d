/* Row i of J is J^T e_i, column j is J e_j. Each is off by `error` at most, so that the matrix of m of them is off by
 * m^(1/2) error in the Frobenius norm. */
#include "base/arrays.h"
#include "base/progress_report.h"
#include "linalg/norm/matrix_norm.h"
#include "linalg/operator/dense_matrix.h"
#include "linalg/operator/lanczos.h"
#include "linalg/rounding/upward.h"
#include "lipschitz/lipschitz_run.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The matrix, its copy of scaled numbers, its Gram matrix and the factor of that. */
uint64_t lipschitz_dense_bytes(size_t rows, size_t cols) {
  const size_t side = rows < cols ? rows : cols, other = rows < cols ? cols : rows;
  const size_t numbers = ARRAY_COUNT(side, 2 * other + 3 * side + LIPSCHITZ_VECTORS);
  return numbers < SIZE_MAX / sizeof(double) ? numbers * sizeof(double) : UINT64_MAX;
}

/* As many columns as rows: columns, whose products are closer. */
static bool takes_rows(const lipschitz_run *r, const network_part *part) {
  return lipschitz_rows(r, part) < lipschitz_cols(r, part);
}

double lipschitz_dense_error(const lipschitz_run *r, const network_part *part) {
  const bool by_rows = takes_rows(r, part);
  const size_t side = by_rows ? lipschitz_rows(r, part) : lipschitz_cols(r, part);
  return upward_mul(part->error[by_rows], round_up_nonnegative(sqrt((double)side), 1.0));
}

/* J by rows, or J^T. */
static attcert_status fill(const dense_matrix *a, double *data, const lipschitz_run *r, const network_part *part) {
  const size_t side = (size_t)a->rows, other = (size_t)a->cols;
  double *const unit = array_new(ARRAY_COUNT(LIPSCHITZ_VECTORS, side), sizeof *unit, r->err, "unit vectors");
  attcert_status status = unit != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
  for (size_t i = 0; i < side && status == ATTCERT_OK; i += LIPSCHITZ_VECTORS) {
    const size_t count = side - i < LIPSCHITZ_VECTORS ? side - i : LIPSCHITZ_VECTORS;
    memset(unit, 0, LIPSCHITZ_VECTORS * side * sizeof *unit);
    for (size_t b = 0; b < count; b++) unit[b * side + i + b] = 1.0;
    network_linear_multiply(&r->jacobian, part, data + i * other, unit, (int)count, takes_rows(r, part));
    status = progress_report(r->options, "jacobian", (double)i / (double)side, r->err);
  }
  free(unit);
  return status;
}

/* The direction from the matrix's top singular vectors. */
static attcert_status propose(double *u, const dense_matrix *a, const lipschitz_run *r, bool by_rows) {
  const linear_operator matrix = dense_matrix_operator(a);
  double sigma;
  double *const right = array_new((size_t)a->cols, sizeof *right, r->err, "a singular vector");
  attcert_status status = right != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
  if (status == ATTCERT_OK) status = lanczos_top(right, &sigma, &matrix, r->options, r->err);
  if (status == ATTCERT_OK && by_rows)
    memcpy(u, right, (size_t)a->cols * sizeof *u);
  else if (status == ATTCERT_OK)
    matrix.apply(matrix.context, u, right, false);
  free(right);
  return status;
}

attcert_status lipschitz_dense(double *upper, double *u, lipschitz_run *r, const network_part *part, double width) {
  const bool by_rows = takes_rows(r, part);
  const size_t rows = lipschitz_rows(r, part), cols = lipschitz_cols(r, part);
  const size_t side = by_rows ? rows : cols, other = by_rows ? cols : rows;
  double *const data =
      array_new(ARRAY_COUNT(side, other), sizeof *data, r->err, "a Jacobian of %zu x %zu numbers", side, other);
  (void)width; /* as sharp as it is */
  *upper = INFINITY;
  if (data == NULL) return ATTCERT_RESOURCE;
  const dense_matrix a = {.data = data, .rows = (int)side, .cols = (int)other};
  mpfr_t lo, hi;
  mpfr_inits2(53, lo, hi, (mpfr_ptr)0);
  attcert_status status = fill(&a, data, r, part);
  if (status == ATTCERT_OK) status = propose(u, &a, r, by_rows);
  if (status == ATTCERT_OK) status = progress_report(r->options, "norm of the jacobian", 0, r->err);
  if (status == ATTCERT_OK) status = matrix_norm(lo, hi, data, a.rows, a.cols, lipschitz_dense_error(r, part), r->err);
  if (status == ATTCERT_OK) *upper = mpfr_get_d(hi, MPFR_RNDU);
  mpfr_clears(lo, hi, (mpfr_ptr)0);
  free(data);
  return status;
}
