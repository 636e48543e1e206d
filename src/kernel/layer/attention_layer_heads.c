#include "kernel/layer/attention_layer_heads.h"
#include "kernel/linear/block.h"

#ifdef __FRAMAC__
#include "layer/head_size_lemmas.acsl"
#include "layer_framing/layer_forward_frame_lemmas.acsl"
#include "layer_framing/layer_separation_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"
#endif

void attention_layer_heads(double *storage, const attcert_layer *layer, const double *x, int n) {
  /*@ loop invariant range: 0 <= h <= layer->heads;
      loop invariant evaluated: \forall attention_head v, integer q; 0 <= q < h ==>
        is_view(v, layer, q, n, storage + row(q, head_size(layer, n))) ==> head_evaluated{Pre, Here}(layer, x, n, q, v);
      loop assigns h, storage[0 .. row(layer->heads, head_size(layer, n)) - 1];
      loop variant layer->heads - h; */
  for (int h = 0; h < layer->heads; h++) {
    double *place = storage + block_offset((size_t)h, attention_head_size(layer, n), (size_t)layer->heads);
    //@ ghost Before:;
    /*@ assert blocks: \forall integer q; 0 <= q < layer->heads ==>
          0 <= row(q, head_size(layer, n)) &&
          row(q, head_size(layer, n)) + head_size(layer, n) <= row(layer->heads, head_size(layer, n)); */
    //@ assert dims: layer_dims_inside(layer);
    //@ assert query_weight: entries_same{Pre, Before}(layer->query_weight, row(width(layer), layer->dim));
    //@ assert key_weight: entries_same{Pre, Before}(layer->key_weight, row(width(layer), layer->dim));
    //@ assert value_weight: entries_same{Pre, Before}(layer->value_weight, row(width(layer), layer->dim));
    //@ assert bias_outside: biases_outside(layer, layer->query_bias, storage, row(layer->heads, head_size(layer, n)));
    //@ assert query_bias: biases_same{Pre, Before}(layer->query_bias, width(layer));
    //@ assert key_bias: biases_same{Pre, Before}(layer->key_bias, width(layer));
    //@ assert value_bias: biases_same{Pre, Before}(layer->value_bias, width(layer));
    //@ assert weights: heads_same{Pre, Before}(layer);
    //@ assert input: entries_same{Pre, Before}(x, row(n, layer->dim));
    //@ assert inputs: projections_same{Pre, Before}(layer, x, n, h);
    //@ assert outside: heads_outside(layer, place, head_size(layer, n));
    /*@ assert agree: \forall attention_head v; is_view(v, layer, h, n, place) ==>
          heads_agree{Pre, Before}(layer, x, n, h, v); */
    attention_layer_head(place, layer, h, x, n);
    /*@ assert now: \forall attention_head v; is_view(v, layer, h, n, place) ==>
          head_evaluated{Before, Here}(layer, x, n, h, v); */
    /*@ assert current: \forall attention_head v; is_view(v, layer, h, n, place) ==>
          head_evaluated{Pre, Here}(layer, x, n, h, v); */
    /*@ assert apart: \forall integer q; 0 <= q < h ==>
          row(q, head_size(layer, n)) + head_size(layer, n) <= row(h, head_size(layer, n)); */
    //@ assert lower: entries_same{Before, Here}(storage, row(h, head_size(layer, n)));
    /*@ assert kept: \forall integer q; 0 <= q < h ==>
          entries_same{Before, Here}(storage + row(q, head_size(layer, n)), head_size(layer, n)); */
    //@ assert arrays: 0 <= row(n, layer->head_dim) && 0 <= row(n, n);
    /*@ assert same: \forall attention_head v, integer q; 0 <= q < h ==>
          is_view(v, layer, q, n, storage + row(q, head_size(layer, n))) ==> head_arrays_same{Before, Here}(n, v); */
    /*@ assert earlier: \forall attention_head v, integer q; 0 <= q < h ==>
          is_view(v, layer, q, n, storage + row(q, head_size(layer, n))) ==>
            head_evaluated{Pre, Here}(layer, x, n, q, v); */
  }
}
