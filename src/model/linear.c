/* Affine maps: two storage layouts, one product (BLAS dgemm). */
#include "model/linear.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

/* NAME.bias, where one is asked for. */
static attcert_status read_bias(double *bias, const tensor_source *source, const char *name, int out,
                                attcert_error *err) {
  char tensor[TENSOR_NAME_SIZE];
  tensor_name(tensor, name, "bias");
  return bias != NULL ? tensor_source_vector(bias, source, tensor, out, err) : ATTCERT_OK;
}

attcert_status linear_read(double *weight, double *bias, const tensor_source *source, const char *name, int out, int in,
                           attcert_error *err) {
  char tensor[TENSOR_NAME_SIZE];
  tensor_name(tensor, name, "weight");
  const attcert_status status = tensor_source_matrix(weight, source, tensor, out, in, err);
  return status == ATTCERT_OK ? read_bias(bias, source, name, out, err) : status;
}

static void transpose(double *out, const double *a, size_t rows, size_t cols) {
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < cols; j++) out[j * rows + i] = a[i * cols + j];
  }
}

attcert_status linear_read_conv1d(double *weight, double *bias, const tensor_source *source, const char *name, int out,
                                  int in, attcert_error *err) {
  attcert_matrix stored;
  attcert_status status = attcert_matrix_init(&stored, in, out, err);
  if (status != ATTCERT_OK) return status;
  char tensor[TENSOR_NAME_SIZE];
  tensor_name(tensor, name, "weight");
  status = tensor_source_matrix(stored.data, source, tensor, in, out, err);
  if (status == ATTCERT_OK) transpose(weight, stored.data, (size_t)in, (size_t)out);
  attcert_matrix_clear(&stored);
  return status == ATTCERT_OK ? read_bias(bias, source, name, out, err) : status;
}

void linear_apply(double *y, const double *x, int n, const double *weight, const double *bias, int out, int in) {
  const size_t width = (size_t)out;
  for (size_t i = 0; bias != NULL && i < (size_t)n; i++) memcpy(y + i * width, bias, width * sizeof(double));
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, out, in, 1.0, x, in, weight, in, bias != NULL ? 1.0 : 0.0, y,
              out);
}

attcert_status linear_apply_stored(attcert_matrix *y, const attcert_matrix *x, const tensor_source *source,
                                   linear_reader *read, const char *name, attcert_error *err) {
  attcert_matrix weight = {0}, bias = {0};
  attcert_status status = attcert_matrix_init(&weight, y->cols, x->cols, err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(&bias, 1, y->cols, err);
  if (status == ATTCERT_OK) status = read(weight.data, bias.data, source, name, y->cols, x->cols, err);
  if (status == ATTCERT_OK) linear_apply(y->data, x->data, x->rows, weight.data, bias.data, y->cols, x->cols);
  attcert_matrix_clear(&weight);
  attcert_matrix_clear(&bias);
  return status;
}
