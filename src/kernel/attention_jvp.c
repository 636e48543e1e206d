#include "kernel/attention.h"
#include "kernel/block.h"
#include "kernel/index.h"
#include "kernel/output_projection.h"

void attention_jvp(double *dy, const attention_state *state, const double *dx, double *scratch) {
  const attcert_layer *layer = state->layer;
  const int vectors = row_offset(state->n, layer->head_dim, state->n);
  const size_t heads = (size_t)layer->heads;
  double *concatenation = scratch, *dy_head = concatenation + block_offset(heads, (size_t)vectors, heads);
  for (int h = 0; h < layer->heads; h++) {
    const attention_head head = attention_state_head(state, h);
    attention_head_jvp(dy_head, &head, dx, dy_head + vectors);
    heads_join(concatenation, dy_head, layer, h, state->n);
  }
  output_project(dy, layer, NULL, concatenation, state->n);
}
