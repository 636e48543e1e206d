/* dx = sum_h (the vector-Jacobian product of head h of its columns of C W_O): spec/layer/layer_vjp.acsl. */
#include "kernel/layer/attention.h"
#include "kernel/linear/index.h"

#include "kernel/layer/output_projection.h"
#include "kernel/linear/vector.h"

#ifdef __FRAMAC__
#include "head_framing/unwritten_entries_lemmas.acsl"
#include "layer/head_size_lemmas.acsl"
#include "layer_framing/layer_separation_lemmas.acsl"

#include "head/layer_vjp_arrays_lemmas.acsl"
#include "head/layer_vjp_of_head_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"

#include "head_framing/view_frame_lemmas.acsl"

#include "head/view_of_layer_lemmas.acsl"
#endif

/* The room for a view lies apart from the arrays of the evaluated state, and from the blocks that are written. */
/*@ predicate view_apart{L}(attention_head *view, attention_state *state) =
      \separated(view, state->layer->query_weight + (0 .. row(width(state->layer), state->layer->dim) - 1)) &&
      \separated(view, state->layer->key_weight + (0 .. row(width(state->layer), state->layer->dim) - 1)) &&
      \separated(view, state->layer->value_weight + (0 .. row(width(state->layer), state->layer->dim) - 1)) &&
      \separated(view, state->storage + (0 .. row(state->layer->heads, head_size(state->layer, state->n)) - 1));

    predicate view_outside_room(attention_head *view, double *dx, integer out, double *concatenation, integer columns,
                                double *c_head, integer vectors, double *room, integer size) =
      \separated(view, dx + (0 .. out - 1)) && \separated(view, concatenation + (0 .. columns - 1)) &&
      \separated(view, c_head + (0 .. vectors - 1)) && \separated(view, room + (0 .. size - 1)); */

/* The view of head h; what is outside the state is outside the head. */
/*@ requires valid: state_sides(state) && 1 <= state->n && state_readable(state) && 0 <= h < state->layer->heads;
    requires out: \valid(view) && \separated(view, state) && \separated(view, state->layer);
    terminates \true;
    assigns *view;
    ensures view: is_view{Pre}(\at(*view, Post), state->layer, h, state->n,
                               state->storage + row(h, head_size(state->layer, state->n)));
    ensures place: view->query == \at(state->storage + row(h, head_size(state->layer, state->n)), Pre);
    ensures kept: state_kept{Pre, Post}(state);
    ensures valid: state_sides(state) && state_readable(state);
    ensures dims: view->n == \at(state->n, Pre) && view->dim == \at(state->layer->dim, Pre) &&
                  view->head_dim == \at(state->layer->head_dim, Pre);
    ensures sides: head_sides(view);
    ensures weights: head_weights_readable(view);
    ensures arrays: head_state_readable(view);
    ensures outside: \forall double *block, integer size; state_outside{Pre}(state, block, size) ==>
      \separated(view, block + (0 .. size - 1)) ==> head_outside(view, block, size); */
static void view_head(attention_head *view, const attention_state *state, int h) {
  //@ ghost const attcert_layer *layer = state->layer;
  //@ ghost const int n = state->n, d = layer->dim, k = layer->head_dim;
  //@ ghost double *storage = state->storage;
  //@ assert sizes: 0 <= row(n, k) && 0 <= row(n, n) && 0 <= row(k, d) && 0 <= head_size(layer, n);
  //@ assert rows: 0 <= row(h, k) && row(h, k) + k <= width(layer);
  //@ assert stack: 0 <= row(row(h, k), d) && row(row(h, k), d) + row(k, d) <= row(width(layer), d);
  /*@ assert block: 0 <= row(h, head_size(layer, n)) &&
        row(h, head_size(layer, n)) + head_size(layer, n) <= row(layer->heads, head_size(layer, n)); */
  //@ assert all_arrays: readable(storage, row(layer->heads, head_size(layer, n)));
  /*@ assert all_outside: \forall double *block, integer size; state_outside(state, block, size) ==>
        outside(storage, row(layer->heads, head_size(layer, n)), block, size); */
  /*@ assert apart_state: \separated(view, &state->n) && \separated(view, &state->layer) &&
        \separated(view, &state->storage); */
  /*@ assert apart_sizes: \separated(view, &layer->dim) && \separated(view, &layer->head_dim) &&
        \separated(view, &layer->heads) && \separated(view, &layer->mask); */
  /*@ assert apart_weights: \separated(view, &layer->query_weight) && \separated(view, &layer->key_weight) &&
        \separated(view, &layer->value_weight); */
  //@ assert apart_output: \separated(view, &layer->out_dim) && \separated(view, &layer->output_weight);
  /*@ assert apart_biases: \separated(view, &layer->query_bias) && \separated(view, &layer->key_bias) &&
        \separated(view, &layer->value_bias); */
  //@ ghost Start:;
  *view = attention_state_head(state, h);
  //@ assert state: state->layer == layer && state->n == n && state->storage == storage;
  /*@ assert sizes_same: layer->dim == d && layer->head_dim == k && layer->heads == \at(layer->heads, Start) &&
        layer->mask == \at(layer->mask, Start); */
  /*@ assert weights_same: layer->query_weight == \at(layer->query_weight, Start) &&
        layer->key_weight == \at(layer->key_weight, Start) && layer->value_weight == \at(layer->value_weight, Start); */
  /*@ assert biases_same: layer->query_bias == \at(layer->query_bias, Start) &&
        layer->key_bias == \at(layer->key_bias, Start) && layer->value_bias == \at(layer->value_bias, Start); */
  /*@ assert output_same: layer->out_dim == \at(layer->out_dim, Start) &&
        layer->output_weight == \at(layer->output_weight, Start); */
  //@ assert kept: layer_kept{Start, Here}(layer);
  //@ assert size: head_size(layer, n) == head_size{Start}(layer, n);
  //@ assert view_of_start: is_view{Start}(\at(*view, Here), layer, h, n, storage + row(h, head_size(layer, n)));
  //@ ghost double *s = view->query;
  //@ assert place: s == storage + row(h, head_size(layer, n));
  //@ assert view: is_view(*view, layer, h, n, s);
  //@ assert inside: head_inside(layer, h);
  //@ assert stacks: heads_readable(layer);
  //@ assert width: width(layer) == width{Start}(layer);
  //@ assert layer_sides: layer_sides(layer);
  //@ assert state_sides: state_sides(state);
  //@ assert storage: readable(storage, row(layer->heads, head_size(layer, n)));
  /*@ assert output: layer->output_weight == \null ||
                     \valid_read(layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1)); */
  //@ assert state_readable: state_readable(state);
  //@ assert stored: readable(s, head_size(layer, n));
  /*@ assert weights_outside: \forall double *block, integer size; state_outside{Pre}(state, block, size) ==>
        heads_outside(layer, block, size); */
  /*@ assert stored_outside: \forall double *block, integer size; state_outside{Pre}(state, block, size) ==>
        outside(s, head_size(layer, n), block, size); */
}

/* The product itself. concatenation (n x H k) is room for C W_O, view for the view of one head after the other, c_head
 * (n x k) for its columns of C W_O, and room for the scratch of its product. */
/*@ requires valid: state_sides(state) && 1 <= state->n && state_readable(state);
    requires input: \valid_read(c + (0 .. row(state->n, state->layer->out_dim) - 1));
    requires out: \valid(dx + (0 .. row(state->n, state->layer->dim) - 1));
    requires scratch: \valid(view) && \valid(concatenation + (0 .. row(state->n, width(state->layer)) - 1)) &&
                      \valid(c_head + (0 .. row(state->n, state->layer->head_dim) - 1)) &&
                      \valid(room + (0 .. 3 * row(state->n, state->layer->head_dim) + state->n - 1));
    requires outside: state_outside(state, dx, row(state->n, state->layer->dim)) &&
                      state_outside(state, concatenation, row(state->n, width(state->layer))) &&
                      state_outside(state, c_head, row(state->n, state->layer->head_dim)) &&
                      state_outside(state, room, 3 * row(state->n, state->layer->head_dim) + state->n);
    requires view: \separated(view, state) && \separated(view, state->layer) && view_apart(view, state) &&
                   view_outside_room(view, dx, row(state->n, state->layer->dim), concatenation,
                                     row(state->n, width(state->layer)), c_head, row(state->n, state->layer->head_dim),
                                     room, 3 * row(state->n, state->layer->head_dim) + state->n);
    requires separated: \separated(concatenation + (0 .. row(state->n, width(state->layer)) - 1),
                                   c + (0 .. row(state->n, state->layer->out_dim) - 1));
    requires separated_out: outside(concatenation, row(state->n, width(state->layer)), dx,
                                    row(state->n, state->layer->dim)) &&
                            outside(c_head, row(state->n, state->layer->head_dim), dx,
                                    row(state->n, state->layer->dim)) &&
                            outside(room, 3 * row(state->n, state->layer->head_dim) + state->n, dx,
                                    row(state->n, state->layer->dim));
    requires separated_scratch: outside(concatenation, row(state->n, width(state->layer)), c_head,
                                        row(state->n, state->layer->head_dim)) &&
                                outside(concatenation, row(state->n, width(state->layer)), room,
                                        3 * row(state->n, state->layer->head_dim) + state->n) &&
                                outside(c_head, row(state->n, state->layer->head_dim), room,
                                        3 * row(state->n, state->layer->head_dim) + state->n);
    terminates \true;
    assigns *view, dx[0 .. row(state->n, state->layer->dim) - 1],
            concatenation[0 .. row(state->n, width(state->layer)) - 1],
            c_head[0 .. row(state->n, state->layer->head_dim) - 1],
            room[0 .. 3 * row(state->n, state->layer->head_dim) + state->n - 1];
    ensures kept: state_kept{Pre, Post}(state);
    ensures result: holds_sum{Pre, Post}(dx, \at(state->layer, Pre), \at(state->n, Pre), \at(state->storage, Pre), c,
                                         \at(state->n, Pre), \at(state->layer->dim, Pre),
                                         \at(state->layer->heads, Pre)); */
static void sum_heads(double *dx, attention_head *view, const attention_state *state, const double *c,
                      double *concatenation, double *c_head, double *room) {
  const attcert_layer *layer = state->layer;
  const int n = state->n, d = layer->dim, heads = layer->heads;
  //@ ghost const int k = layer->head_dim;
  //@ ghost const double *query = layer->query_weight, *key = layer->key_weight, *value = layer->value_weight;
  //@ ghost double *storage = state->storage;
  //@ ghost Start:;
  //@ assert sizes: 0 <= row(n, d) && 0 <= row(n, k) && 0 <= row(k, d) && 0 <= row(n, n) && 0 <= row(n, width(layer));
  //@ assert size: 0 <= head_size(layer, n);
  /*@ assert stacks: \forall integer q; 0 <= q < heads ==>
        0 <= row(row(q, k), d) && row(row(q, k), d) + row(k, d) <= row(row(heads, k), d); */
  /*@ assert columns: \forall integer q; 0 <= q < heads ==> 0 <= row(q, k) && row(q, k) + k <= width(layer); */
  //@ assert rows: \forall integer q; 0 <= q < heads ==> head_inside(layer, q);
  /*@ assert blocks: \forall integer q; 0 <= q < heads ==> 0 <= row(q, head_size(layer, n)) &&
        row(q, head_size(layer, n)) + head_size(layer, n) <= row(heads, head_size(layer, n)); */
  /*@ assert query_unwritten: unwritten(query, row(width(layer), d),
        view, dx, row(n, d), c_head, row(n, k), room, 3 * row(n, k) + n); */
  //@ assert query_apart: entries_outside(query, row(width(layer), d), concatenation, row(n, width(layer)));
  /*@ assert key_unwritten: unwritten(key, row(width(layer), d),
        view, dx, row(n, d), c_head, row(n, k), room, 3 * row(n, k) + n); */
  //@ assert key_apart: entries_outside(key, row(width(layer), d), concatenation, row(n, width(layer)));
  /*@ assert value_unwritten: unwritten(value, row(width(layer), d),
        view, dx, row(n, d), c_head, row(n, k), room, 3 * row(n, k) + n); */
  //@ assert value_apart: entries_outside(value, row(width(layer), d), concatenation, row(n, width(layer)));
  /*@ assert storage_unwritten: unwritten(storage, row(heads, head_size(layer, n)),
        view, dx, row(n, d), c_head, row(n, k), room, 3 * row(n, k) + n); */
  /*@ assert storage_apart: entries_outside(storage, row(heads, head_size(layer, n)), concatenation,
                                            row(n, width(layer))); */
  /*@ assert columns_unwritten: unwritten(concatenation, row(n, width(layer)),
        view, dx, row(n, d), c_head, row(n, k), room, 3 * row(n, k) + n); */
  //@ assert room_head: \separated(room + (0 .. 3 * row(n, k) + n - 1), c_head + (0 .. row(n, k) - 1));
  //@ assert out_room: \separated(dx + (0 .. row(n, d) - 1), room + (0 .. 3 * row(n, k) + n - 1));
  //@ assert out_view: \forall integer e; 0 <= e < row(n, d) ==> \separated(view, dx + e);
  //@ assert out_outside: outside(dx, row(n, d), c_head, row(n, k));
  //@ assert out_apart: \forall integer e; 0 <= e < row(n, d) ==> \separated(c_head + (0 .. row(n, k) - 1), dx + e);
  //@ assert head_apart: \forall integer e; 0 <= e < row(n, k) ==> \separated(view, c_head + e);
  output_project_transposed(concatenation, layer, c, n);
  /*@ assert product: \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==>
        concatenation[row(i, width(layer)) + e] == output_cotangent{Start}(layer, c, i, e); */
  //@ assert projected: holds_cotangents{Start, Here}(concatenation, layer, c, n, width(layer));
  //@ ghost Projected:;
  vector_zero(dx, row_offset(n, d, n));
  //@ ghost Zero:;
  //@ assert query_zeroed: entries_same{Start, Here}(query, row(width(layer), d));
  //@ assert key_zeroed: entries_same{Start, Here}(key, row(width(layer), d));
  //@ assert value_zeroed: entries_same{Start, Here}(value, row(width(layer), d));
  //@ assert storage_zeroed: entries_same{Start, Here}(storage, row(heads, head_size(layer, n)));
  //@ assert columns_zeroed: entries_same{Projected, Here}(concatenation, row(n, width(layer)));
  //@ assert held: holds_cotangents{Start, Here}(concatenation, layer, c, n, width(layer));
  /*@ assert zero: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
        dx[row(l, d) + j] == layer_vjp{Start}(layer, n, storage, c, l, j, 0); */
  //@ assert none: holds_sum{Start, Here}(dx, layer, n, storage, c, n, d, 0);
  /*@ loop invariant range: 0 <= h <= heads;
      loop invariant kept: state_kept{Start, Here}(state);
      loop invariant valid: state_sides(state) && state_readable(state);
      loop invariant sum: holds_sum{Start, Here}(dx, layer, n, storage, c, n, d, h);
      loop assigns h, *view, dx[0 .. row(n, d) - 1], c_head[0 .. row(n, k) - 1], room[0 .. 3 * row(n, k) + n - 1];
      loop variant heads - h; */
  for (int h = 0; h < heads; h++) {
    //@ ghost Before:;
    /*@ assert entered: \forall double *p; fixed(p, view, dx, row(n, d), c_head, row(n, k), room, 3 * row(n, k) + n) ==>
          \at(*p, Zero) == \at(*p, Here); */
    //@ assert layer: state->layer == layer && state->n == n && state->storage == storage;
    //@ assert dims: layer->dim == d && layer->head_dim == k && layer->heads == heads;
    /*@ assert width: width(layer) == \at(width(layer), Start) &&
          head_size(layer, n) == \at(head_size(layer, n), Start); */
    //@ assert kept_back: layer_kept{Here, Start}(layer);
    //@ assert dx_apart: state_outside(state, dx, row(n, d));
    //@ assert room_apart: state_outside(state, room, 3 * row(n, k) + n);
    //@ assert inside: 0 <= row(h, k) && row(h, k) + k <= \at(width(layer), Start);
    //@ assert columns_same: entries_same{Zero, Here}(concatenation, row(n, \at(width(layer), Start)));
    //@ assert columns: holds_cotangents{Start, Here}(concatenation, layer, c, n, \at(width(layer), Start));
    heads_split(c_head, concatenation, layer, h, n);
    //@ ghost Split:;
    /*@ assert taken_there: taken{Before, Here}(c_head, concatenation, n, layer->head_dim, width(layer),
                                                row(h, layer->head_dim)); */
    //@ assert taken: taken{Before, Here}(c_head, concatenation, n, k, \at(width(layer), Start), row(h, k));
    //@ assert taken_columns: holds_columns{Start, Here}(c_head, layer, c, h, n, k);
    //@ assert out_split: entries_same{Before, Here}(dx, row(n, d));
    //@ assert sum_split: holds_sum{Start, Here}(dx, layer, n, storage, c, n, d, h);
    //@ assert split: others_same{Zero, Here}(view, dx, row(n, d), c_head, row(n, k), room, 3 * row(n, k) + n);
    view_head(view, state, h);
    //@ assert apart_kept: \forall double *p; \separated(view, p) ==> \at(*p, Split) == \at(*p, Here);
    //@ assert viewed: others_same{Zero, Here}(view, dx, row(n, d), c_head, row(n, k), room, 3 * row(n, k) + n);
    //@ assert columns_viewed: entries_same{Split, Here}(c_head, row(n, k));
    //@ assert head_columns: holds_columns{Start, Here}(c_head, layer, c, h, n, k);
    //@ assert out_viewed: entries_same{Split, Here}(dx, row(n, d));
    //@ assert sum_viewed: holds_sum{Start, Here}(dx, layer, n, storage, c, n, d, h);
    //@ assert kept: state_kept{Start, Here}(state);
    //@ ghost double *s = view->query;
    //@ assert place: s == storage + row(h, \at(head_size(layer, n), Start));
    //@ assert view: is_view{Split}(\at(*view, Here), layer, h, n, s);
    //@ assert view_of_start: is_view{Start}(\at(*view, Here), layer, h, n, s);
    //@ assert view_dims: view->n == n && view->dim == d && view->head_dim == k;
    //@ assert dx_outside: head_outside(view, dx, row(n, d));
    //@ assert room_outside: head_outside(view, room, 3 * row(n, k) + n);
    //@ assert query_same: entries_same{Start, Here}(query, \at(row(width(layer), d), Start));
    //@ assert key_same: entries_same{Start, Here}(key, \at(row(width(layer), d), Start));
    //@ assert value_same: entries_same{Start, Here}(value, \at(row(width(layer), d), Start));
    //@ assert storage_same: entries_same{Start, Here}(storage, \at(row(heads, head_size(layer, n)), Start));
    //@ assert head_same: entries_same{Start, Here}(s, \at(head_size(layer, n), Start));
    //@ assert like: head_like{Start, Here}(layer, n, view);
    //@ assert arrays: head_stored{Start, Here}(layer, n, s, view);
    //@ assert weights: head_weighs{Start, Here}(layer, h, view);
    //@ assert cotangents: head_cotangents{Start, Here}(layer, c, h, view, c_head);
    //@ assert of_layer: head_of_layer{Start, Here}(layer, n, s, c, h, view, c_head);
    /*@ assert entries: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
          head_vjp_entry(view, c_head, l, j) == layer_head_vjp{Start}(layer, n, s, c, h, l, j); */
    //@ assert summand: has_summand{Start, Here}(view, c_head, layer, n, s, c, h, n, d);
    //@ ghost Ready:;
    attention_head_vjp_add(dx, view, c_head, room);
    //@ assert added_there: summand_added{Ready, Here}(dx, view, c_head, view->n, view->dim);
    //@ assert added: summand_added{Ready, Here}(dx, view, c_head, n, d);
    //@ assert next: holds_sum{Start, Here}(dx, layer, n, storage, c, n, d, h + 1);
  }
}

void attention_vjp(double *dx, const attention_state *state, const double *c, double *scratch) {
  const attcert_layer *layer = state->layer;
  const int n = state->n, k = layer->head_dim, width = row_offset(layer->heads, k, layer->heads);
  double *concatenation = scratch, *c_head = concatenation + row_offset(n, width, n);
  double *room = c_head + row_offset(n, k, n);
  //@ ghost const int d = layer->dim, heads = layer->heads;
  //@ ghost double *storage = state->storage;
  //@ ghost Start:;
  //@ assert sizes: 0 <= row(n, width(layer)) && 0 <= row(n, k) && 0 <= row(n, layer->dim);
  //@ assert width: width == width(layer);
  //@ assert place: c_head == scratch + row(n, width(layer)) && room == c_head + row(n, k);
  //@ assert valid: \valid(concatenation + (0 .. row(n, width(layer)) - 1)) && \valid(c_head + (0 .. row(n, k) - 1));
  //@ assert room_valid: \valid(room + (0 .. 3 * row(n, k) + n - 1));
  //@ assert room_place: room == scratch + (row(n, width(layer)) + row(n, k));
  //@ assert size: product_room(state) == row(n, width(layer)) + 4 * row(n, k) + n;
  //@ assert outside: heads_outside(layer, c_head, 4 * row(n, k) + n);
  //@ assert heads_head: heads_outside(layer, c_head, row(n, k));
  //@ assert heads_room: heads_outside(layer, room, 3 * row(n, k) + n);
  //@ assert head_outside: state_outside(state, c_head, row(n, k));
  //@ assert room_outside: state_outside(state, room, 3 * row(n, k) + n);
  //@ assert input: outside(c, row(n, layer->out_dim), concatenation, row(n, width(layer)));
  //@ assert columns_out: outside(concatenation, row(n, width(layer)), dx, row(n, layer->dim));
  //@ assert head_out: outside(c_head, row(n, k), dx, row(n, layer->dim));
  //@ assert room_out: outside(room, 3 * row(n, k) + n, dx, row(n, layer->dim));
  //@ assert columns_head: outside(concatenation, row(n, width(layer)), c_head, row(n, k));
  //@ assert columns_room: outside(concatenation, row(n, width(layer)), room, 3 * row(n, k) + n);
  //@ assert head_room: outside(c_head, row(n, k), room, 3 * row(n, k) + n);
  attention_head view;
  //@ assert sides: state_sides(state);
  //@ assert query_readable: stack_readable(layer, layer->query_weight);
  //@ assert key_readable: stack_readable(layer, layer->key_weight);
  //@ assert value_readable: stack_readable(layer, layer->value_weight);
  //@ assert query_bias: biases_readable(layer, layer->query_bias);
  //@ assert key_bias: biases_readable(layer, layer->key_bias);
  //@ assert value_bias: biases_readable(layer, layer->value_bias);
  //@ assert storage: \valid_read(state->storage + (0 .. row(layer->heads, head_size(layer, n)) - 1));
  /*@ assert output: layer->output_weight == \null ||
                     \valid_read(layer->output_weight + (0 .. row(layer->out_dim, width(layer)) - 1)); */
  //@ assert readable: state_readable(state);
  sum_heads(dx, &view, state, c, concatenation, c_head, room);
  //@ assert kept: state_kept{Start, Here}(state);
  //@ assert summed: holds_sum{Start, Here}(dx, layer, n, storage, c, n, d, heads);
  /*@ assert sums: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
        dx[row(l, d) + j] == layer_vjp{Start}(layer, n, storage, c, l, j, heads); */
  //@ assert state: state->layer == layer && state->n == n && state->storage == storage;
  //@ assert layer: layer->dim == d && layer->heads == heads;
}
