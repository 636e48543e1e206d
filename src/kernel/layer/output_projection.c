#include "kernel/layer/output_projection.h"

#include "kernel/linear/columns.h"
#include "kernel/linear/index.h"
#include "kernel/linear/matrix.h"
#include "kernel/linear/vector.h"

void heads_join(double *concatenation, const double *y, const attcert_layer *layer, int h, int n) {
  const int k = layer->head_dim, width = row_offset(layer->heads, k, layer->heads);
  columns_put(concatenation, width, row_offset(h, k, layer->heads), y, n, k);
}

void heads_split(double *y, const double *concatenation, const attcert_layer *layer, int h, int n) {
  const int k = layer->head_dim, width = row_offset(layer->heads, k, layer->heads);
  columns_take(y, concatenation, width, row_offset(h, k, layer->heads), n, k);
}

void output_project(double *out, const attcert_layer *layer, const double *bias, const double *concatenation, int n) {
  const int width = row_offset(layer->heads, layer->head_dim, layer->heads);
  if (layer->output_weight == NULL)
    vector_copy(out, concatenation, row_offset(n, width, n));
  else
    affine_rows(out, layer->output_weight, bias, concatenation, n, layer->out_dim, width);
}

void output_project_transposed(double *concatenation, const attcert_layer *layer, const double *c, int n) {
  const int width = row_offset(layer->heads, layer->head_dim, layer->heads);
  if (layer->output_weight == NULL)
    vector_copy(concatenation, c, row_offset(n, width, n));
  else
    vector_matrix_rows(concatenation, c, layer->output_weight, n, layer->out_dim, width);
}
