#include "kernel/attention.h"

size_t attention_state_size(const attcert_layer *layer, int n) {
  return (size_t)layer->heads * attention_head_size(layer, n);
}

attention_head attention_state_head(const attention_state *state, int h) {
  double *storage = state->storage + (size_t)h * attention_head_size(state->layer, state->n);
  return attention_head_view(state->layer, h, state->n, storage);
}

void attention_state_init(attention_state *state, const attcert_layer *layer, const double *x, int n, double *storage) {
  *state = (attention_state){.layer = layer, .n = n, .storage = storage};
  for (int h = 0; h < layer->heads; h++) {
    const attention_head head = attention_state_head(state, h);
    attention_head_forward(&head, x);
  }
}
