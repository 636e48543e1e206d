#include "kernel/layer/attention_layer_jacobian.h"
#include "kernel/linear/block.h"
#include "kernel/linear/index.h"
#include "kernel/linear/matrix.h"
#include "kernel/linear/vector.h"

#ifdef __FRAMAC__
#include "layer_framing/output_block_frame_lemmas.acsl"
#include "layer_framing/place_block_frame_lemmas.acsl"
#endif

/* Row o of W_O times the stacked blocks. */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && 0 <= o < layer->out_dim;
    requires room: \valid(entries + (0 .. layer->dim - 1));
    requires readable: \valid_read(stack + (0 .. row(width(layer), layer->dim) - 1));
    requires weight: layer->output_weight == \null ||
                     \valid_read(layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1));
    requires separated: \separated(entries + (0 .. layer->dim - 1), stack + (0 .. row(width(layer), layer->dim) - 1));
    requires weight_outside: layer->output_weight == \null ||
                             \separated(entries + (0 .. layer->dim - 1),
                                        layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1));
    terminates \true;
    assigns entries[0 .. layer->dim - 1];
    ensures result: \forall integer c; 0 <= c < layer->dim ==>
                    entries[c] == output_block_entry{Pre}(layer, stack, o, c); */
static void output_row(double *entries, const double *stack, const attcert_layer *layer, int o) {
  const int d = layer->dim, width = row_offset(layer->heads, layer->head_dim, layer->heads);
  if (layer->output_weight == NULL)
    vector_copy(entries, stack + row_offset(o, d, width), d);
  else
    vector_matrix(entries, layer->output_weight + row_offset(o, width, layer->out_dim), stack, width, d);
}

void attention_layer_place_block(double *rows, const double *stack, const attcert_layer *layer, int n, int l) {
  const int d = layer->dim, outputs = layer->out_dim, columns = row_offset(n, d, n), first = row_offset(l, d, n);
  //@ ghost Start:;
  /*@ loop invariant range: 0 <= o <= outputs;
      loop invariant placed: rows_placed{Start, Here}(rows, columns, first, layer, stack, o);
      loop invariant before: before_same{Start, Here}(rows, columns, first, outputs);
      loop invariant after: after_same{Start, Here}(rows, columns, first + d, outputs);
      loop assigns o, rows[0 .. row(outputs, columns) - 1];
      loop variant outputs - o; */
  for (int o = 0; o < outputs; o++) {
    //@ ghost Before:;
    //@ assert inside: 0 <= row(o, columns) && row(o, columns) + columns <= row(outputs, columns);
    //@ assert stack: entries_same{Start, Here}(stack, row(width(layer), d));
    /*@ assert weight: layer->output_weight == \null ||
                       entries_same{Start, Here}(layer->output_weight, row(outputs, width(layer))); */
    /*@ assert weight_row: layer->output_weight == \null ||
          entries_same{Start, Here}(layer->output_weight + row(o, width(layer)), width(layer)); */
    /*@ assert same_weighted: layer->output_weight != \null ==> \forall integer c; 0 <= c < d ==>
          output_block_entry{Start}(layer, stack, o, c) == output_block_entry(layer, stack, o, c); */
    /*@ assert same_stacked: layer->output_weight == \null ==> \forall integer c; 0 <= c < d ==>
          output_block_entry{Start}(layer, stack, o, c) == output_block_entry(layer, stack, o, c); */
    /*@ assert same: \forall integer c; 0 <= c < d ==>
          output_block_entry(layer, stack, o, c) == output_block_entry{Start}(layer, stack, o, c); */
    const size_t start = block_offset((size_t)o, (size_t)columns, (size_t)outputs);
    //@ assert start: start == row(o, columns);
    output_row(rows + start + first, stack, layer, o);
    //@ assert current: row_placed{Start, Here}(rows, columns, first, layer, stack, o);
    //@ assert lower: range_same{Before, Here}(rows, 0, row(o, columns) + first);
    //@ assert upper: range_same{Before, Here}(rows, row(o, columns) + first + d, row(outputs, columns));
    //@ assert earlier: rows_placed{Start, Here}(rows, columns, first, layer, stack, o);
  }
}
