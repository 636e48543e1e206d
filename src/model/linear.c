#include "model/linear.h"

#include "model/family/family.h"

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

attcert_status linear_read_stored(double *weight, double *bias, const tensor_source *source, const char *name, int out,
                                  int in, attcert_error *err) {
  if (!source->config->family->transposed) return linear_read(weight, bias, source, name, out, in, err);
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

/* gain := 1 + gain, without rounding: the norm multiplies by that number. */
static attcert_status add_one(double *gain, int dim, const char *tensor, attcert_error *err) {
  for (int c = 0; c < dim; c++) {
    const double stored = gain[c];
    gain[c] = 1.0 + stored;
    if (gain[c] - 1.0 != stored || gain[c] - stored != 1.0)
      return attcert_fail(err, ATTCERT_INPUT, "tensor '%s': 1 + entry %d, %g, is no double, expected one that is",
                          tensor, c, stored);
  }
  return ATTCERT_OK;
}

attcert_status linear_read_norm(double *gain, double *bias, int dim, const tensor_source *source, const char *name,
                                attcert_error *err) {
  char tensor[TENSOR_NAME_SIZE];
  tensor_name(tensor, name, "gamma");
  const bool old_names = tensor_source_stores(source, tensor);
  if (!old_names) tensor_name(tensor, name, "weight");
  attcert_status status = tensor_source_vector(gain, source, tensor, dim, err);
  if (status == ATTCERT_OK && source->config->family->gain_from_one) status = add_one(gain, dim, tensor, err);
  if (status != ATTCERT_OK || bias == NULL) return status;
  tensor_name(tensor, name, old_names ? "beta" : "bias");
  return tensor_source_vector(bias, source, tensor, dim, err);
}
