#include "kernel/attention.h"
#include "kernel/index.h"
#include "kernel/output_projection.h"

size_t attention_forward_scratch(const attcert_layer *layer, int n) {
  const int width = row_offset(layer->heads, layer->head_dim, layer->heads);
  return attention_head_size(layer, n) + (size_t)row_offset(n, width, n);
}

void attention_forward(double *out, const attcert_layer *layer, const double *x, int n, double *scratch) {
  double *concatenation = scratch + attention_head_size(layer, n);
  for (int h = 0; h < layer->heads; h++) { /* one head's storage serves all heads in turn */
    attention_layer_head(scratch, layer, h, x, n);
    heads_join(concatenation, attention_head_view(layer, h, n, scratch).output, layer, h, n);
  }
  output_project(out, layer, layer->output_bias, concatenation, n);
}
