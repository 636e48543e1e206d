/* The layer's Jacobian, block by block: J_il = W_O [J^1_il; ...; J^H_il]. */
#include "kernel/layer/attention.h"
#include "kernel/layer/attention_layer_jacobian.h"
#include "kernel/linear/block.h"
#include "kernel/linear/index.h"

#ifdef __FRAMAC__
#include "layer/head_size_lemmas.acsl"
#include "layer_framing/source_separation_lemmas.acsl"
#endif

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
  double *stack = scratch + gradients_room(state);
  //@ ghost const int n = state->n, d = layer->dim;
  //@ ghost double *storage = state->storage;
  //@ assert sizes: 0 <= row(layer->heads, 2 * row(n, d)) && 0 <= row(width(layer), d);
  //@ assert place: stack == scratch + row(layer->heads, 2 * row(n, d));
  //@ assert sources: sources_readable(layer, n, storage);
  //@ assert outside: sources_outside(layer, n, storage, jacobian, jacobian_size(state));
  //@ assert scratch_outside: sources_outside(layer, n, storage, scratch, jacobian_room(state));
  //@ assert gradients_outside: sources_outside(layer, n, storage, scratch, row(layer->heads, 2 * row(n, d)));
  //@ assert stack_outside: sources_outside(layer, n, storage, stack, row(width(layer), d));
  attention_layer_jacobian(jacobian, scratch, stack, layer, state->storage, state->n);
}
