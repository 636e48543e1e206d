/* dx = sum_h (the vector-Jacobian product of head h of its columns of C W_O): spec/layer_vjp.acsl. */
#include "kernel/attention.h"
#include "kernel/block.h"
#include "kernel/index.h"
#include "kernel/output_projection.h"
#include "kernel/vector.h"

#ifdef __FRAMAC__
#include "head_outside.acsl"
#include "head_size.acsl"
#include "layer_vjp_of_head.acsl"
#include "row_exchange.acsl"
#include "row_of_rows.acsl"
#include "view_of_layer.acsl"
#endif

void attention_vjp(double *dx, const attention_state *state, const double *c, double *scratch) {
  const attcert_layer *layer = state->layer;
  const int n = state->n, d = layer->dim, k = layer->head_dim, vectors = row_offset(n, k, n);
  const size_t heads = (size_t)layer->heads;
  double *concatenation = scratch, *c_head = concatenation + block_offset(heads, (size_t)vectors, heads);
  //@ ghost Start:;
  //@ assert columns: row(layer->heads, row(n, k)) == row(n, width(layer));
  //@ assert sizes: 0 <= row(n, d) && 0 <= row(n, k) && 0 <= row(k, d) && 0 <= row(n, n);
  //@ assert width: 0 <= row(n, width(layer));
  //@ assert place: c_head == scratch + row(n, width(layer));
  //@ assert columns_valid: \valid(concatenation + (0 .. row(n, width(layer)) - 1));
  //@ assert room_valid: \valid(c_head + (0 .. 4 * row(n, k) + n - 1));
  //@ assert apart: \separated(c_head + (0 .. 4 * row(n, k) + n - 1), concatenation + (0 .. row(n, width(layer)) - 1));
  //@ assert room_apart: \separated(dx + (0 .. row(n, d) - 1), c_head + (0 .. 4 * row(n, k) + n - 1));
  //@ assert room_outside: state_outside(state, c_head, 4 * row(n, k) + n);
  /*@ assert rows_inside: \forall integer h; 0 <= h < layer->heads ==>
        0 <= row(row(h, k), d) && row(row(h, k), d) + row(k, d) <= row(row(layer->heads, k), d); */
  /*@ assert columns_inside: \forall integer h; 0 <= h < layer->heads ==>
        0 <= row(h, k) && row(h, k) + k <= width(layer); */
  //@ assert inside: \forall integer h; 0 <= h < layer->heads ==> head_inside(layer, h);
  //@ assert heads_readable: heads_readable(layer);
  //@ assert storage_readable: readable(state->storage, row(layer->heads, head_size(layer, n)));
  /*@ assert query_apart:
        \separated(concatenation + (0 .. row(n, width(layer)) - 1),
                   layer->query_weight + (0 .. row(width(layer), d) - 1)) &&
        \separated(dx + (0 .. row(n, d) - 1), layer->query_weight + (0 .. row(width(layer), d) - 1)) &&
        \separated(c_head + (0 .. 4 * row(n, k) + n - 1), layer->query_weight + (0 .. row(width(layer), d) - 1)); */
  /*@ assert key_apart:
        \separated(concatenation + (0 .. row(n, width(layer)) - 1),
                   layer->key_weight + (0 .. row(width(layer), d) - 1)) &&
        \separated(dx + (0 .. row(n, d) - 1), layer->key_weight + (0 .. row(width(layer), d) - 1)) &&
        \separated(c_head + (0 .. 4 * row(n, k) + n - 1), layer->key_weight + (0 .. row(width(layer), d) - 1)); */
  /*@ assert value_apart:
        \separated(concatenation + (0 .. row(n, width(layer)) - 1),
                   layer->value_weight + (0 .. row(width(layer), d) - 1)) &&
        \separated(dx + (0 .. row(n, d) - 1), layer->value_weight + (0 .. row(width(layer), d) - 1)) &&
        \separated(c_head + (0 .. 4 * row(n, k) + n - 1), layer->value_weight + (0 .. row(width(layer), d) - 1)); */
  /*@ assert storage_apart:
        \separated(concatenation + (0 .. row(n, width(layer)) - 1),
                   state->storage + (0 .. row(layer->heads, head_size(layer, n)) - 1)) &&
        \separated(dx + (0 .. row(n, d) - 1),
                   state->storage + (0 .. row(layer->heads, head_size(layer, n)) - 1)) &&
        \separated(c_head + (0 .. 4 * row(n, k) + n - 1),
                   state->storage + (0 .. row(layer->heads, head_size(layer, n)) - 1)); */
  output_project_transposed(concatenation, layer, c, n);
  /*@ assert projected: \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==>
        concatenation[row(i, width(layer)) + e] == output_cotangent{Start}(layer, c, i, e); */
  //@ assert query_projected: entries_same{Start, Here}(layer->query_weight, row(width(layer), d));
  //@ assert key_projected: entries_same{Start, Here}(layer->key_weight, row(width(layer), d));
  //@ assert value_projected: entries_same{Start, Here}(layer->value_weight, row(width(layer), d));
  //@ assert storage_projected: entries_same{Start, Here}(state->storage, row(layer->heads, head_size(layer, n)));
  //@ ghost Projected:;
  vector_zero(dx, row_offset(n, d, n));
  /*@ loop invariant range: 0 <= h <= layer->heads;
      loop invariant sum: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
        dx[row(l, d) + j] == layer_vjp{Start}(layer, n, state->storage, c, l, j, h);
      loop assigns h, dx[0 .. row(n, d) - 1], c_head[0 .. 4 * row(n, k) + n - 1];
      loop variant layer->heads - h; */
  for (int h = 0; h < layer->heads; h++) {
    //@ assert query_weight: entries_same{Projected, Here}(layer->query_weight, row(width(layer), d));
    //@ assert key_weight: entries_same{Projected, Here}(layer->key_weight, row(width(layer), d));
    //@ assert value_weight: entries_same{Projected, Here}(layer->value_weight, row(width(layer), d));
    //@ assert storage: entries_same{Projected, Here}(state->storage, row(layer->heads, head_size(layer, n)));
    //@ assert columns: entries_same{Projected, Here}(concatenation, row(n, width(layer)));
    //@ ghost Before:;
    const attention_head head = attention_state_head(state, h);
    //@ assert query_viewed: entries_same{Before, Here}(layer->query_weight, row(width(layer), d));
    //@ assert key_viewed: entries_same{Before, Here}(layer->key_weight, row(width(layer), d));
    //@ assert value_viewed: entries_same{Before, Here}(layer->value_weight, row(width(layer), d));
    //@ assert storage_viewed: entries_same{Before, Here}(state->storage, row(layer->heads, head_size(layer, n)));
    //@ assert columns_viewed: entries_same{Before, Here}(concatenation, row(n, width(layer)));
    /*@ assert held: \forall integer i, e; 0 <= i < n ==> 0 <= e < width(layer) ==>
          concatenation[row(i, width(layer)) + e] == output_cotangent{Start}(layer, c, i, e); */
    /*@ assert sum: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
          dx[row(l, d) + j] == layer_vjp{Start}(layer, n, state->storage, c, l, j, h); */
    //@ ghost double *s = head.query;
    //@ assert view: is_view(head, layer, h, n, s);
    //@ assert place: s == state->storage + row(h, head_size(layer, n));
    //@ assert head_inside: head_inside(layer, h);
    //@ assert view_of_start: is_view{Start}(head, layer, h, n, s);
    /*@ assert block: 0 <= row(h, head_size(layer, n)) &&
          row(h, head_size(layer, n)) + head_size(layer, n) <= row(layer->heads, head_size(layer, n)); */
    //@ assert head_apart: \separated(c_head + (0 .. 4 * row(n, k) + n - 1), &head);
    //@ assert head_apart_out: \separated(dx + (0 .. row(n, d) - 1), &head);
    //@ assert sides: head_sides(&head);
    //@ assert query_stack: stack_readable(layer, layer->query_weight);
    //@ assert key_stack: stack_readable(layer, layer->key_weight);
    //@ assert value_stack: stack_readable(layer, layer->value_weight);
    //@ assert query_bias: biases_readable(layer, layer->query_bias);
    //@ assert key_bias: biases_readable(layer, layer->key_bias);
    //@ assert value_bias: biases_readable(layer, layer->value_bias);
    //@ assert heads: heads_readable(layer);
    //@ assert weights: head_weights_readable(&head);
    //@ assert blocks: readable(state->storage, row(layer->heads, head_size(layer, n)));
    //@ assert stored: readable(s, head_size(layer, n));
    //@ assert arrays_readable: head_state_readable(&head);
    //@ assert stored_outside: outside(s, head_size(layer, n), dx, row(n, d));
    //@ assert stored_apart: outside(s, head_size(layer, n), c_head, 4 * row(n, k) + n);
    //@ assert out_outside: head_outside(&head, dx, row(n, d));
    //@ assert room_outside: head_outside(&head, c_head, 4 * row(n, k) + n);
    //@ assert added_outside: head_outside(&head, c_head + vectors, 3 * row(n, k) + n);
    //@ ghost View:;
    heads_split(c_head, concatenation, layer, h, n);
    //@ assert query_split: entries_same{View, Here}(layer->query_weight, row(width(layer), d));
    //@ assert key_split: entries_same{View, Here}(layer->key_weight, row(width(layer), d));
    //@ assert value_split: entries_same{View, Here}(layer->value_weight, row(width(layer), d));
    //@ assert storage_split: entries_same{View, Here}(state->storage, row(layer->heads, head_size(layer, n)));
    //@ assert query_same: entries_same{Start, Here}(layer->query_weight, row(width(layer), d));
    //@ assert key_same: entries_same{Start, Here}(layer->key_weight, row(width(layer), d));
    //@ assert value_same: entries_same{Start, Here}(layer->value_weight, row(width(layer), d));
    //@ assert storage_same: entries_same{Start, Here}(state->storage, row(layer->heads, head_size(layer, n)));
    //@ assert head_storage: entries_same{Start, Here}(s, head_size(layer, n));
    //@ assert root: head.root == \at(head.root, View);
    //@ assert same_view: is_view{Start}(head, layer, h, n, s);
    /*@ assert sum_split: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
          dx[row(l, d) + j] == layer_vjp{Start}(layer, n, state->storage, c, l, j, h); */
    //@ assert like: head_like{Start, Here}(layer, n, &head);
    //@ assert arrays: head_stored{Start, Here}(layer, n, s, &head);
    //@ assert rows: head_weighs{Start, Here}(layer, h, &head);
    //@ assert cotangents: head_cotangents{Start, Here}(layer, c, h, &head, c_head);
    //@ assert of_layer: head_of_layer{Start, Here}(layer, n, s, c, h, &head, c_head);
    /*@ assert summand: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
          head_vjp_entry(&head, c_head, l, j) == layer_head_vjp{Start}(layer, n, s, c, h, l, j); */
    /*@ assert next: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
          layer_vjp{Start}(layer, n, state->storage, c, l, j, h + 1) ==
          layer_vjp{Start}(layer, n, state->storage, c, l, j, h) + head_vjp_entry(&head, c_head, l, j); */
    attention_head_vjp_add(dx, &head, c_head, c_head + vectors);
    /*@ assert added: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
          dx[row(l, d) + j] == layer_vjp{Start}(layer, n, state->storage, c, l, j, h + 1); */
  }
}
