#include "kernel/layer/attention.h"
#include "kernel/layer/attention_layer_heads.h"
#include "kernel/linear/block.h"

#ifdef __FRAMAC__
#include "layer/head_size_lemmas.acsl"
#include "layer_framing/layer_forward_frame_lemmas.acsl"
#endif

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
  attention_layer_heads(storage, layer, x, n);
  //@ ghost Evaluated:;
  *state = (attention_state){.layer = layer, .n = n, .storage = storage};
  /*@ assert sizes: layer->dim == \at(layer->dim, Evaluated) && layer->heads == \at(layer->heads, Evaluated) &&
                    layer->head_dim == \at(layer->head_dim, Evaluated) && layer->mask == \at(layer->mask, Evaluated); */
  /*@ assert weights: layer->query_weight == \at(layer->query_weight, Evaluated) &&
                      layer->key_weight == \at(layer->key_weight, Evaluated) &&
                      layer->value_weight == \at(layer->value_weight, Evaluated); */
  /*@ assert biases: layer->query_bias == \at(layer->query_bias, Evaluated) &&
                     layer->key_bias == \at(layer->key_bias, Evaluated) &&
                     layer->value_bias == \at(layer->value_bias, Evaluated); */
  //@ assert layer: layer_same{Evaluated, Here}(layer);
  //@ assert size: head_size(layer, n) == head_size{Evaluated}(layer, n);
}
