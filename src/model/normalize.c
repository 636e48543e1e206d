/* Reads gamma and beta, applies the kernel's LayerNorm in place. */
#include "model/normalize.h"

#include "kernel/layernorm/layernorm.h"

attcert_status normalize_read(double *gamma, double *beta, int dim, const tensor_source *source, const char *name,
                              attcert_error *err) {
  char tensor[TENSOR_NAME_SIZE];
  tensor_name(tensor, name, "gamma");
  const bool old_names = tensor_source_stores(source, tensor);
  if (!old_names) tensor_name(tensor, name, "weight");
  const attcert_status status = tensor_source_vector(gamma, source, tensor, dim, err);
  if (status != ATTCERT_OK) return status;
  tensor_name(tensor, name, old_names ? "beta" : "bias");
  return tensor_source_vector(beta, source, tensor, dim, err);
}

attcert_status normalize_rows(attcert_matrix *x, const tensor_source *source, const char *name, attcert_error *err) {
  attcert_matrix affine; /* row 0: gamma, row 1: beta */
  attcert_status status = attcert_matrix_init(&affine, 2, x->cols, err);
  if (status != ATTCERT_OK) return status;
  double *const gamma = affine.data, *const beta = affine.data + x->cols;
  status = normalize_read(gamma, beta, x->cols, source, name, err);
  if (status == ATTCERT_OK) layernorm_rows(x->data, x->data, x->rows, x->cols, gamma, beta, source->config->epsilon);
  attcert_matrix_clear(&affine);
  return status;
}
