/* All rows of blocks of a layer's Jacobian, one below the other. */
#include "kernel/layer/attention_layer_jacobian.h"
#include "kernel/linear/block.h"
#include "kernel/linear/index.h"

#ifdef __FRAMAC__
#include "layer_framing/jacobian_blocks_frame_lemmas.acsl"
#include "layer_framing/jacobian_rows_frame_lemmas.acsl"
#include "layer_framing/source_separation_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"
#endif

/* All rows of blocks from the rows g_i and h_j of every head; the stack is scratch (H k x d). */
/*@ requires sources: sources_readable(layer, n, storage);
    requires room: \valid(jacobian + (0 .. row(row(n, layer->out_dim), row(n, layer->dim)) - 1)) &&
                   \valid(stack + (0 .. row(width(layer), layer->dim) - 1));
    requires readable: \valid_read(gradients + (0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1));
    requires outside: sources_outside(layer, n, storage, jacobian, row(row(n, layer->out_dim), row(n, layer->dim))) &&
                      sources_outside(layer, n, storage, stack, row(width(layer), layer->dim));
    requires stack_outside: \separated(jacobian + (0 .. row(row(n, layer->out_dim), row(n, layer->dim)) - 1),
                                       stack + (0 .. row(width(layer), layer->dim) - 1));
    requires gradients_outside: \separated(jacobian + (0 .. row(row(n, layer->out_dim), row(n, layer->dim)) - 1),
                                           gradients + (0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1)) &&
                                \separated(stack + (0 .. row(width(layer), layer->dim) - 1),
                                           gradients + (0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1));
    requires gradients: heads_gradients_held{Pre, Pre}(gradients, layer, n, storage);
    terminates \true;
    assigns jacobian[0 .. row(row(n, layer->out_dim), row(n, layer->dim)) - 1],
            stack[0 .. row(width(layer), layer->dim) - 1];
    ensures held: jacobian_rows_held{Pre, Post}(jacobian, row(n, layer->dim), layer, n, storage, n); */
static void fill_rows(double *jacobian, double *stack, const double *gradients, const attcert_layer *layer,
                      double *storage, int n) {
  const int d = layer->dim, m = layer->out_dim, outputs = row_offset(n, m, n), columns = row_offset(n, d, n);
  //@ assert sizes: 0 <= row(n, d) && 0 <= row(n, n) && 0 <= row(n, layer->head_dim) && 0 <= width(layer);
  //@ assert stacks: stacks_inside(layer->heads, layer->head_dim, d);
  /*@ assert key_outside: stack_outside(layer, layer->key_weight, jacobian, row(outputs, columns)) &&
                          stack_outside(layer, layer->key_weight, stack, row(width(layer), d)); */
  /*@ assert value_outside:
        \separated(jacobian + (0 .. row(outputs, columns) - 1),
          layer->value_weight + (0 .. row(width(layer), d) - 1)) &&
        \separated(stack + (0 .. row(width(layer), d) - 1), layer->value_weight + (0 .. row(width(layer), d) - 1)); */
  /*@ assert storage_outside:
        \separated(jacobian + (0 .. row(outputs, columns) - 1),
                   storage + (0 .. row(layer->heads, head_size(layer, n)) - 1)) &&
        \separated(stack + (0 .. row(width(layer), d) - 1),
          storage + (0 .. row(layer->heads, head_size(layer, n)) - 1)); */
  /*@ assert output_outside: layer->output_weight == \null ||
        (\separated(jacobian + (0 .. row(outputs, columns) - 1),
                    layer->output_weight + (0 .. row(m, width(layer)) - 1)) &&
         \separated(stack + (0 .. row(width(layer), d) - 1),
           layer->output_weight + (0 .. row(m, width(layer)) - 1))); */
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant done: jacobian_rows_held{Pre, Here}(jacobian, columns, layer, n, storage, i);
      loop assigns i, jacobian[0 .. row(outputs, columns) - 1], stack[0 .. row(width(layer), d) - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    //@ ghost Before:;
    //@ assert gradients: entries_same{Pre, Before}(gradients, row(layer->heads, 2 * row(n, d)));
    //@ assert query_weight: entries_same{Pre, Before}(layer->query_weight, row(width(layer), d));
    //@ assert key_weight: entries_same{Pre, Before}(layer->key_weight, row(width(layer), d));
    //@ assert value_weight: entries_same{Pre, Before}(layer->value_weight, row(width(layer), d));
    /*@ assert output_weight: layer->output_weight == \null ||
          entries_same{Pre, Before}(layer->output_weight, row(m, width(layer))); */
    //@ assert storage: entries_same{Pre, Before}(storage, row(layer->heads, head_size(layer, n)));
    //@ assert sources: sources_same{Pre, Before}(layer, n, storage);
    //@ assert heads: all_heads_same{Pre, Before}(layer, n, storage);
    //@ assert same: heads_gradients_same{Pre, Before}(layer, n, storage);
    //@ assert blocks: blocks_same{Pre, Before}(layer, n, storage);
    //@ assert jacobians: jacobians_same{Pre, Before}(layer, n, storage);
    //@ assert held_pre: heads_gradients_held{Pre, Before}(gradients, layer, n, storage);
    //@ assert size: head_size{Pre}(layer, n) == head_size{Before}(layer, n);
    //@ assert held_now: heads_gradients_held{Before, Before}(gradients, layer, n, storage);
    const size_t first = (size_t)row_offset(i, m, n);
    double *rows = jacobian + block_offset(first, (size_t)columns, (size_t)outputs);
    /*@ assert inside: 0 <= row(row(i, m), columns) &&
          row(row(i, m), columns) + row(m, columns) <= row(row(n, m), columns); */
    //@ assert rows: rows == jacobian + row(row(i, m), columns);
    //@ assert above: \separated(jacobian + (0 .. row(row(i, m), columns) - 1), rows + (0 .. row(m, columns) - 1));
    /*@ assert apart: \separated(jacobian + (0 .. row(row(i, m), columns) - 1),
          stack + (0 .. row(width(layer), d) - 1)); */
    //@ assert outside: sources_outside(layer, n, storage, rows, row(m, columns));
    attention_layer_block_row(rows, stack, gradients, layer, storage, n, i);
    //@ assert lower: entries_same{Before, Here}(jacobian, row(row(i, m), columns));
    //@ assert current: jacobian_blocks_held{Before, Here}(rows, columns, layer, n, storage, i, n);
    //@ assert now: jacobian_blocks_held{Pre, Here}(rows, columns, layer, n, storage, i, n);
    //@ assert earlier: jacobian_rows_held{Pre, Here}(jacobian, columns, layer, n, storage, i);
    //@ assert next: jacobian_rows_held{Pre, Here}(jacobian, columns, layer, n, storage, i + 1);
  }
}

void attention_layer_jacobian(double *jacobian, double *gradients, double *stack, const attcert_layer *layer,
                              double *storage, int n) {
  //@ ghost const int d = layer->dim, m = layer->out_dim;
  //@ assert sizes: 0 <= row(n, d) && 0 <= row(n, n) && 0 <= row(n, layer->head_dim) && 0 <= width(layer);
  //@ assert stacks: stacks_inside(layer->heads, layer->head_dim, d);
  attention_layer_gradients(gradients, layer, storage, n);
  //@ ghost Filled:;
  //@ assert query_weight: entries_same{Pre, Filled}(layer->query_weight, row(width(layer), d));
  //@ assert key_weight: entries_same{Pre, Filled}(layer->key_weight, row(width(layer), d));
  //@ assert value_weight: entries_same{Pre, Filled}(layer->value_weight, row(width(layer), d));
  /*@ assert output_weight: layer->output_weight == \null ||
        entries_same{Pre, Filled}(layer->output_weight, row(m, width(layer))); */
  //@ assert storage: entries_same{Pre, Filled}(storage, row(layer->heads, head_size(layer, n)));
  //@ assert sources: sources_same{Pre, Filled}(layer, n, storage);
  //@ assert heads: all_heads_same{Pre, Filled}(layer, n, storage);
  //@ assert same: heads_gradients_same{Pre, Filled}(layer, n, storage);
  //@ assert blocks: blocks_same{Pre, Filled}(layer, n, storage);
  //@ assert jacobians: jacobians_same{Pre, Filled}(layer, n, storage);
  //@ assert held_pre: heads_gradients_held{Pre, Filled}(gradients, layer, n, storage);
  //@ assert size: head_size{Pre}(layer, n) == head_size{Filled}(layer, n);
  //@ assert held_now: heads_gradients_held{Filled, Filled}(gradients, layer, n, storage);
  fill_rows(jacobian, stack, gradients, layer, storage, n);
  //@ assert filled: jacobian_rows_held{Filled, Here}(jacobian, row(n, d), layer, n, storage, n);
}
