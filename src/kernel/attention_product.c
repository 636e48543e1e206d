#include "kernel/attention.h"
#include "kernel/index.h"
#include "kernel/output_projection.h"
#include "kernel/vector.h"

/* Scratch: the heads side by side (n x H k), one head alone (n x k), that head's own scratch. */
static size_t head_vectors(const attention_state *state) {
  return (size_t)state->n * (size_t)state->layer->head_dim;
}

size_t attention_product_scratch(const attention_state *state) {
  const attention_head head = attention_state_head(state, 0);
  return ((size_t)state->layer->heads + 1) * head_vectors(state) + attention_head_product_scratch(&head);
}

void attention_jvp(double *dy, const attention_state *state, const double *dx, double *scratch) {
  const attcert_layer *layer = state->layer;
  double *concatenation = scratch, *dy_head = concatenation + (size_t)layer->heads * head_vectors(state);
  for (int h = 0; h < layer->heads; h++) {
    const attention_head head = attention_state_head(state, h);
    attention_head_jvp(dy_head, &head, dx, dy_head + head_vectors(state));
    heads_join(concatenation, dy_head, layer, h, state->n);
  }
  output_project(dy, layer, NULL, concatenation, state->n);
}

void attention_vjp(double *dx, const attention_state *state, const double *c, double *scratch) {
  const attcert_layer *layer = state->layer;
  double *concatenation = scratch, *c_head = concatenation + (size_t)layer->heads * head_vectors(state);
  output_project_transposed(concatenation, layer, c, state->n);
  vector_zero(dx, row_offset(state->n, layer->dim, state->n));
  for (int h = 0; h < layer->heads; h++) {
    const attention_head head = attention_state_head(state, h);
    heads_split(c_head, concatenation, layer, h, state->n);
    attention_head_vjp_add(dx, &head, c_head, c_head + head_vectors(state));
  }
}
