#include "kernel/attention.h"
#include "kernel/output_projection.h"

size_t attention_forward_scratch(const attcert_layer *layer, int n) {
  return attention_head_size(layer, n) + (size_t)n * (size_t)layer->heads * (size_t)layer->head_dim;
}

void attention_forward(double *out, const attcert_layer *layer, const double *x, int n, double *scratch) {
  double *concatenation = scratch + attention_head_size(layer, n);
  for (int h = 0; h < layer->heads; h++) { /* one head's storage serves all heads in turn */
    const attention_head head = attention_head_view(layer, h, n, scratch);
    attention_head_forward(&head, x);
    heads_join(concatenation, head.output, layer, h, n);
  }
  output_project(out, layer, layer->output_bias, concatenation, n);
}
