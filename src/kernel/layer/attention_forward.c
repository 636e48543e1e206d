#include "kernel/layer/attention.h"
#include "kernel/linear/index.h"

#include "kernel/layer/output_projection.h"

#ifdef __FRAMAC__
#include "layer/head_size_lemmas.acsl"
#include "layer_framing/layer_forward_frame_lemmas.acsl"

#include "layer/concatenated_output_lemmas.acsl"
#include "layer_framing/layer_separation_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"
#endif

size_t attention_forward_scratch(const attcert_layer *layer, int n) {
  const int width = row_offset(layer->heads, layer->head_dim, layer->heads);
  return attention_head_size(layer, n) + (size_t)row_offset(n, width, n);
}

/* The rows y_i^h (n x k) of head h at x, among its arrays in storage. */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 1 <= n && 0 <= h < layer->heads;
    requires weights: heads_readable(layer);
    requires input: \valid_read(x + (0 .. row(n, layer->dim) - 1));
    requires storage: \valid(storage + (0 .. head_size(layer, n) - 1));
    requires outside: heads_outside(layer, storage, head_size(layer, n));
    requires input_outside: \separated(storage + (0 .. head_size(layer, n) - 1), x + (0 .. row(n, layer->dim) - 1));
    terminates \true;
    assigns storage[0 .. head_size(layer, n) - 1], \result \from storage, n, *layer;
    ensures place: \result == storage + 3 * row(n, layer->head_dim);
    ensures outputs: \forall integer i, r; 0 <= i < n ==> 0 <= r < layer->head_dim ==>
      \result[row(i, layer->head_dim) + r] == head_entry{Pre}(layer, x, n, h, i, r); */
static const double *head_outputs(double *storage, const attcert_layer *layer, int h, const double *x, int n) {
  const attention_head head = attention_head_view(layer, h, n, storage);
  attention_layer_head(storage, layer, h, x, n);
  //@ assert averaged: head_averaged{Pre, Here}(layer, x, n, h, head);
  return head.output;
}

/* Head h at x, into its columns of concatenation (n x H k); storage is its scratch. */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 1 <= n && 0 <= h < layer->heads;
    requires weights: heads_readable(layer);
    requires input: \valid_read(x + (0 .. row(n, layer->dim) - 1));
    requires valid: \valid(concatenation + (0 .. row(n, width(layer)) - 1));
    requires storage: \valid(storage + (0 .. head_size(layer, n) - 1));
    requires outside: heads_outside(layer, storage, head_size(layer, n));
    requires input_outside: \separated(storage + (0 .. head_size(layer, n) - 1), x + (0 .. row(n, layer->dim) - 1));
    requires separated: \separated(concatenation + (0 .. row(n, width(layer)) - 1),
                                   storage + (0 .. head_size(layer, n) - 1));
    terminates \true;
    assigns concatenation[0 .. row(n, width(layer)) - 1], storage[0 .. head_size(layer, n) - 1];
    ensures joined: head_joined{Pre, Post}(concatenation, layer, x, n, h);
    ensures kept: \forall integer i, e; 0 <= i < n ==> 0 <= e < row(h, layer->head_dim) ==>
      matrix_cell{Pre}(concatenation, width(layer), i, e) == matrix_cell(concatenation, width(layer), i, e); */
static void join_head(double *concatenation, double *storage, const attcert_layer *layer, int h, const double *x,
                      int n) {
  //@ assert sizes: 0 <= row(n, layer->head_dim) && 0 <= row(n, n);
  //@ assert columns: 0 <= row(h, layer->head_dim) && row(h, layer->head_dim) + layer->head_dim <= width(layer);
  /*@ assert inside: \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==>
                     0 <= row(i, width(layer)) + e < row(n, width(layer)); */
  const double *outputs = head_outputs(storage, layer, h, x, n);
  /*@ assert same: \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==>
        concatenation[row(i, width(layer)) + e] == \at(concatenation[row(i, width(layer)) + e], Pre); */
  /*@ assert outputs: \forall integer i, e; 0 <= i < n ==> in_head(layer, h, e) ==>
        outputs[row(i, layer->head_dim) + (e - row(h, layer->head_dim))] == column_entry{Pre}(layer, x, n, h, i, e); */
  heads_join(concatenation, outputs, layer, h, n);
  /*@ assert left: \forall integer i, e; 0 <= i < n ==> 0 <= e < row(h, layer->head_dim) ==>
        concatenation[row(i, width(layer)) + e] == \at(concatenation[row(i, width(layer)) + e], Pre); */
  /*@ assert written: \forall integer i, e; 0 <= i < n ==>
        row(h, layer->head_dim) <= e < row(h, layer->head_dim) + layer->head_dim ==>
        concatenation[row(i, width(layer)) + e] == column_entry{Pre}(layer, x, n, h, i, e); */
}

/* Rows [y_i^1; ...; y_i^H] (n x H k) behind the storage of one head, which serves all heads in turn. */
/*@ requires sides: \valid_read(layer) && layer_sides(layer) && side(n) && 1 <= n;
    requires weights: heads_readable(layer);
    requires input: \valid_read(x + (0 .. row(n, layer->dim) - 1));
    requires room: \valid(scratch + (0 .. head_size(layer, n) + row(n, width(layer)) - 1));
    requires outside: heads_outside(layer, scratch, head_size(layer, n) + row(n, width(layer)));
    requires input_outside: \separated(scratch + (0 .. head_size(layer, n) + row(n, width(layer)) - 1),
                                       x + (0 .. row(n, layer->dim) - 1));
    terminates \true;
    assigns scratch[0 .. head_size(layer, n) + row(n, width(layer)) - 1];
    ensures joined: heads_joined{Pre, Post}(scratch + head_size(layer, n), layer, x, n, layer->heads); */
static void join_heads(double *scratch, const attcert_layer *layer, const double *x, int n) {
  double *concatenation = scratch + attention_head_size(layer, n);
  //@ assert sizes: 0 <= head_size(layer, n) && 0 <= row(n, width(layer));
  //@ assert outside: heads_outside(layer, scratch, head_size(layer, n));
  /*@ loop invariant range: 0 <= h <= layer->heads;
      loop invariant joined: heads_joined{Pre, Here}(concatenation, layer, x, n, h);
      loop assigns h, scratch[0 .. head_size(layer, n) + row(n, width(layer)) - 1];
      loop variant layer->heads - h; */
  for (int h = 0; h < layer->heads; h++) {
    //@ ghost Before:;
    //@ assert dims: layer_dims_inside(layer);
    //@ assert query_weight: entries_same{Pre, Before}(layer->query_weight, row(width(layer), layer->dim));
    //@ assert key_weight: entries_same{Pre, Before}(layer->key_weight, row(width(layer), layer->dim));
    //@ assert value_weight: entries_same{Pre, Before}(layer->value_weight, row(width(layer), layer->dim));
    //@ assert query_bias: biases_same{Pre, Before}(layer->query_bias, width(layer));
    //@ assert key_bias: biases_same{Pre, Before}(layer->key_bias, width(layer));
    //@ assert value_bias: biases_same{Pre, Before}(layer->value_bias, width(layer));
    //@ assert weights: heads_same{Pre, Before}(layer);
    //@ assert input: entries_same{Pre, Before}(x, row(n, layer->dim));
    //@ assert inputs: projections_same{Pre, Before}(layer, x, n, h);
    /*@ assert entries: \forall integer i, r; 0 <= i < n ==> 0 <= r < layer->head_dim ==>
          head_entry{Pre}(layer, x, n, h, i, r) == head_entry{Before}(layer, x, n, h, i, r); */
    //@ assert columns: head_columns_same{Pre, Before}(layer, x, n, h);
    join_head(concatenation, scratch, layer, h, x, n);
    //@ assert current: head_joined{Pre, Here}(concatenation, layer, x, n, h);
    /*@ assert order: \forall integer q; 0 <= q < h ==>
          0 <= row(q, layer->head_dim) && row(q, layer->head_dim) + layer->head_dim <= row(h, layer->head_dim); */
    //@ assert earlier: heads_joined{Pre, Here}(concatenation, layer, x, n, h);
  }
}

void attention_forward(double *out, const attcert_layer *layer, const double *x, int n, double *scratch) {
  const double *concatenation = scratch + attention_head_size(layer, n);
  //@ assert sizes: 0 <= head_size(layer, n) && 0 <= row(n, width(layer));
  join_heads(scratch, layer, x, n);
  /*@ assert weight: layer->output_weight == \null ||
                     entries_same{Pre, Here}(layer->output_weight, row(layer->out_dim, width(layer))); */
  //@ assert bias: layer->output_bias == \null || entries_same{Pre, Here}(layer->output_bias, layer->out_dim);
  //@ assert biases: bias_same{Pre, Here}(layer);
  /*@ assert parts_of_rows: layer->output_weight != \null ==> \forall integer o, h; 0 <= o < layer->out_dim ==>
        0 <= h < layer->heads ==> block_same{Pre, Here}(layer->output_weight + row(o, width(layer)), h,
          layer->head_dim); */
  //@ assert blocks: weight_same{Pre, Here}(layer);
  /*@ assert parts: \forall integer i; is_part(concatenation + row(i, width(layer)), scratch,
                                              head_size(layer, n) + row(i, width(layer))); */
  /*@ assert held: \forall integer i; 0 <= i < n ==>
                   heads_held{Pre, Here}(concatenation + row(i, width(layer)), layer, x, n, i); */
  /*@ assert entries: \forall integer i, o; 0 <= i < n ==> 0 <= o < layer->out_dim ==>
        is_layer_output{Pre}(projected(layer->output_weight, layer->output_bias, concatenation + row(i, width(layer)),
                                       width(layer), o), layer, x, n, i, o); */
  output_project(out, layer, layer->output_bias, concatenation, n);
}
