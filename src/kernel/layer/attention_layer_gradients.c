#include "kernel/layer/attention_layer_jacobian.h"
#include "kernel/layer/attention_layer_offset.h"
#include "kernel/linear/index.h"

#ifdef __FRAMAC__
#include "layer_framing/heads_gradients_lemmas.acsl"
#include "layer_framing/layer_separation_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"
#endif

/* The rows g_i, then h_j, of head h, whose arrays begin at `arrays`, to place. */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 1 <= n && 0 <= h < layer->heads;
    requires weights: heads_readable(layer);
    requires arrays: \valid_read(arrays + (0 .. head_size(layer, n) - 1));
    requires room: \valid(place + (0 .. 2 * row(n, layer->dim) - 1));
    requires outside: heads_outside(layer, place, 2 * row(n, layer->dim));
    requires arrays_outside: \separated(place + (0 .. 2 * row(n, layer->dim) - 1),
      arrays + (0 .. head_size(layer, n) - 1));
    terminates \true;
    assigns place[0 .. 2 * row(n, layer->dim) - 1];
    ensures gradients: gradients_held{Pre, Post}(place, place + row(n, layer->dim), layer, n, arrays, h); */
static void gradients_of_head(double *place, const attcert_layer *layer, double *arrays, int n, int h) {
  const int rows = row_offset(n, layer->dim, n);
  //@ assert g_outside: heads_outside(layer, place, row(n, layer->dim));
  //@ assert hs_outside: heads_outside(layer, place + row(n, layer->dim), row(n, layer->dim));
  attention_layer_head_gradients(place, place + rows, layer, arrays, n, h);
}

void attention_layer_gradients(double *gradients, const attcert_layer *layer, double *storage, int n) {
  /*@ assert query_outside: stack_outside(layer, layer->query_weight, gradients,
        row(layer->heads, 2 * row(n, layer->dim))); */
  //@ assert key_outside: stack_outside(layer, layer->key_weight, gradients, row(layer->heads, 2 * row(n, layer->dim)));
  /*@ assert value_outside: stack_outside(layer, layer->value_weight, gradients,
        row(layer->heads, 2 * row(n, layer->dim))); */
  /*@ loop invariant range: 0 <= h <= layer->heads;
      loop invariant done: first_gradients_held{Pre, Here}(gradients, layer, n, storage, h);
      loop assigns h, gradients[0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1];
      loop variant layer->heads - h; */
  for (int h = 0; h < layer->heads; h++) {
    //@ assert query_weight: entries_same{Pre, Here}(layer->query_weight, row(width(layer), layer->dim));
    //@ assert key_weight: entries_same{Pre, Here}(layer->key_weight, row(width(layer), layer->dim));
    //@ assert value_weight: entries_same{Pre, Here}(layer->value_weight, row(width(layer), layer->dim));
    /*@ assert output_weight: layer->output_weight == \null ||
          entries_same{Pre, Here}(layer->output_weight, row(layer->out_dim, width(layer))); */
    //@ assert storage: entries_same{Pre, Here}(storage, row(layer->heads, head_size(layer, n)));
    //@ assert sources: sources_same{Pre, Here}(layer, n, storage);
    double *place = gradients + attention_layer_gradients_offset(layer, n, h);
    double *arrays = storage + attention_layer_storage_offset(layer, n, h);
    //@ ghost Before:;
    //@ assert sizes: 0 <= row(n, layer->head_dim) && 0 <= row(n, n) && 0 <= row(n, layer->dim);
    //@ assert outside: heads_outside(layer, place, 2 * row(n, layer->dim));
    /*@ assert stack: 0 <= row(row(h, layer->head_dim), layer->dim) &&
          row(row(h, layer->head_dim), layer->dim) +
            row(layer->head_dim, layer->dim) <= row(width(layer), layer->dim); */
    //@ assert head_sources: head_sources_same{Pre, Before}(layer, n, arrays, h);
    gradients_of_head(place, layer, arrays, n, h);
    //@ assert current: gradients_held{Pre, Here}(place, place + row(n, layer->dim), layer, n, arrays, h);
    //@ assert lower: entries_same{Before, Here}(gradients, row(h, 2 * row(n, layer->dim)));
    //@ assert earlier: first_gradients_held{Pre, Here}(gradients, layer, n, storage, h);
    //@ assert next: first_gradients_held{Pre, Here}(gradients, layer, n, storage, h + 1);
  }
}
