/* The layer's Jacobian, block by block: J_il = W_O [J^1_il; ...; J^H_il]. */
#include "kernel/attention.h"
#include "kernel/attention_layer_jacobian.h"
#include "kernel/block.h"
#include "kernel/index.h"

/* Doubles for the rows g_i and h_j of every head. */
/*@ requires valid: state_sides(state);
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(state->layer->heads, 2 * row(state->n, state->layer->dim)); */
static size_t gradients_room(const attention_state *state) {
  const size_t heads = (size_t)state->layer->heads;
  return block_offset(heads, 2 * (size_t)row_offset(state->n, state->layer->dim, state->n), heads);
}

/* Scratch: g and h of every head, then the stacked blocks of all heads, (H k) x d. */
size_t attention_jacobian_scratch(const attention_state *state) {
  const attcert_layer *layer = state->layer;
  const int width = row_offset(layer->heads, layer->head_dim, layer->heads);
  return gradients_room(state) + (size_t)row_offset(width, layer->dim, width);
}

void attention_jacobian(double *jacobian, const attention_state *state, double *scratch) {
  const attcert_layer *layer = state->layer;
  const int n = state->n, outputs = row_offset(n, layer->out_dim, n), columns = row_offset(n, layer->dim, n);
  double *gradients = scratch, *stack = gradients + gradients_room(state);
  attention_layer_gradients(gradients, layer, state->storage, n);
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant done: \forall integer q, o, l, c; 0 <= q < i ==> 0 <= o < layer->out_dim ==> 0 <= l < n ==>
        0 <= c < layer->dim ==>
        is_layer_jacobian{Pre}(jacobian[row(row(q, layer->out_dim) + o, row(n, layer->dim)) + (row(l, layer->dim) + c)],
                               layer, n, state->storage, q, o, l, c);
      loop assigns i, jacobian[0 .. row(row(n, layer->out_dim), row(n, layer->dim)) - 1],
                   stack[0 .. row(width(layer), layer->dim) - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    const size_t first = (size_t)row_offset(i, layer->out_dim, n);
    attention_layer_block_row(jacobian + block_offset(first, (size_t)columns, (size_t)outputs), stack, gradients, layer,
                              state->storage, n, i);
  }
}
