/* The layer's Jacobian, block by block: J_il = W_O [J^1_il; ...; J^H_il]. */
#include "kernel/attention.h"
#include "kernel/index.h"
#include "kernel/matrix.h"
#include "kernel/vector.h"

/* Scratch: g and h of every head, then the stacked blocks of all heads, (H k) x d. */
static size_t gradient_size(const attention_state *state) {
  return (size_t)state->n * (size_t)state->layer->dim;
}

static double *gradients(double *scratch, const attention_state *state, int h) {
  return scratch + 2 * (size_t)h * gradient_size(state);
}

size_t attention_jacobian_scratch(const attention_state *state) {
  const size_t rows = (size_t)state->layer->heads * (size_t)state->layer->head_dim;
  return 2 * (size_t)state->layer->heads * gradient_size(state) + rows * (size_t)state->layer->dim;
}

/* Block (i, l) of the Jacobian is `stack` times W_O, row by row: the rows of J are n d apart. */
static void place_block(double *jacobian, const attention_state *state, const double *stack, int i, int l) {
  const attcert_layer *layer = state->layer;
  const int d = layer->dim, width = row_offset(layer->heads, layer->head_dim, layer->heads);
  const size_t columns = (size_t)state->n * (size_t)d;
  double *row = jacobian + (size_t)i * (size_t)layer->out_dim * columns + (size_t)l * (size_t)d;
  for (int r = 0; r < layer->out_dim; r++, row += columns) {
    if (layer->output_weight == NULL)
      vector_copy(row, stack + row_offset(r, d, width), d);
    else
      vector_matrix(row, layer->output_weight + row_offset(r, width, layer->out_dim), stack, width, d);
  }
}

void attention_jacobian(double *jacobian, const attention_state *state, double *scratch) {
  const attcert_layer *layer = state->layer;
  const int n = state->n, d = layer->dim, k = layer->head_dim, heads = layer->heads;
  double *stack = gradients(scratch, state, heads);
  for (int h = 0; h < heads; h++) {
    const attention_head head = attention_state_head(state, h);
    double *g = gradients(scratch, state, h);
    attention_head_gradients(g, g + gradient_size(state), &head);
  }
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < n; l++) {
      for (int h = 0; h < heads; h++) {
        const attention_head head = attention_state_head(state, h);
        const double *g = gradients(scratch, state, h);
        double *block = stack + row_offset(row_offset(h, k, heads), d, row_offset(heads, k, heads));
        attention_head_jacobian_block(block, &head, g, g + gradient_size(state), i, l);
      }
      place_block(jacobian, state, stack, i, l);
    }
  }
}
