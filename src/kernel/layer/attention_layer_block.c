#include "kernel/layer/attention_layer_jacobian.h"
#include "kernel/layer/attention_layer_offset.h"
#include "kernel/linear/index.h"

#ifdef __FRAMAC__
#include "layer_framing/heads_gradients_lemmas.acsl"
#include "layer_framing/layer_separation_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"

#include "layer_framing/stacked_blocks_lemmas.acsl"
#endif

/* attention_layer_head_block, its result as head_block_held says it: apart from the proof of where the block goes. */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 1 <= n && 0 <= h < layer->heads;
    requires position: 0 <= i < n && 0 <= l < n;
    requires weights: heads_readable(layer);
    requires apart: head_block_apart(layer, n, arrays, gradients, block);
    requires gradients: gradients_held{Pre, Pre}(gradients, gradients + row(n, layer->dim), layer, n, arrays, h);
    terminates \true;
    assigns block[0 .. row(layer->head_dim, layer->dim) - 1];
    ensures block: head_block_held{Pre, Post}(block, layer, n, arrays, h, i, l); */
static void block_of_head(double *block, const double *gradients, const attcert_layer *layer, double *arrays, int n,
                          int h, int i, int l) {
  attention_layer_head_block(block, gradients, layer, arrays, n, h, i, l);
}

/* Where the block of head h begins in the stack. */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && 0 <= h < layer->heads;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(row(h, layer->head_dim), layer->dim);
    ensures inside: 0 <= \result && \result + row(layer->head_dim, layer->dim) <= row(width(layer), layer->dim); */
static int stack_offset(const attcert_layer *layer, int h) {
  const int k = layer->head_dim, width = row_offset(layer->heads, k, layer->heads);
  return row_offset(row_offset(h, k, layer->heads), layer->dim, width);
}

void attention_layer_block(double *stack, const double *gradients, const attcert_layer *layer, double *storage, int n,
                           int i, int l) {
  //@ assert gradients: first_gradients_held{Pre, Pre}(gradients, layer, n, storage, layer->heads);
  //@ assert query_outside: stack_outside(layer, layer->query_weight, stack, row(width(layer), layer->dim));
  //@ assert key_outside: stack_outside(layer, layer->key_weight, stack, row(width(layer), layer->dim));
  //@ assert value_outside: stack_outside(layer, layer->value_weight, stack, row(width(layer), layer->dim));
  /*@ loop invariant range: 0 <= h <= layer->heads;
      loop invariant done: stack_holds_first{Pre, Here}(stack, layer, n, storage, i, l, h);
      loop assigns h, stack[0 .. row(width(layer), layer->dim) - 1];
      loop variant layer->heads - h; */
  for (int h = 0; h < layer->heads; h++) {
    //@ assert query_weight: entries_same{Pre, Here}(layer->query_weight, row(width(layer), layer->dim));
    //@ assert key_weight: entries_same{Pre, Here}(layer->key_weight, row(width(layer), layer->dim));
    //@ assert value_weight: entries_same{Pre, Here}(layer->value_weight, row(width(layer), layer->dim));
    /*@ assert output_weight: layer->output_weight == \null ||
          entries_same{Pre, Here}(layer->output_weight, row(layer->out_dim, width(layer))); */
    //@ assert storage: entries_same{Pre, Here}(storage, row(layer->heads, head_size(layer, n)));
    //@ assert gradients_same: entries_same{Pre, Here}(gradients, row(layer->heads, 2 * row(n, layer->dim)));
    //@ assert sources: sources_same{Pre, Here}(layer, n, storage);
    double *arrays = storage + attention_layer_storage_offset(layer, n, h);
    double *block = stack + stack_offset(layer, h);
    const double *g = gradients + attention_layer_gradients_offset(layer, n, h);
    //@ ghost Before:;
    /*@ assert sizes: 0 <= row(n, layer->head_dim) && 0 <= row(n, n) && 0 <= row(n, layer->dim) &&
                      0 <= row(layer->head_dim, layer->dim); */
    /*@ assert arrays_apart: \separated(block + (0 .. row(layer->head_dim, layer->dim) - 1),
                                       arrays + (0 .. head_size(layer, n) - 1)); */
    /*@ assert apart: \separated(block + (0 .. row(layer->head_dim, layer->dim) - 1),
                                g + (0 .. 2 * row(n, layer->dim) - 1)); */
    //@ assert outside: heads_outside(layer, block, row(layer->head_dim, layer->dim));
    //@ assert arrays_readable: \valid_read(arrays + (0 .. head_size(layer, n) - 1));
    //@ assert g_readable: \valid_read(g + (0 .. 2 * row(n, layer->dim) - 1));
    //@ assert room: \valid(block + (0 .. row(layer->head_dim, layer->dim) - 1));
    //@ assert block_apart: head_block_apart(layer, n, arrays, g, block);
    //@ assert sources_back: sources_same{Before, Pre}(layer, n, storage);
    //@ assert head_sources: head_sources_same{Pre, Before}(layer, n, arrays, h);
    //@ assert head_sources_back: head_sources_same{Before, Pre}(layer, n, arrays, h);
    //@ assert unchanged: head_block_unchanged{Pre, Before}(layer, n, arrays, h, i, l);
    //@ assert gradients_kept: first_gradients_held{Pre, Before}(gradients, layer, n, storage, layer->heads);
    //@ assert g_kept: gradients_held{Pre, Before}(g, g + row(n, layer->dim), layer, n, arrays, h);
    //@ assert g_held: gradients_held{Before, Before}(g, g + row(n, layer->dim), layer, n, arrays, h);
    block_of_head(block, g, layer, arrays, n, h, i, l);
    //@ assert current: head_block_held{Pre, Here}(block, layer, n, arrays, h, i, l);
    //@ assert lower: entries_same{Before, Here}(stack, row(row(h, layer->head_dim), layer->dim));
    //@ assert earlier: stack_holds_first{Pre, Here}(stack, layer, n, storage, i, l, h);
    //@ assert this_head: stack_holds_head{Pre, Here}(stack, layer, n, storage, i, l, h);
    //@ assert next: stack_holds_first{Pre, Here}(stack, layer, n, storage, i, l, h + 1);
  }
}
