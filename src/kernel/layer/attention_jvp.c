/* dy = W_O [the Jacobian-vector products of the heads]: spec/layer/layer_jvp.acsl. */
#include "kernel/layer/attention.h"
#include "kernel/linear/index.h"

#include "kernel/layer/output_projection.h"

#ifdef __FRAMAC__
#include "head_framing/entry_separation_lemmas.acsl"
#include "layer/head_size_lemmas.acsl"
#include "layer_framing/jvp_columns_frame_lemmas.acsl"

#include "head/layer_jvp_of_head_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"
#endif

/* The rows dy (n x k) of one head's product and its scratch can be written; what the products read is outside a
 * block. */
/*@ predicate jvp_room{L}(double *dy, double *scratch, integer n, integer k) =
      \valid(dy + (0 .. row(n, k) - 1)) && \valid(scratch + (0 .. 3 * row(n, k) + n - 1)) &&
      \separated(dy + (0 .. row(n, k) - 1), scratch + (0 .. 3 * row(n, k) + n - 1));

    predicate jvp_outside{L}(attention_state *state, double *dx, double *block, integer size) =
      state_outside(state, block, size) &&
      \separated(block + (0 .. size - 1), dx + (0 .. row(state->n, state->layer->dim) - 1));

    // at L2, dy holds the rows dy_i^h (n x k) of L1
    predicate holds_product{L1, L2}(double *dy, attcert_layer *layer, integer n, integer k, double *storage, double *dx,
                                    integer h) =
      \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        \at(dy[row(i, k) + r], L2) == state_jvp{L1}(layer, n, storage, dx, h, i, r); */

/* Rows dy_i^h (n x k) of head h of the layer, whose arrays are in the storage s. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_weights_readable(head) && head_state_readable(head);
    requires view: \valid_read(layer) && is_view(*head, layer, h, head->n, head->query);
    requires input: \valid_read(dx + (0 .. row(head->n, head->dim) - 1));
    requires room: jvp_room(dy, scratch, head->n, head->head_dim);
    requires outside: head_outside(head, dy, row(head->n, head->head_dim)) &&
                      head_outside(head, scratch, 3 * row(head->n, head->head_dim) + head->n);
    requires storage_outside: outside(head->query, head_size(layer, head->n), dy, row(head->n, head->head_dim)) &&
                              outside(head->query, head_size(layer, head->n), scratch,
                                      3 * row(head->n, head->head_dim) + head->n);
    requires input_outside: outside(dx, row(head->n, head->dim), dy, row(head->n, head->head_dim)) &&
                            outside(dx, row(head->n, head->dim), scratch, 3 * row(head->n, head->head_dim) + head->n);
    terminates \true;
    assigns dy[0 .. row(head->n, head->head_dim) - 1], scratch[0 .. 3 * row(head->n, head->head_dim) + head->n - 1];
    ensures result: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
      dy[row(i, head->head_dim) + r] == layer_head_jvp{Pre}(layer, head->n, head->query, dx, h, i, r); */
static void head_product(double *dy, double *scratch, const attention_head *head, const attcert_layer *layer, int h,
                         const double *dx) {
  (void)layer; /* only the proof needs it, and h */
  (void)h;
  //@ ghost const int n = head->n, k = head->head_dim;
  //@ ghost const double *s = head->query;
  //@ ghost Start:;
  //@ assert sizes: 0 <= row(n, k) && 0 <= row(n, n);
  //@ assert root_apart: \separated(&head->root, dy + (0 .. row(n, k) - 1));
  //@ assert root_apart_scratch: \separated(&head->root, scratch + (0 .. 3 * row(n, k) + n - 1));
  /*@ assert entry_apart: \forall integer e; 0 <= e < head_size(layer, n) ==>
        \separated(s + e, dy + (0 .. row(n, k) - 1)); */
  /*@ assert entry_apart_scratch: \forall integer e; 0 <= e < head_size(layer, n) ==>
        \separated(s + e, scratch + (0 .. 3 * row(n, k) + n - 1)); */
  attention_head_jvp(dy, head, dx, scratch);
  //@ assert root: head->root == \at(head->root, Pre);
  //@ assert kept: \forall integer e; 0 <= e < head_size(layer, n) ==> s[e] == \at(s[e], Start);
  //@ assert stored: entries_same{Pre, Here}(s, head_size(layer, n));
  //@ assert view: is_view{Pre}(*head, layer, h, n, s);
  //@ assert query_rows: product_rows{Pre, Here}(scratch, head->query_weight, dx, n, k, head->dim);
  //@ assert key_rows: product_rows_at{Pre, Here}(scratch, row(n, k), head->key_weight, dx, n, k, head->dim);
  //@ assert value_rows: product_rows_at{Pre, Here}(scratch, 2 * row(n, k), head->value_weight, dx, n, k, head->dim);
  //@ assert images: head_images{Pre, Here}(head, dx, scratch, n, k);
  //@ assert formula: head_jvp_rows(head, dy, scratch, n, k);
  /*@ assert rows: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        dy[row(i, k) + r] == layer_head_jvp{Pre}(layer, n, s, dx, h, i, r); */
}

/* The same, of the state: the view of the head lives here. */
/*@ requires valid: state_sides(state) && 1 <= state->n && state_readable(state) && 0 <= h < state->layer->heads;
    requires input: \valid_read(dx + (0 .. row(state->n, state->layer->dim) - 1));
    requires room: jvp_room(dy, scratch, state->n, state->layer->head_dim);
    requires outside: jvp_outside(state, dx, dy, row(state->n, state->layer->head_dim)) &&
                      jvp_outside(state, dx, scratch, 3 * row(state->n, state->layer->head_dim) + state->n);
    terminates \true;
    assigns dy[0 .. row(state->n, state->layer->head_dim) - 1],
            scratch[0 .. 3 * row(state->n, state->layer->head_dim) + state->n - 1];
    ensures result: holds_product{Pre, Post}(dy, state->layer, state->n, state->layer->head_dim, state->storage, dx,
                                             h); */
static void state_product(double *dy, double *scratch, const attention_state *state, int h, const double *dx) {
  const attcert_layer *layer = state->layer;
  //@ ghost const int n = state->n, d = layer->dim, k = layer->head_dim;
  //@ ghost const double *storage = state->storage;
  //@ assert query_stack: stack_readable(layer, layer->query_weight);
  //@ assert key_stack: stack_readable(layer, layer->key_weight);
  //@ assert value_stack: stack_readable(layer, layer->value_weight);
  //@ assert query_bias: biases_readable(layer, layer->query_bias);
  //@ assert key_bias: biases_readable(layer, layer->key_bias);
  //@ assert value_bias: biases_readable(layer, layer->value_bias);
  //@ assert heads: heads_readable(layer);
  //@ assert blocks: readable(storage, row(layer->heads, head_size(layer, n)));
  //@ assert room: jvp_room(dy, scratch, n, k);
  //@ assert sizes: 0 <= row(n, d) && 0 <= row(n, k) && 0 <= row(n, n);
  //@ assert size: 0 <= head_size(layer, n);
  //@ assert columns: 0 <= row(h, k) && row(h, k) + k <= width(layer);
  //@ assert stack: 0 <= row(row(h, k), d) && row(row(h, k), d) + row(k, d) <= row(row(layer->heads, k), d);
  //@ assert head: head_inside(layer, h);
  /*@ assert block: 0 <= row(h, head_size(layer, n)) &&
        row(h, head_size(layer, n)) + head_size(layer, n) <= row(layer->heads, head_size(layer, n)); */
  //@ assert blocks_outside: outside(storage, row(layer->heads, head_size(layer, n)), dy, row(n, k));
  //@ assert blocks_apart: outside(storage, row(layer->heads, head_size(layer, n)), scratch, 3 * row(n, k) + n);
  const attention_head head = attention_state_head(state, h);
  //@ ghost const double *s = head.query;
  //@ assert view: is_view(head, layer, h, n, s);
  //@ assert place: s == storage + row(h, head_size(layer, n));
  //@ assert head_apart: \separated(dy + (0 .. row(n, k) - 1), &head);
  //@ assert head_apart_scratch: \separated(scratch + (0 .. 3 * row(n, k) + n - 1), &head);
  //@ assert sides: head_sides(&head);
  //@ assert weights: head_weights_readable(&head);
  //@ assert stored: readable(s, head_size(layer, n));
  //@ assert arrays: head_state_readable(&head);
  //@ assert stored_outside: outside(s, head_size(layer, n), dy, row(n, k));
  //@ assert stored_apart: outside(s, head_size(layer, n), scratch, 3 * row(n, k) + n);
  //@ assert heads_outside: heads_outside(layer, dy, row(n, k));
  //@ assert heads_apart: heads_outside(layer, scratch, 3 * row(n, k) + n);
  //@ assert dims: head.n == n && head.head_dim == k && head.dim == d;
  //@ assert outside: head_outside(&head, dy, row(head.n, head.head_dim));
  //@ assert scratch_apart: head_outside(&head, scratch, 3 * row(n, k) + n);
  //@ assert scratch_outside: head_outside(&head, scratch, 3 * row(head.n, head.head_dim) + head.n);
  /*@ assert entries: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        layer_head_jvp(layer, n, s, dx, h, i, r) == state_jvp{Pre}(layer, n, storage, dx, h, i, r); */
  //@ assert state: state->layer == layer && state->n == n && state->storage == storage && layer->head_dim == k;
  //@ ghost View:;
  head_product(dy, scratch, &head, layer, h, dx);
  /*@ assert product: \forall integer i, r; 0 <= i < head.n ==> 0 <= r < head.head_dim ==>
        dy[row(i, head.head_dim) + r] == layer_head_jvp{View}(layer, head.n, head.query, dx, h, i, r); */
  //@ assert same_dims: head.n == n && head.head_dim == k && head.query == s;
  /*@ assert product_rows: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        dy[row(i, k) + r] == layer_head_jvp{View}(layer, n, s, dx, h, i, r); */
  /*@ assert rows: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        dy[row(i, k) + r] == state_jvp{Pre}(layer, n, storage, dx, h, i, r); */
  //@ assert held: holds_product{Pre, Here}(dy, layer, n, k, storage, dx, h);
}

/* The same, into the columns of head h of concatenation (n x H k); dy and scratch serve it. */
/*@ requires valid: state_sides(state) && 1 <= state->n && state_readable(state) && 0 <= h < state->layer->heads;
    requires input: \valid_read(dx + (0 .. row(state->n, state->layer->dim) - 1));
    requires columns: \valid(concatenation + (0 .. row(state->n, width(state->layer)) - 1));
    requires room: jvp_room(dy, scratch, state->n, state->layer->head_dim);
    requires outside: jvp_outside(state, dx, dy, row(state->n, state->layer->head_dim)) &&
                      jvp_outside(state, dx, scratch, 3 * row(state->n, state->layer->head_dim) + state->n);
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
static void join_head(double *concatenation, double *dy, double *scratch, const attention_state *state, int h,
                      const double *dx) {
  const attcert_layer *layer = state->layer;
  //@ ghost const int n = state->n, k = layer->head_dim;
  //@ ghost const double *storage = state->storage;
  //@ ghost Start:;
  //@ assert sizes: 0 <= row(n, k);
  //@ assert columns: 0 <= row(h, k) && row(h, k) + k <= width(layer);
  /*@ assert inside: \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==>
                     0 <= row(i, width(layer)) + e < row(n, width(layer)); */
  state_product(dy, scratch, state, h, dx);
  /*@ assert kept: \forall integer e; 0 <= e < row(n, width(layer)) ==>
        concatenation[e] == \at(concatenation[e], Start); */
  /*@ assert same: \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==>
        concatenation[row(i, width(layer)) + e] == \at(concatenation[row(i, width(layer)) + e], Start); */
  /*@ assert products: \forall integer i, e; 0 <= i < n ==> in_head(layer, h, e) ==>
        dy[row(i, k) + (e - row(h, k))] == jvp_column{Pre}(layer, n, storage, dx, h, i, e); */
  heads_join(concatenation, dy, layer, h, state->n);
  /*@ assert left: \forall integer i, e; 0 <= i < n ==> 0 <= e < row(h, k) ==>
        concatenation[row(i, width(layer)) + e] == \at(concatenation[row(i, width(layer)) + e], Start); */
  /*@ assert written: \forall integer i, e; 0 <= i < n ==> row(h, k) <= e < row(h, k) + k ==>
        concatenation[row(i, width(layer)) + e] == jvp_column{Pre}(layer, n, storage, dx, h, i, e); */
}

/* Rows [dy_i^1; ...; dy_i^H] (n x H k); room, behind them, serves all heads in turn. */
/*@ requires valid: state_sides(state) && 1 <= state->n && state_readable(state);
    requires input: \valid_read(dx + (0 .. row(state->n, state->layer->dim) - 1));
    requires columns: \valid(concatenation + (0 .. row(state->n, width(state->layer)) - 1));
    requires room: \valid(room + (0 .. 4 * row(state->n, state->layer->head_dim) + state->n - 1));
    requires outside: jvp_outside(state, dx, concatenation, row(state->n, width(state->layer))) &&
                      jvp_outside(state, dx, room, 4 * row(state->n, state->layer->head_dim) + state->n);
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
  /*@ assert rows_apart: stack_outside(layer, layer->query_weight, room, row(n, k)) &&
        stack_outside(layer, layer->key_weight, room, row(n, k)) &&
        stack_outside(layer, layer->value_weight, room, row(n, k)); */
  //@ assert rows_query_bias: biases_outside(layer, layer->query_bias, room, row(n, k));
  //@ assert rows_key_bias: biases_outside(layer, layer->key_bias, room, row(n, k));
  //@ assert rows_value_bias: biases_outside(layer, layer->value_bias, room, row(n, k));
  //@ assert rows_heads_outside: heads_outside(layer, room, row(n, k));
  /*@ assert rows_storage: \separated(room + (0 .. row(n, k) - 1),
                                     storage + (0 .. row(layer->heads, head_size(layer, n)) - 1)); */
  //@ assert rows_state_outside: state_outside(state, room, row(n, k));
  //@ assert rows_outside: jvp_outside(state, dx, room, row(n, k));
  //@ assert scratch_inside: head_scratch == room + row(n, k);
  /*@ assert scratch_apart: stack_outside(layer, layer->query_weight, head_scratch, 3 * row(n, k) + n) &&
        stack_outside(layer, layer->key_weight, head_scratch, 3 * row(n, k) + n) &&
        stack_outside(layer, layer->value_weight, head_scratch, 3 * row(n, k) + n); */
  //@ assert scratch_query_bias: biases_outside(layer, layer->query_bias, head_scratch, 3 * row(n, k) + n);
  //@ assert scratch_key_bias: biases_outside(layer, layer->key_bias, head_scratch, 3 * row(n, k) + n);
  //@ assert scratch_value_bias: biases_outside(layer, layer->value_bias, head_scratch, 3 * row(n, k) + n);
  //@ assert scratch_heads_outside: heads_outside(layer, head_scratch, 3 * row(n, k) + n);
  /*@ assert scratch_storage: \separated(head_scratch + (0 .. 3 * row(n, k) + n - 1),
                                        storage + (0 .. row(layer->heads, head_size(layer, n)) - 1)); */
  //@ assert scratch_state_outside: state_outside(state, head_scratch, 3 * row(n, k) + n);
  //@ assert scratch_outside: jvp_outside(state, dx, head_scratch, 3 * row(n, k) + n);
  //@ assert room: jvp_room(room, head_scratch, n, k);
  /*@ assert query_outside:
        outside(layer->query_weight, row(width(layer), layer->dim), concatenation, row(n, width(layer))) &&
        outside(layer->query_weight, row(width(layer), layer->dim), room, 4 * row(n, k) + n); */
  /*@ assert key_outside:
        outside(layer->key_weight, row(width(layer), layer->dim), concatenation, row(n, width(layer))) &&
        outside(layer->key_weight, row(width(layer), layer->dim), room, 4 * row(n, k) + n); */
  /*@ assert value_outside:
        outside(layer->value_weight, row(width(layer), layer->dim), concatenation, row(n, width(layer))) &&
        outside(layer->value_weight, row(width(layer), layer->dim), room, 4 * row(n, k) + n); */
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
    //@ assert storage: entries_same{Pre, Before}(storage, row(layer->heads, head_size(layer, n)));
    //@ assert inputs: jvp_inputs_same{Pre, Before}(layer, n, storage, dx);
    //@ assert columns: jvp_columns_same{Pre, Before}(layer, n, storage, dx, h);
    join_head(concatenation, room, head_scratch, state, h, dx);
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
        0 <= h < layer->heads ==> block_same{Pre, Here}(layer->output_weight + row(o, width(layer)), h,
          layer->head_dim); */
  //@ assert blocks: weight_same{Pre, Here}(layer);
  /*@ assert rows: \forall integer i; is_part(concatenation + row(i, width(layer)), concatenation,
        row(i, width(layer))); */
  /*@ assert held: \forall integer i; 0 <= i < n ==>
                   jvps_held{Pre, Here}(concatenation + row(i, width(layer)), layer, n, storage, dx, i); */
  /*@ assert entries: \forall integer i, o; 0 <= i < n ==> 0 <= o < layer->out_dim ==>
        is_layer_jvp{Pre}(projected(layer->output_weight, \null, concatenation + row(i, width(layer)), width(layer), o),
                          layer, n, storage, dx, i, o); */
  /*@ assert any: \forall real e, integer i, o; 0 <= i < n ==> 0 <= o < layer->out_dim ==>
        e == projected(layer->output_weight, \null, concatenation + row(i, width(layer)), width(layer), o) ==>
        is_layer_jvp{Pre}(e, layer, n, storage, dx, i, o); */
  //@ ghost Joined:;
  output_project(dy, layer, NULL, concatenation, n);
  /*@ assert written: \forall integer i, o; 0 <= i < n ==> 0 <= o < layer->out_dim ==>
        dy[row(i, layer->out_dim) + o] ==
        projected{Joined}(layer->output_weight, \null, concatenation + row(i, width(layer)), width(layer), o); */
  /*@ assert result: \forall integer i, o; 0 <= i < n ==> 0 <= o < layer->out_dim ==>
        is_layer_jvp{Pre}(dy[row(i, layer->out_dim) + o], layer, n, storage, dx, i, o); */
}
