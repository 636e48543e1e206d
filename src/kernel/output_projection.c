#include "kernel/output_projection.h"

#include "kernel/index.h"
#include "kernel/matrix.h"
#include "kernel/vector.h"

void heads_join(double *concatenation, const double *y, const attcert_layer *layer, int h, int n) {
  const int k = layer->head_dim, width = row_offset(layer->heads, k, layer->heads),
            first = row_offset(h, k, layer->heads);
  for (int i = 0; i < n; i++) vector_copy(concatenation + row_offset(i, width, n) + first, y + row_offset(i, k, n), k);
}

void heads_split(double *y, const double *concatenation, const attcert_layer *layer, int h, int n) {
  const int k = layer->head_dim, width = row_offset(layer->heads, k, layer->heads),
            first = row_offset(h, k, layer->heads);
  for (int i = 0; i < n; i++) vector_copy(y + row_offset(i, k, n), concatenation + row_offset(i, width, n) + first, k);
}

void output_project(double *out, const attcert_layer *layer, const double *bias, const double *concatenation, int n) {
  const int width = row_offset(layer->heads, layer->head_dim, layer->heads);
  if (layer->output_weight == NULL)
    vector_copy(out, concatenation, row_offset(n, width, n));
  else
    affine_rows(out, layer->output_weight, bias, concatenation, n, layer->out_dim, width);
}

void output_project_transposed(double *concatenation, const attcert_layer *layer, const double *c, int n) {
  const int width = row_offset(layer->heads, layer->head_dim, layer->heads), out_dim = layer->out_dim;
  if (layer->output_weight == NULL) {
    vector_copy(concatenation, c, row_offset(n, width, n));
    return;
  }
  for (int i = 0; i < n; i++)
    vector_matrix(concatenation + row_offset(i, width, n), c + row_offset(i, out_dim, n), layer->output_weight, out_dim,
                  width);
}
