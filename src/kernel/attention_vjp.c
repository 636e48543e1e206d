#include "kernel/attention.h"
#include "kernel/block.h"
#include "kernel/index.h"
#include "kernel/output_projection.h"
#include "kernel/vector.h"

void attention_vjp(double *dx, const attention_state *state, const double *c, double *scratch) {
  const attcert_layer *layer = state->layer;
  const int vectors = row_offset(state->n, layer->head_dim, state->n);
  const size_t heads = (size_t)layer->heads;
  double *concatenation = scratch, *c_head = concatenation + block_offset(heads, (size_t)vectors, heads);
  output_project_transposed(concatenation, layer, c, state->n);
  vector_zero(dx, row_offset(state->n, layer->dim, state->n));
  for (int h = 0; h < layer->heads; h++) {
    const attention_head head = attention_state_head(state, h);
    heads_split(c_head, concatenation, layer, h, state->n);
    attention_head_vjp_add(dx, &head, c_head, c_head + vectors);
  }
}
