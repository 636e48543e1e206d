#include "kernel/attention_layer_jacobian.h"
#include "kernel/block.h"
#include "kernel/index.h"

#ifdef __FRAMAC__
#include "head_size.acsl"
#include "layer_jacobian_same.acsl"
#include "layer_outside.acsl"
#include "row_of_rows.acsl"
#include "row_plus.acsl"
#endif

void attention_layer_block(double *stack, const double *gradients, const attcert_layer *layer, double *storage, int n,
                           int i, int l) {
  const int k = layer->head_dim, width = row_offset(layer->heads, k, layer->heads);
  const int rows = row_offset(n, layer->dim, n);
  const size_t heads = (size_t)layer->heads;
  /*@ loop invariant range: 0 <= h <= layer->heads;
      loop invariant done: stack_holds{Pre, Here}(stack, layer, n, storage, i, l, h);
      loop assigns h, stack[0 .. row(width(layer), layer->dim) - 1];
      loop variant layer->heads - h; */
  for (int h = 0; h < layer->heads; h++) {
    double *arrays = storage + block_offset((size_t)h, attention_head_size(layer, n), heads);
    double *block = stack + row_offset(row_offset(h, k, layer->heads), layer->dim, width);
    const double *g = gradients + block_offset((size_t)h, 2 * (size_t)rows, heads);
    //@ ghost Before:;
    //@ assert sizes: 0 <= row(n, layer->head_dim) && 0 <= row(n, n) && 0 <= row(n, layer->dim);
    /*@ assert rows: 0 <= row(h, 2 * row(n, layer->dim)) &&
          row(h, 2 * row(n, layer->dim)) + 2 * row(n, layer->dim) <= row(layer->heads, 2 * row(n, layer->dim)); */
    /*@ assert arrays: 0 <= row(h, head_size(layer, n)) &&
          row(h, head_size(layer, n)) + head_size(layer, n) <= row(layer->heads, head_size(layer, n)); */
    /*@ assert place: 0 <= row(row(h, layer->head_dim), layer->dim) &&
          row(row(h, layer->head_dim), layer->dim) + row(layer->head_dim, layer->dim) <= row(width(layer), layer->dim); */
    //@ assert query_weight: entries_same{Pre, Before}(layer->query_weight, row(width(layer), layer->dim));
    //@ assert key_weight: entries_same{Pre, Before}(layer->key_weight, row(width(layer), layer->dim));
    //@ assert value_weight: entries_same{Pre, Before}(layer->value_weight, row(width(layer), layer->dim));
    /*@ assert output_weight: layer->output_weight == \null ||
          entries_same{Pre, Before}(layer->output_weight, row(layer->out_dim, width(layer))); */
    //@ assert storage: entries_same{Pre, Before}(storage, row(layer->heads, head_size(layer, n)));
    //@ assert gradients: entries_same{Pre, Before}(gradients, row(layer->heads, 2 * row(n, layer->dim)));
    //@ assert sources: sources_same{Pre, Before}(layer, n, storage);
    //@ assert head_sources: head_sources_same{Pre, Before}(layer, n, arrays, h);
    //@ assert head_sources_back: head_sources_same{Before, Pre}(layer, n, arrays, h);
    //@ assert g: entries_same{Pre, Before}(g, row(n, layer->dim));
    //@ assert hs: entries_same{Pre, Before}(g + row(n, layer->dim), row(n, layer->dim));
    //@ assert kept_gradients: gradients_held{Pre, Before}(g, g + row(n, layer->dim), layer, n, arrays, h);
    //@ assert held_gradients: gradients_held{Before, Before}(g, g + row(n, layer->dim), layer, n, arrays, h);
    //@ assert outside: heads_outside(layer, stack, row(width(layer), layer->dim));
    //@ assert block_outside: heads_outside(layer, block, row(layer->head_dim, layer->dim));
    attention_layer_head_block(block, g, g + rows, layer, arrays, n, h, i, l);
    /*@ assert now: \forall integer r, c; 0 <= r < layer->head_dim ==> 0 <= c < layer->dim ==>
          block[row(r, layer->dim) + c] == layer_block_entry{Before}(layer, n, arrays, h, i, l, r, c); */
    /*@ assert current: \forall integer r, c; 0 <= r < layer->head_dim ==> 0 <= c < layer->dim ==>
          block[row(r, layer->dim) + c] == layer_block_entry{Pre}(layer, n, arrays, h, i, l, r, c); */
    /*@ assert apart: \forall integer q, r, c; 0 <= q < h ==> 0 <= r < layer->head_dim ==> 0 <= c < layer->dim ==>
          0 <= row(row(q, layer->head_dim) + r, layer->dim) + c < row(row(h, layer->head_dim), layer->dim); */
    //@ assert lower: entries_same{Before, Here}(stack, row(row(h, layer->head_dim), layer->dim));
    //@ assert earlier: stack_holds{Pre, Here}(stack, layer, n, storage, i, l, h);
  }
}
