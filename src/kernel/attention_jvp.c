/* dy = W_O [the Jacobian-vector products of the heads]: spec/layer_jvp.acsl. */
#include "kernel/attention.h"
#include "kernel/index.h"
#include "kernel/output_projection.h"

#ifdef __FRAMAC__
#include "head_size.acsl"
#include "layer_jvp_head.acsl"
#include "layer_jvp_joined.acsl"
#include "row_of_rows.acsl"
#endif

/* What one head's product needs: room for its rows dy (n x k) and for its scratch. */
/*@ predicate head_room{L}(attention_state *state, double *dx, double *dy, double *scratch) =
      \valid(dy + (0 .. row(state->n, state->layer->head_dim) - 1)) &&
      \valid(scratch + (0 .. 3 * row(state->n, state->layer->head_dim) + state->n - 1)) &&
      \separated(dy + (0 .. row(state->n, state->layer->head_dim) - 1),
                 dx + (0 .. row(state->n, state->layer->dim) - 1)) &&
      \separated(dy + (0 .. row(state->n, state->layer->head_dim) - 1),
                 scratch + (0 .. 3 * row(state->n, state->layer->head_dim) + state->n - 1)) &&
      \separated(scratch + (0 .. 3 * row(state->n, state->layer->head_dim) + state->n - 1),
                 dx + (0 .. row(state->n, state->layer->dim) - 1)); */

/* Rows dy_i^h (n x k) of head h. */
/*@ requires valid: state_sides(state) && 1 <= state->n && state_readable(state) && 0 <= h < state->layer->heads;
    requires input: \valid_read(dx + (0 .. row(state->n, state->layer->dim) - 1));
    requires room: head_room(state, dx, dy, scratch);
    requires outside: state_outside(state, dy, row(state->n, state->layer->head_dim)) &&
                      state_outside(state, scratch, 3 * row(state->n, state->layer->head_dim) + state->n);
    terminates \true;
    assigns dy[0 .. row(state->n, state->layer->head_dim) - 1],
            scratch[0 .. 3 * row(state->n, state->layer->head_dim) + state->n - 1];
    ensures result: \forall integer i, r; 0 <= i < state->n ==> 0 <= r < state->layer->head_dim ==>
      dy[row(i, state->layer->head_dim) + r] == state_jvp{Pre}(state->layer, state->n, state->storage, dx, h, i, r); */
static void head_product(double *dy, const attention_state *state, int h, const double *dx, double *scratch) {
  const attention_head head = attention_state_head(state, h);
  //@ ghost const attcert_layer *layer = state->layer;
  //@ ghost const int n = state->n, k = layer->head_dim, d = layer->dim;
  //@ ghost double *s = head.query;
  //@ assert view: is_view(head, layer, h, n, s) && s == state->storage + row(h, head_size(layer, n));
  //@ assert sizes: 0 <= row(n, d) && 0 <= row(n, k) && 0 <= row(k, d) && 0 <= row(n, n);
  //@ assert columns: 0 <= row(h, k) && row(h, k) + k <= width(layer);
  //@ assert stack: 0 <= row(row(h, k), d) && row(row(h, k), d) + row(k, d) <= row(width(layer), d);
  /*@ assert block: 0 <= row(h, head_size(layer, n)) &&
        row(h, head_size(layer, n)) + head_size(layer, n) <= row(layer->heads, head_size(layer, n)); */
  //@ assert sides: head_sides(&head);
  //@ assert weights: head_weights_readable(&head);
  //@ assert stored: head_state_readable(&head);
  //@ assert out_outside: head_outside(&head, dy, row(n, k));
  //@ assert room_outside: head_outside(&head, scratch, 3 * row(n, k) + n);
  //@ ghost View:;
  attention_head_jvp(dy, &head, dx, scratch);
  //@ assert root: head.root == \at(head.root, View) == rroot(k);
  //@ assert reach: \forall integer i; head_reach(&head, i) == layer_reach{Pre}(layer, i, n);
  //@ assert storage: entries_same{Pre, Here}(state->storage, row(layer->heads, head_size(layer, n)));
  /*@ assert arrays: jvp_stored{Pre, Here}(layer, n, s, head.weights, head.value, head.output, head.query, head.key, k); */
  //@ assert query_image: is_image{Pre, Here}(scratch, layer, n, layer->query_weight, dx, h, k);
  //@ assert key_image: is_image{Pre, Here}(scratch + row(n, k), layer, n, layer->key_weight, dx, h, k);
  //@ assert value_image: is_image{Pre, Here}(scratch + 2 * row(n, k), layer, n, layer->value_weight, dx, h, k);
  //@ assert images: jvp_images{Pre, Here}(layer, n, dx, h, scratch, scratch + row(n, k), scratch + 2 * row(n, k), k);
  /*@ assert rows: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        dy[row(i, k) + r] == layer_head_jvp{Pre}(layer, n, s, dx, h, i, r); */
  /*@ assert entries: \forall integer i, r; state_jvp{Pre}(layer, n, state->storage, dx, h, i, r) ==
        layer_head_jvp{Pre}(layer, n, s, dx, h, i, r); */
  /*@ assert products: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        dy[row(i, k) + r] == state_jvp{Pre}(layer, n, state->storage, dx, h, i, r); */
}

/* Head h, into its columns of concatenation (n x H k); dy and scratch are its scratch. */
/*@ requires valid: state_sides(state) && 1 <= state->n && state_readable(state) && 0 <= h < state->layer->heads;
    requires input: \valid_read(dx + (0 .. row(state->n, state->layer->dim) - 1));
    requires columns: \valid(concatenation + (0 .. row(state->n, width(state->layer)) - 1));
    requires room: head_room(state, dx, dy, scratch);
    requires outside: state_outside(state, dy, row(state->n, state->layer->head_dim)) &&
                      state_outside(state, scratch, 3 * row(state->n, state->layer->head_dim) + state->n);
    requires separated: \separated(concatenation + (0 .. row(state->n, width(state->layer)) - 1),
                                   dy + (0 .. row(state->n, state->layer->head_dim) - 1));
    requires separated_scratch: \separated(concatenation + (0 .. row(state->n, width(state->layer)) - 1),
                                   scratch + (0 .. 3 * row(state->n, state->layer->head_dim) + state->n - 1));
    terminates \true;
    assigns concatenation[0 .. row(state->n, width(state->layer)) - 1],
            dy[0 .. row(state->n, state->layer->head_dim) - 1],
            scratch[0 .. 3 * row(state->n, state->layer->head_dim) + state->n - 1];
    ensures joined: jvp_joined{Pre, Post}(concatenation, state->layer, state->n, state->storage, dx, h);
    ensures kept: \forall integer i, e; 0 <= i < state->n ==> 0 <= e < row(h, state->layer->head_dim) ==>
      matrix_cell{Pre}(concatenation, width(state->layer), i, e) ==
      matrix_cell(concatenation, width(state->layer), i, e); */
static void join_product(double *concatenation, double *dy, double *scratch, const attention_state *state, int h,
                         const double *dx) {
  const attcert_layer *layer = state->layer;
  //@ ghost const int n = state->n;
  //@ ghost Start:;
  //@ assert sizes: 0 <= row(n, layer->head_dim);
  //@ assert columns: 0 <= row(h, layer->head_dim) && row(h, layer->head_dim) + layer->head_dim <= width(layer);
  /*@ assert inside: \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==>
                     0 <= row(i, width(layer)) + e < row(n, width(layer)); */
  head_product(dy, state, h, dx, scratch);
  /*@ assert same: \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==>
        concatenation[row(i, width(layer)) + e] == \at(concatenation[row(i, width(layer)) + e], Start); */
  /*@ assert products: \forall integer i, e; 0 <= i < n ==> in_head(layer, h, e) ==>
        dy[row(i, layer->head_dim) + (e - row(h, layer->head_dim))] ==
        jvp_column{Pre}(layer, n, state->storage, dx, h, i, e); */
  heads_join(concatenation, dy, layer, h, state->n);
  /*@ assert left: \forall integer i, e; 0 <= i < n ==> 0 <= e < row(h, layer->head_dim) ==>
        concatenation[row(i, width(layer)) + e] == \at(concatenation[row(i, width(layer)) + e], Start); */
  /*@ assert written: \forall integer i, e; 0 <= i < n ==>
        row(h, layer->head_dim) <= e < row(h, layer->head_dim) + layer->head_dim ==>
        concatenation[row(i, width(layer)) + e] == jvp_column{Pre}(layer, n, state->storage, dx, h, i, e); */
}

/* Rows [dy_i^1; ...; dy_i^H] (n x H k); room, behind them, serves all heads in turn. */
/*@ requires valid: state_sides(state) && 1 <= state->n && state_readable(state);
    requires input: \valid_read(dx + (0 .. row(state->n, state->layer->dim) - 1));
    requires columns: \valid(concatenation + (0 .. row(state->n, width(state->layer)) - 1));
    requires room: \valid(room + (0 .. 4 * row(state->n, state->layer->head_dim) + state->n - 1));
    requires outside: state_outside(state, concatenation, row(state->n, width(state->layer))) &&
                      state_outside(state, room, 4 * row(state->n, state->layer->head_dim) + state->n);
    requires input_outside: \separated(concatenation + (0 .. row(state->n, width(state->layer)) - 1),
                                       dx + (0 .. row(state->n, state->layer->dim) - 1)) &&
                            \separated(room + (0 .. 4 * row(state->n, state->layer->head_dim) + state->n - 1),
                                       dx + (0 .. row(state->n, state->layer->dim) - 1));
    requires separated: \separated(concatenation + (0 .. row(state->n, width(state->layer)) - 1),
                                   room + (0 .. 4 * row(state->n, state->layer->head_dim) + state->n - 1));
    terminates \true;
    assigns concatenation[0 .. row(state->n, width(state->layer)) - 1],
            room[0 .. 4 * row(state->n, state->layer->head_dim) + state->n - 1];
    ensures joined: jvps_joined{Pre, Post}(concatenation, state->layer, state->n, state->storage, dx,
                                           state->layer->heads); */
static void join_products(double *concatenation, double *room, const attention_state *state, const double *dx) {
  const attcert_layer *layer = state->layer;
  const int n = state->n, k = layer->head_dim;
  double *head_scratch = room + row_offset(n, k, n);
  //@ ghost double *storage = state->storage;
  //@ assert sizes: 0 <= row(n, k) && 0 <= row(n, n) && 0 <= row(n, width(layer)) && 0 <= head_size(layer, n);
  //@ assert rows_outside: state_outside(state, room, row(n, k));
  //@ assert scratch_outside: state_outside(state, head_scratch, 3 * row(n, k) + n);
  //@ assert parts: head_room(state, dx, room, head_scratch);
  //@ assert dims: layer_dims_inside(layer);
  /*@ assert blocks: \forall integer q; 0 <= q < layer->heads ==>
        0 <= row(q, head_size(layer, n)) &&
        row(q, head_size(layer, n)) + head_size(layer, n) <= row(layer->heads, head_size(layer, n)); */
  /*@ loop invariant range: 0 <= h <= layer->heads;
      loop invariant joined: jvps_joined{Pre, Here}(concatenation, layer, n, storage, dx, h);
      loop assigns h, concatenation[0 .. row(n, width(layer)) - 1], room[0 .. 4 * row(n, k) + n - 1];
      loop variant layer->heads - h; */
  for (int h = 0; h < layer->heads; h++) {
    //@ ghost Before:;
    //@ assert query_weight: entries_same{Pre, Before}(layer->query_weight, row(width(layer), layer->dim));
    //@ assert key_weight: entries_same{Pre, Before}(layer->key_weight, row(width(layer), layer->dim));
    //@ assert value_weight: entries_same{Pre, Before}(layer->value_weight, row(width(layer), layer->dim));
    //@ assert input: entries_same{Pre, Before}(dx, row(n, layer->dim));
    //@ assert arrays: entries_same{Pre, Before}(storage, row(layer->heads, head_size(layer, n)));
    //@ assert images: images_same{Pre, Before}(layer, n, dx, h);
    //@ assert array: entries_same{Pre, Before}(storage + row(h, head_size(layer, n)), head_size(layer, n));
    //@ assert stored: stored_same{Pre, Before}(layer, n, storage + row(h, head_size(layer, n)));
    //@ assert agrees: jvp_head_agrees{Pre, Before}(layer, n, storage + row(h, head_size(layer, n)), dx, h);
    /*@ assert entries: \forall integer i, r; 0 <= i < n ==> 0 <= r < layer->head_dim ==>
          state_jvp{Pre}(layer, n, storage, dx, h, i, r) == state_jvp{Before}(layer, n, storage, dx, h, i, r); */
    //@ assert columns: jvp_columns_same{Pre, Before}(layer, n, storage, dx, h);
    join_product(concatenation, room, head_scratch, state, h, dx);
    //@ assert current: jvp_joined{Pre, Here}(concatenation, layer, n, storage, dx, h);
    /*@ assert order: \forall integer q; 0 <= q < h ==>
          0 <= row(q, layer->head_dim) && row(q, layer->head_dim) + layer->head_dim <= row(h, layer->head_dim); */
    //@ assert earlier: jvps_joined{Pre, Here}(concatenation, layer, n, storage, dx, h);
  }
}

void attention_jvp(double *dy, const attention_state *state, const double *dx, double *scratch) {
  const attcert_layer *layer = state->layer;
  const int n = state->n, width = row_offset(layer->heads, layer->head_dim, layer->heads);
  double *concatenation = scratch, *room = concatenation + row_offset(n, width, n);
  //@ ghost double *storage = state->storage;
  //@ assert sizes: 0 <= row(n, width(layer)) && 0 <= row(n, layer->head_dim);
  join_products(concatenation, room, state, dx);
  /*@ assert weight: layer->output_weight == \null ||
                     entries_same{Pre, Here}(layer->output_weight, row(layer->out_dim, width(layer))); */
  /*@ assert columns: \forall integer h; 0 <= h < layer->heads ==>
        0 <= row(h, layer->head_dim) && row(h, layer->head_dim) + layer->head_dim <= width(layer); */
  /*@ assert weight_rows: layer->output_weight != \null ==> \forall integer o; 0 <= o < layer->out_dim ==>
        entries_same{Pre, Here}(layer->output_weight + row(o, width(layer)), width(layer)); */
  /*@ assert parts_of_rows: layer->output_weight != \null ==> \forall integer o, h; 0 <= o < layer->out_dim ==>
        0 <= h < layer->heads ==> block_same{Pre, Here}(layer->output_weight + row(o, width(layer)), h, layer->head_dim); */
  //@ assert blocks: weight_same{Pre, Here}(layer);
  /*@ assert rows: \forall integer i; is_part(concatenation + row(i, width(layer)), concatenation, row(i, width(layer))); */
  /*@ assert held: \forall integer i; 0 <= i < n ==>
                   jvps_held{Pre, Here}(concatenation + row(i, width(layer)), layer, n, storage, dx, i); */
  /*@ assert entries: \forall integer i, o; 0 <= i < n ==> 0 <= o < layer->out_dim ==>
        is_layer_jvp{Pre}(projected(layer->output_weight, \null, concatenation + row(i, width(layer)), width(layer), o),
                          layer, n, storage, dx, i, o); */
  //@ ghost Joined:;
  output_project(dy, layer, NULL, concatenation, n);
  /*@ assert written: \forall integer i, o; 0 <= i < n ==> 0 <= o < layer->out_dim ==>
        dy[row(i, layer->out_dim) + o] ==
        projected{Joined}(layer->output_weight, \null, concatenation + row(i, width(layer)), width(layer), o); */
  /*@ assert result: \forall integer i, o; 0 <= i < n ==> 0 <= o < layer->out_dim ==>
        is_layer_jvp{Pre}(dy[row(i, layer->out_dim) + o], layer, n, storage, dx, i, o); */
}
