#include "kernel/attention.h"
#include "kernel/block.h"

size_t attention_state_size(const attcert_layer *layer, int n) {
  const size_t heads = (size_t)layer->heads;
  return block_offset(heads, attention_head_size(layer, n), heads);
}

/* Where the arrays of head h begin. */
/*@ requires valid: state_sides(state) && 0 <= h < state->layer->heads;
    terminates \true;
    assigns \result \from *state, *state->layer, h;
    ensures result: \result == state->storage + row(h, head_size(state->layer, state->n)); */
static double *head_storage(const attention_state *state, int h) {
  return state->storage +
         block_offset((size_t)h, attention_head_size(state->layer, state->n), (size_t)state->layer->heads);
}

attention_head attention_state_head(const attention_state *state, int h) {
  return attention_head_view(state->layer, h, state->n, head_storage(state, h));
}

void attention_state_init(attention_state *state, const attcert_layer *layer, const double *x, int n, double *storage) {
  *state = (attention_state){.layer = layer, .n = n, .storage = storage};
  /*@ loop invariant range: 0 <= h <= layer->heads;
      loop invariant evaluated: \forall attention_head v, integer q; 0 <= q < h ==>
        is_view(v, layer, q, n, storage + row(q, head_size(layer, n))) ==> head_evaluated{Pre, Here}(layer, x, n, q, v);
      loop assigns h, storage[0 .. row(layer->heads, head_size(layer, n)) - 1];
      loop variant layer->heads - h; */
  for (int h = 0; h < layer->heads; h++) attention_layer_head(head_storage(state, h), layer, h, x, n);
}
