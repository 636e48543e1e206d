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

/* What one head's product needs: room for its rows dy (n x k) and for its scratch, outside of what it reads. */
/*@ predicate jvp_room{L}(attention_head *head, double *dx, double *dy, double *scratch) =
      \valid(dy + (0 .. row(head->n, head->head_dim) - 1)) &&
      \valid(scratch + (0 .. 3 * row(head->n, head->head_dim) + head->n - 1)) &&
      \separated(dy + (0 .. row(head->n, head->head_dim) - 1), dx + (0 .. row(head->n, head->dim) - 1)) &&
      \separated(dy + (0 .. row(head->n, head->head_dim) - 1),
                 scratch + (0 .. 3 * row(head->n, head->head_dim) + head->n - 1)) &&
      \separated(scratch + (0 .. 3 * row(head->n, head->head_dim) + head->n - 1),
                 dx + (0 .. row(head->n, head->dim) - 1));

    predicate jvp_head_outside{L}(attention_head *head, double *dy, double *scratch) =
      head_outside(head, dy, row(head->n, head->head_dim)) &&
      head_outside(head, scratch, 3 * row(head->n, head->head_dim) + head->n); */

/* Rows dy_i^h (n x k) of head h of the layer. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_weights_readable(head) && head_state_readable(head);
    requires view: \valid_read(layer) && is_view(*head, layer, h, head->n, head->query);
    requires input: \valid_read(dx + (0 .. row(head->n, head->dim) - 1));
    requires room: jvp_room(head, dx, dy, scratch);
    requires outside: jvp_head_outside(head, dy, scratch);
    terminates \true;
    assigns dy[0 .. row(head->n, head->head_dim) - 1], scratch[0 .. 3 * row(head->n, head->head_dim) + head->n - 1];
    ensures result: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
      dy[row(i, head->head_dim) + r] == layer_head_jvp{Pre}(layer, head->n, head->query, dx, h, i, r); */
static void head_product(double *dy, const attention_head *head, const attcert_layer *layer, int h, const double *dx,
                         double *scratch) {
  (void)layer; /* only the proof needs it, and h */
  (void)h;
  //@ ghost const int n = head->n, k = head->head_dim;
  //@ ghost const double *s = head->query;
  //@ assert dy_apart: \separated(dy + (0 .. row(n, k) - 1), &head->root);
  //@ assert scratch_apart: \separated(scratch + (0 .. 3 * row(n, k) + n - 1), &head->root);
  /*@ assert queries_apart: \separated(dy + (0 .. row(n, k) - 1), head->query + (0 .. row(n, k) - 1)) &&
                        \separated(scratch + (0 .. 3 * row(n, k) + n - 1), head->query + (0 .. row(n, k) - 1)); */
  /*@ assert keys_apart: \separated(dy + (0 .. row(n, k) - 1), head->key + (0 .. row(n, k) - 1)) &&
                        \separated(scratch + (0 .. 3 * row(n, k) + n - 1), head->key + (0 .. row(n, k) - 1)); */
  /*@ assert values_apart: \separated(dy + (0 .. row(n, k) - 1), head->value + (0 .. row(n, k) - 1)) &&
                        \separated(scratch + (0 .. 3 * row(n, k) + n - 1), head->value + (0 .. row(n, k) - 1)); */
  /*@ assert outputs_apart: \separated(dy + (0 .. row(n, k) - 1), head->output + (0 .. row(n, k) - 1)) &&
                        \separated(scratch + (0 .. 3 * row(n, k) + n - 1), head->output + (0 .. row(n, k) - 1)); */
  /*@ assert weights_apart: \separated(dy + (0 .. row(n, k) - 1), head->weights + (0 .. row(n, n) - 1)) &&
                        \separated(scratch + (0 .. 3 * row(n, k) + n - 1), head->weights + (0 .. row(n, n) - 1)); */
  /*@ assert queries_entry_apart: \forall integer e; 0 <= e < row(n, k) ==>
        \separated(dy + (0 .. row(n, k) - 1), head->query + e) &&
        \separated(scratch + (0 .. 3 * row(n, k) + n - 1), head->query + e); */
  /*@ assert keys_entry_apart: \forall integer e; 0 <= e < row(n, k) ==>
        \separated(dy + (0 .. row(n, k) - 1), head->key + e) &&
        \separated(scratch + (0 .. 3 * row(n, k) + n - 1), head->key + e); */
  /*@ assert values_entry_apart: \forall integer e; 0 <= e < row(n, k) ==>
        \separated(dy + (0 .. row(n, k) - 1), head->value + e) &&
        \separated(scratch + (0 .. 3 * row(n, k) + n - 1), head->value + e); */
  /*@ assert outputs_entry_apart: \forall integer e; 0 <= e < row(n, k) ==>
        \separated(dy + (0 .. row(n, k) - 1), head->output + e) &&
        \separated(scratch + (0 .. 3 * row(n, k) + n - 1), head->output + e); */
  /*@ assert weights_entry_apart: \forall integer e; 0 <= e < row(n, n) ==>
        \separated(dy + (0 .. row(n, k) - 1), head->weights + e) &&
        \separated(scratch + (0 .. 3 * row(n, k) + n - 1), head->weights + e); */
  attention_head_jvp(dy, head, dx, scratch);
  //@ assert same_root: head->root == \at(head->root, Pre);
  //@ assert root: head->root == rroot(k);
  //@ assert kept_queries: \forall integer e; 0 <= e < row(n, k) ==> head->query[e] == \at(head->query[e], Pre);
  //@ assert same_queries: entries_same{Pre, Here}(head->query, row(n, k));
  //@ assert kept_keys: \forall integer e; 0 <= e < row(n, k) ==> head->key[e] == \at(head->key[e], Pre);
  //@ assert same_keys: entries_same{Pre, Here}(head->key, row(n, k));
  //@ assert kept_values: \forall integer e; 0 <= e < row(n, k) ==> head->value[e] == \at(head->value[e], Pre);
  //@ assert same_values: entries_same{Pre, Here}(head->value, row(n, k));
  //@ assert kept_outputs: \forall integer e; 0 <= e < row(n, k) ==> head->output[e] == \at(head->output[e], Pre);
  //@ assert same_outputs: entries_same{Pre, Here}(head->output, row(n, k));
  //@ assert kept_weights: \forall integer e; 0 <= e < row(n, n) ==> head->weights[e] == \at(head->weights[e], Pre);
  //@ assert same_weights: entries_same{Pre, Here}(head->weights, row(n, n));
  //@ assert reach: \forall integer i; head_reach(head, i) == layer_reach{Pre}(layer, i, n);
  //@ assert dims: k == layer->head_dim && head->dim == layer->dim;
  //@ assert value_place: head->value == s + 2 * row(n, layer->head_dim);
  //@ assert output_place: head->output == s + 3 * row(n, layer->head_dim);
  //@ assert stored_values: holds_value{Pre, Here}(head->value, layer, n, s, layer->head_dim);
  //@ assert stored_outputs: holds_output{Pre, Here}(head->output, layer, n, s, layer->head_dim);
  //@ assert queries: holds_query{Pre, Here}(head->query, layer, n, s, k);
  //@ assert keys: holds_key{Pre, Here}(head->key, layer, n, s, k);
  //@ assert values: holds_value{Pre, Here}(head->value, layer, n, s, k);
  //@ assert outputs: holds_output{Pre, Here}(head->output, layer, n, s, k);
  //@ assert weights: holds_weight{Pre, Here}(head->weights, layer, n, s);
  //@ assert arrays: jvp_stored{Pre, Here}(layer, n, s, head->weights, head->value, head->output, head->query, head->key, k);
  //@ assert query_rows: product_rows{Pre, Here}(scratch, head->query_weight, dx, n, k, head->dim);
  //@ assert key_part: product_rows_at{Pre, Here}(scratch, row(n, k), head->key_weight, dx, n, k, head->dim);
  //@ assert value_part: product_rows_at{Pre, Here}(scratch, 2 * row(n, k), head->value_weight, dx, n, k, head->dim);
  //@ assert key_rows: product_rows{Pre, Here}(scratch + row(n, k), head->key_weight, dx, n, k, head->dim);
  //@ assert value_rows: product_rows{Pre, Here}(scratch + 2 * row(n, k), head->value_weight, dx, n, k, head->dim);
  //@ assert query_image: is_image{Pre, Here}(scratch, layer, n, layer->query_weight, dx, h, k);
  //@ assert key_image: is_image{Pre, Here}(scratch + row(n, k), layer, n, layer->key_weight, dx, h, k);
  //@ assert value_image: is_image{Pre, Here}(scratch + 2 * row(n, k), layer, n, layer->value_weight, dx, h, k);
  //@ assert images: jvp_images{Pre, Here}(layer, n, dx, h, scratch, scratch + row(n, k), scratch + 2 * row(n, k), k);
  /*@ assert formula: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==> dy[row(i, k) + r] == jvp_head_entry(
        head->weights + row(i, n), head->value, head->output + row(i, k), scratch + 2 * row(n, k),
        head->query + row(i, k), scratch + row(i, k), head->key, scratch + row(n, k), head->root, k, r,
        layer_reach{Pre}(layer, i, n)); */
  /*@ assert rows: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        dy[row(i, k) + r] == layer_head_jvp{Pre}(layer, n, s, dx, h, i, r); */
}

/* Head h, into its columns of concatenation (n x H k); dy and scratch are its scratch. */
/*@ requires sides: state_sides(state) && 1 <= state->n && 0 <= h < state->layer->heads;
    requires valid: \valid_read(head) && head_sides(head) && head_weights_readable(head) && head_state_readable(head);
    requires view: is_view(*head, state->layer, h, state->n,
                           state->storage + row(h, head_size(state->layer, state->n)));
    requires input: \valid_read(dx + (0 .. row(head->n, head->dim) - 1));
    requires columns: \valid(concatenation + (0 .. row(state->n, width(state->layer)) - 1));
    requires room: jvp_room(head, dx, dy, scratch);
    requires outside: jvp_head_outside(head, dy, scratch);
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
static void join_product(double *concatenation, double *dy, double *scratch, const attention_state *state,
                         const attention_head *head, int h, const double *dx) {
  const attcert_layer *layer = state->layer;
  //@ ghost const int n = state->n;
  //@ ghost double *storage = state->storage;
  //@ ghost Start:;
  //@ assert sizes: 0 <= row(n, layer->head_dim);
  //@ assert columns: 0 <= row(h, layer->head_dim) && row(h, layer->head_dim) + layer->head_dim <= width(layer);
  /*@ assert inside: \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==>
                     0 <= row(i, width(layer)) + e < row(n, width(layer)); */
  head_product(dy, head, layer, h, dx, scratch);
  /*@ assert same: \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==>
        concatenation[row(i, width(layer)) + e] == \at(concatenation[row(i, width(layer)) + e], Start); */
  /*@ assert products: \forall integer i, r; 0 <= i < n ==> 0 <= r < layer->head_dim ==>
        dy[row(i, layer->head_dim) + r] == state_jvp{Pre}(layer, n, storage, dx, h, i, r); */
  /*@ assert product_columns: \forall integer i, e; 0 <= i < n ==> in_head(layer, h, e) ==>
        dy[row(i, layer->head_dim) + (e - row(h, layer->head_dim))] ==
        jvp_column{Pre}(layer, n, storage, dx, h, i, e); */
  heads_join(concatenation, dy, layer, h, state->n);
  /*@ assert left: \forall integer i, e; 0 <= i < n ==> 0 <= e < row(h, layer->head_dim) ==>
        concatenation[row(i, width(layer)) + e] == \at(concatenation[row(i, width(layer)) + e], Start); */
  /*@ assert written: \forall integer i, e; 0 <= i < n ==>
        row(h, layer->head_dim) <= e < row(h, layer->head_dim) + layer->head_dim ==>
        concatenation[row(i, width(layer)) + e] == jvp_column{Pre}(layer, n, storage, dx, h, i, e); */
}

/* The same, from the state; one head's view lives here. */
/*@ requires valid: state_sides(state) && 1 <= state->n && state_readable(state) && 0 <= h < state->layer->heads;
    requires input: \valid_read(dx + (0 .. row(state->n, state->layer->dim) - 1));
    requires columns: \valid(concatenation + (0 .. row(state->n, width(state->layer)) - 1));
    requires room: \valid(dy + (0 .. row(state->n, state->layer->head_dim) - 1)) &&
                   \valid(scratch + (0 .. 3 * row(state->n, state->layer->head_dim) + state->n - 1));
    requires outside: state_outside(state, dy, row(state->n, state->layer->head_dim)) &&
                      state_outside(state, scratch, 3 * row(state->n, state->layer->head_dim) + state->n);
    requires input_outside: \separated(dy + (0 .. row(state->n, state->layer->head_dim) - 1),
                                       dx + (0 .. row(state->n, state->layer->dim) - 1)) &&
                            \separated(scratch + (0 .. 3 * row(state->n, state->layer->head_dim) + state->n - 1),
                                       dx + (0 .. row(state->n, state->layer->dim) - 1));
    requires separated: \separated(dy + (0 .. row(state->n, state->layer->head_dim) - 1),
                                   scratch + (0 .. 3 * row(state->n, state->layer->head_dim) + state->n - 1));
    requires separated_columns: \separated(concatenation + (0 .. row(state->n, width(state->layer)) - 1),
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
  //@ ghost const attcert_layer *layer = state->layer;
  //@ ghost const int n = state->n, d = layer->dim, k = layer->head_dim;
  //@ ghost double *storage = state->storage;
  //@ assert sizes: 0 <= row(n, d) && 0 <= row(n, k) && 0 <= row(k, d) && 0 <= row(n, n) && 0 <= row(n, width(layer));
  //@ assert size: 0 <= head_size(layer, n);
  //@ assert dims: layer_dims_inside(layer);
  //@ assert rows: 0 <= row(h, k) && row(h, k) + k <= width(layer);
  //@ assert stack: 0 <= row(row(h, k), d) && row(row(h, k), d) + row(k, d) <= row(width(layer), d);
  /*@ assert block: 0 <= row(h, head_size(layer, n)) &&
        row(h, head_size(layer, n)) + head_size(layer, n) <= row(layer->heads, head_size(layer, n)); */
  //@ ghost Start:;
  const attention_head head = attention_state_head(state, h);
  //@ ghost Before:;
  //@ ghost double *s = head.query;
  //@ assert view: is_view(head, layer, h, n, s);
  //@ assert place: s == storage + row(h, head_size(layer, n));
  //@ assert sides: head_sides(&head);
  //@ assert query_stack: \valid_read(head.query_weight + (0 .. row(k, d) - 1));
  //@ assert key_stack: \valid_read(head.key_weight + (0 .. row(k, d) - 1));
  //@ assert value_stack: \valid_read(head.value_weight + (0 .. row(k, d) - 1));
  //@ assert query_bias: head.query_bias == \null || \valid_read(head.query_bias + (0 .. k - 1));
  //@ assert key_bias: head.key_bias == \null || \valid_read(head.key_bias + (0 .. k - 1));
  //@ assert value_bias: head.value_bias == \null || \valid_read(head.value_bias + (0 .. k - 1));
  //@ assert weights: head_weights_readable(&head);
  //@ assert readable: head_state_readable(&head);
  //@ assert apart: jvp_room(&head, dx, dy, scratch);
  //@ assert outside: jvp_head_outside(&head, dy, scratch);
  //@ assert query_weight: entries_same{Pre, Before}(layer->query_weight, row(width(layer), d));
  //@ assert key_weight: entries_same{Pre, Before}(layer->key_weight, row(width(layer), d));
  //@ assert value_weight: entries_same{Pre, Before}(layer->value_weight, row(width(layer), d));
  //@ assert input: entries_same{Pre, Before}(dx, row(n, d));
  //@ assert storage: entries_same{Pre, Before}(storage, row(layer->heads, head_size(layer, n)));
  //@ assert images: images_same{Pre, Before}(layer, n, dx, h);
  //@ assert array: entries_same{Pre, Before}(storage + row(h, head_size(layer, n)), head_size(layer, n));
  //@ assert stored: stored_same{Pre, Before}(layer, n, storage + row(h, head_size(layer, n)));
  //@ assert agrees: jvp_head_agrees{Pre, Before}(layer, n, storage + row(h, head_size(layer, n)), dx, h);
  /*@ assert entries: \forall integer i, r; 0 <= i < n ==> 0 <= r < layer->head_dim ==>
        state_jvp{Pre}(layer, n, storage, dx, h, i, r) == state_jvp{Before}(layer, n, storage, dx, h, i, r); */
  //@ assert columns: jvp_columns_same{Pre, Before}(layer, n, storage, dx, h);
  /*@ assert cells: \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==>
        matrix_cell{Start}(concatenation, width(layer), i, e) == matrix_cell{Before}(concatenation, width(layer), i, e); */
  join_product(concatenation, dy, scratch, state, &head, h, dx);
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
        0 <= h < layer->heads ==> block_same{Pre, Here}(layer->output_weight + row(o, width(layer)), h, layer->head_dim); */
  //@ assert blocks: weight_same{Pre, Here}(layer);
  /*@ assert rows: \forall integer i; is_part(concatenation + row(i, width(layer)), concatenation, row(i, width(layer))); */
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
