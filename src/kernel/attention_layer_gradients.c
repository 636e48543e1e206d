#include "kernel/attention_layer_jacobian.h"
#include "kernel/block.h"
#include "kernel/index.h"

#ifdef __FRAMAC__
#include "head_size.acsl"
#include "layer_jacobian_same.acsl"
#include "layer_outside.acsl"
#include "row_of_rows.acsl"
#endif

void attention_layer_gradients(double *gradients, const attcert_layer *layer, double *storage, int n) {
  const int rows = row_offset(n, layer->dim, n);
  const size_t heads = (size_t)layer->heads;
  /*@ loop invariant range: 0 <= h <= layer->heads;
      loop invariant done: \forall integer q; 0 <= q < h ==>
        gradients_held{Pre, Here}(gradients + row(q, 2 * row(n, layer->dim)),
                                  gradients + row(q, 2 * row(n, layer->dim)) + row(n, layer->dim), layer, n,
                                  storage + row(q, head_size(layer, n)), q);
      loop assigns h, gradients[0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1];
      loop variant layer->heads - h; */
  for (int h = 0; h < layer->heads; h++) {
    double *place = gradients + block_offset((size_t)h, 2 * (size_t)rows, heads);
    double *arrays = storage + block_offset((size_t)h, attention_head_size(layer, n), heads);
    //@ ghost Before:;
    //@ assert sizes: 0 <= row(n, layer->head_dim) && 0 <= row(n, n) && 0 <= row(n, layer->dim);
    /*@ assert place: 0 <= row(h, 2 * row(n, layer->dim)) &&
          row(h, 2 * row(n, layer->dim)) + 2 * row(n, layer->dim) <= row(layer->heads, 2 * row(n, layer->dim)); */
    /*@ assert arrays: 0 <= row(h, head_size(layer, n)) &&
          row(h, head_size(layer, n)) + head_size(layer, n) <= row(layer->heads, head_size(layer, n)); */
    /*@ assert stack: 0 <= row(row(h, layer->head_dim), layer->dim) &&
          row(row(h, layer->head_dim), layer->dim) + row(layer->head_dim, layer->dim) <= row(width(layer), layer->dim); */
    //@ assert query_weight: entries_same{Pre, Before}(layer->query_weight, row(width(layer), layer->dim));
    //@ assert key_weight: entries_same{Pre, Before}(layer->key_weight, row(width(layer), layer->dim));
    //@ assert value_weight: entries_same{Pre, Before}(layer->value_weight, row(width(layer), layer->dim));
    /*@ assert output_weight: layer->output_weight == \null ||
          entries_same{Pre, Before}(layer->output_weight, row(layer->out_dim, width(layer))); */
    //@ assert storage: entries_same{Pre, Before}(storage, row(layer->heads, head_size(layer, n)));
    //@ assert sources: sources_same{Pre, Before}(layer, n, storage);
    //@ assert head_sources: head_sources_same{Pre, Before}(layer, n, arrays, h);
    //@ assert outside: heads_outside(layer, gradients, row(layer->heads, 2 * row(n, layer->dim)));
    //@ assert g_outside: heads_outside(layer, place, row(n, layer->dim));
    //@ assert hs_outside: heads_outside(layer, place + row(n, layer->dim), row(n, layer->dim));
    attention_layer_head_gradients(place, place + rows, layer, arrays, n, h);
    //@ assert now: gradients_held{Before, Here}(place, place + row(n, layer->dim), layer, n, arrays, h);
    //@ assert current: gradients_held{Pre, Here}(place, place + row(n, layer->dim), layer, n, arrays, h);
    /*@ assert apart: \forall integer q; 0 <= q < h ==> 0 <= row(q, 2 * row(n, layer->dim)) &&
          row(q, 2 * row(n, layer->dim)) + 2 * row(n, layer->dim) <= row(h, 2 * row(n, layer->dim)); */
    //@ assert lower: entries_same{Before, Here}(gradients, row(h, 2 * row(n, layer->dim)));
    /*@ assert kept_g: \forall integer q; 0 <= q < h ==>
          entries_same{Before, Here}(gradients + row(q, 2 * row(n, layer->dim)), row(n, layer->dim)); */
    /*@ assert kept_hs: \forall integer q; 0 <= q < h ==>
          entries_same{Before, Here}(gradients + row(q, 2 * row(n, layer->dim)) + row(n, layer->dim),
                                     row(n, layer->dim)); */
    /*@ assert earlier: \forall integer q; 0 <= q < h ==>
          gradients_held{Pre, Here}(gradients + row(q, 2 * row(n, layer->dim)),
                                    gradients + row(q, 2 * row(n, layer->dim)) + row(n, layer->dim), layer, n,
                                    storage + row(q, head_size(layer, n)), q); */
  }
}
