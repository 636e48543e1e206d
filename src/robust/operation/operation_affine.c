/* y = W x + b acts on center and linear part alone: no remainder. Entry c misses by
 *   sum_a |W_ca| radius_a                                    what x missed
 * + gamma_{m+2} sum_a |W_ca| (magnitude_a + |center_a|)      roundings of the products, m entries each
 * + gamma_{m+2} |b_c|                                        the bias is one more summand */
#include "base/arrays.h"
#include "linalg/rounding.h"
#include "robust/operation/operation.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

/* out (n x out_cols) = terms (n x in_cols) |W|^T, where a term is what one entry of x adds to a radius. */
static attcert_status map_radius(form *out, const form *in, const double *weight, attcert_error *err) {
  const size_t rows = (size_t)in->rows, m = (size_t)in->cols, width = (size_t)out->cols;
  const double gamma = gamma_upper((double)m + 2.0);
  double *absolute, *term;
  const array_table table = {{ARRAY(absolute, width, m), ARRAY(term, rows, m)}};
  const attcert_status status = array_table_allocate(&table, err, "an affine map of %zu x %zu", width, m);
  if (status != ATTCERT_OK) return status;
  for (size_t i = 0; i < width * m; i++) absolute[i] = fabs(weight[i]);
  for (size_t i = 0; i < rows * m; i++)
    term[i] = in->radius[i] + gamma * (in->support[i].magnitude + fabs(in->center[i]));
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, in->rows, out->cols, in->cols, 1.0, term, in->cols, absolute,
              in->cols, 0.0, out->radius, out->cols);
  array_table_release(&table);
  return ATTCERT_OK;
}

static void finish_radius(form *out, int m, const double *bias) {
  const size_t width = (size_t)out->cols;
  const double gamma = gamma_upper((double)m + 2.0);
  for (size_t i = 0; i < (size_t)out->rows * width; i++) {
    const double shift = bias != NULL ? gamma * fabs(bias[i % width]) : 0.0;
    out->radius[i] = round_up_nonnegative(out->radius[i] + shift + UNDERFLOW_ALLOWANCE, (double)m + 8.0);
  }
}

attcert_status operation_affine(form *out, const form *in, const double *weight, const double *bias, int out_cols,
                                const form_symbols *symbols, attcert_error *err) {
  const size_t width = (size_t)out_cols;
  attcert_status status = form_init(out, in->rows, out_cols, err);
  if (status == ATTCERT_OK) status = map_radius(out, in, weight, err);
  if (status != ATTCERT_OK) return status;
  finish_radius(out, in->cols, bias);
  for (int i = 0; bias != NULL && i < in->rows; i++)
    memcpy(out->center + (size_t)i * width, bias, width * sizeof *bias);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, in->rows, out_cols, in->cols, 1.0, in->center, in->cols, weight,
              in->cols, 1.0, out->center, out_cols);
  for (int i = 0; i < in->rows && status == ATTCERT_OK; i++) {
    const form_layout *const layout = &in->row[i].layout;
    const int columns = form_layout_columns(layout);
    out->row[i].token = in->row[i].token;
    status = operation_row_layout(out, i, &layout, 1, NULL, 0, symbols, err);
    if (status == ATTCERT_OK && columns > 0)
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, out_cols, columns, in->cols, 1.0, weight, in->cols,
                  in->row[i].linear, columns, 0.0, out->row[i].linear, columns);
  }
  return status;
}
