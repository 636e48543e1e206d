#include "kernel/layer/attention_layer_jacobian.h"

#ifdef __FRAMAC__
#include "layer_framing/jacobian_blocks_write_lemmas.acsl"

#include "layer_framing/jacobian_blocks_frame_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"
#endif

void attention_layer_block_row(double *rows, double *stack, const double *gradients, const attcert_layer *layer,
                               double *storage, int n, int i) {
  //@ ghost const int d = layer->dim;
  //@ assert sizes: 0 <= row(n, d) && 0 <= row(n, n) && 0 <= row(n, layer->head_dim) && 0 <= width(layer);
  //@ assert stacks: stacks_inside(layer->heads, layer->head_dim, d);
  //@ assert held: heads_gradients_held{Pre, Pre}(gradients, layer, n, storage);
  /*@ assert key_outside: stack_outside(layer, layer->key_weight, rows, row(layer->out_dim, row(n, d))) &&
                          stack_outside(layer, layer->key_weight, stack, row(width(layer), d)); */
  /*@ assert value_outside:
        \separated(rows + (0 .. row(layer->out_dim, row(n, d)) - 1),
          layer->value_weight + (0 .. row(width(layer), d) - 1)) &&
        \separated(stack + (0 .. row(width(layer), d) - 1), layer->value_weight + (0 .. row(width(layer), d) - 1)); */
  /*@ assert storage_outside:
        \separated(rows + (0 .. row(layer->out_dim, row(n, d)) - 1),
                   storage + (0 .. row(layer->heads, head_size(layer, n)) - 1)) &&
        \separated(stack + (0 .. row(width(layer), d) - 1),
          storage + (0 .. row(layer->heads, head_size(layer, n)) - 1)); */
  /*@ assert output_outside: layer->output_weight == \null ||
        (\separated(rows + (0 .. row(layer->out_dim, row(n, d)) - 1),
                    layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1)) &&
         \separated(stack + (0 .. row(width(layer), d) - 1),
                    layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1))); */
  /*@ loop invariant range: 0 <= l <= n;
      loop invariant done: jacobian_blocks_held{Pre, Here}(rows, row(n, d), layer, n, storage, i, l);
      loop assigns l, rows[0 .. row(layer->out_dim, row(n, d)) - 1], stack[0 .. row(width(layer), d) - 1];
      loop variant n - l; */
  for (int l = 0; l < n; l++) {
    //@ ghost Before:;
    //@ assert query_weight: entries_same{Pre, Before}(layer->query_weight, row(width(layer), d));
    //@ assert key_weight: entries_same{Pre, Before}(layer->key_weight, row(width(layer), d));
    //@ assert value_weight: entries_same{Pre, Before}(layer->value_weight, row(width(layer), d));
    /*@ assert output_weight: layer->output_weight == \null ||
          entries_same{Pre, Before}(layer->output_weight, row(layer->out_dim, width(layer))); */
    //@ assert storage: entries_same{Pre, Before}(storage, row(layer->heads, head_size(layer, n)));
    //@ assert sources: sources_same{Pre, Before}(layer, n, storage);
    //@ assert heads: all_heads_same{Pre, Before}(layer, n, storage);
    //@ assert same: heads_gradients_same{Pre, Before}(layer, n, storage);
    //@ assert blocks: blocks_same{Pre, Before}(layer, n, storage);
    //@ assert gradients: entries_same{Pre, Before}(gradients, row(layer->heads, 2 * row(n, d)));
    //@ assert held_pre: heads_gradients_held{Pre, Before}(gradients, layer, n, storage);
    //@ assert size: head_size{Pre}(layer, n) == head_size{Before}(layer, n);
    //@ assert held_now: heads_gradients_held{Before, Before}(gradients, layer, n, storage);
    attention_layer_block(stack, gradients, layer, storage, n, i, l);
    //@ ghost Stacked:;
    //@ assert stacked: stack_holds{Before, Stacked}(stack, layer, n, storage, i, l, layer->heads);
    //@ assert stack_query: entries_same{Before, Stacked}(layer->query_weight, row(width(layer), d));
    //@ assert stack_key: entries_same{Before, Stacked}(layer->key_weight, row(width(layer), d));
    //@ assert stack_value: entries_same{Before, Stacked}(layer->value_weight, row(width(layer), d));
    /*@ assert stack_output: layer->output_weight == \null ||
          entries_same{Before, Stacked}(layer->output_weight, row(layer->out_dim, width(layer))); */
    //@ assert stack_storage: entries_same{Before, Stacked}(storage, row(layer->heads, head_size(layer, n)));
    //@ assert stack_sources: sources_same{Before, Stacked}(layer, n, storage);
    //@ assert rows: range_same{Before, Stacked}(rows, 0, row(layer->out_dim, row(n, d)));
    attention_layer_place_block(rows, stack, layer, n, l);
    //@ assert placed: rows_placed{Stacked, Here}(rows, row(n, d), row(l, d), layer, stack, layer->out_dim);
    //@ assert current: jacobian_block_held{Before, Here}(rows, row(n, d), layer, n, storage, i, l);
    //@ assert jacobian: jacobian_same{Pre, Before}(layer, n, storage, i, l);
    //@ assert now: jacobian_block_held{Pre, Here}(rows, row(n, d), layer, n, storage, i, l);
    //@ assert before: before_same{Before, Here}(rows, row(n, d), row(l, d), layer->out_dim);
    //@ assert earlier: jacobian_blocks_held{Pre, Here}(rows, row(n, d), layer, n, storage, i, l);
  }
}
