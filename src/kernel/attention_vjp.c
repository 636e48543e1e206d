/* dx = sum_h (the vector-Jacobian product of head h of its columns of C W_O): spec/layer_vjp.acsl. */
#include "kernel/attention.h"
#include "kernel/block.h"
#include "kernel/index.h"
#include "kernel/output_projection.h"
#include "kernel/vector.h"

#ifdef __FRAMAC__
#include "head_size.acsl"
#include "layer_forward_same.acsl"
#include "layer_vjp_of_head.acsl"
#include "row_exchange.acsl"
#include "row_of_rows.acsl"
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
  //@ assert dims: layer_dims_inside(layer);
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
      loop invariant cotangents: entries_same{Projected, Here}(concatenation, row(n, width(layer)));
      loop invariant storage: entries_same{Start, Here}(state->storage, row(layer->heads, head_size(layer, n)));
      loop invariant query_weight: entries_same{Start, Here}(layer->query_weight, row(width(layer), d));
      loop invariant key_weight: entries_same{Start, Here}(layer->key_weight, row(width(layer), d));
      loop invariant value_weight: entries_same{Start, Here}(layer->value_weight, row(width(layer), d));
      loop assigns h, dx[0 .. row(n, d) - 1], c_head[0 .. 4 * row(n, k) + n - 1];
      loop variant layer->heads - h; */
  for (int h = 0; h < layer->heads; h++) {
    const attention_head head = attention_state_head(state, h);
    //@ ghost double *s = head.query;
    //@ assert view: is_view(head, layer, h, n, s);
    //@ assert columns: 0 <= row(h, k) && row(h, k) + k <= width(layer);
    //@ assert stack: 0 <= row(row(h, k), d) && row(row(h, k), d) + row(k, d) <= row(width(layer), d);
    /*@ assert block: 0 <= row(h, head_size(layer, n)) &&
          row(h, head_size(layer, n)) + head_size(layer, n) <= row(layer->heads, head_size(layer, n)); */
    //@ assert head_apart: \separated(c_head + (0 .. 4 * row(n, k) + n - 1), &head);
    //@ assert head_apart_out: \separated(dx + (0 .. row(n, d) - 1), &head);
    //@ assert root_apart: \separated(c_head + (0 .. row(n, k) - 1), &head.root);
    //@ assert layer: layer_same{Start, Here}(layer);
    //@ assert sides: head_sides(&head);
    //@ assert weights: head_weights_readable(&head);
    //@ assert stored: head_state_readable(&head);
    //@ assert out_outside: head_outside(&head, dx, row(n, d));
    //@ assert room_outside: head_outside(&head, c_head, 4 * row(n, k) + n);
    //@ ghost View:;
    heads_split(c_head, concatenation, layer, h, n);
    //@ assert query_split: entries_same{View, Here}(layer->query_weight, row(width(layer), d));
    //@ assert key_split: entries_same{View, Here}(layer->key_weight, row(width(layer), d));
    //@ assert value_split: entries_same{View, Here}(layer->value_weight, row(width(layer), d));
    //@ assert storage_split: entries_same{View, Here}(state->storage, row(layer->heads, head_size(layer, n)));
    //@ assert columns_split: entries_same{View, Here}(concatenation, row(n, width(layer)));
    //@ assert root: head.root == \at(head.root, View);
    //@ assert added_outside: head_outside(&head, c_head + vectors, 3 * row(n, k) + n);
    //@ assert like: head_like{Start, Here}(layer, n, &head);
    //@ assert arrays: head_stored{Start, Here}(layer, n, s, &head);
    //@ assert rows: head_weighs{Start, Here}(layer, h, &head);
    //@ assert cotangents: head_cotangents{Start, Here}(layer, c, h, &head, c_head);
    /*@ assert summand: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
          head_vjp_entry(&head, c_head, l, j) == layer_head_vjp{Start}(layer, n, s, c, h, l, j); */
    /*@ assert next: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
          layer_vjp{Start}(layer, n, state->storage, c, l, j, h + 1) ==
          layer_vjp{Start}(layer, n, state->storage, c, l, j, h) + head_vjp_entry(&head, c_head, l, j); */
    //@ ghost Split:;
    attention_head_vjp_add(dx, &head, c_head, c_head + vectors);
    //@ assert query_added: entries_same{Split, Here}(layer->query_weight, row(width(layer), d));
    //@ assert key_added: entries_same{Split, Here}(layer->key_weight, row(width(layer), d));
    //@ assert value_added: entries_same{Split, Here}(layer->value_weight, row(width(layer), d));
    //@ assert storage_added: entries_same{Split, Here}(state->storage, row(layer->heads, head_size(layer, n)));
    //@ assert columns_added: entries_same{Split, Here}(concatenation, row(n, width(layer)));
    /*@ assert added: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
          dx[row(l, d) + j] == layer_vjp{Start}(layer, n, state->storage, c, l, j, h + 1); */
  }
}
