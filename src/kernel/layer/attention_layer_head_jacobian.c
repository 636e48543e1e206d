#include "kernel/layer/attention_layer_jacobian.h"
#include "kernel/linear/index.h"

#ifdef __FRAMAC__
#include "layer/layer_jacobian_terms_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"

#include "head/stacked_weights_lemmas.acsl"
#include "head/view_of_layer_lemmas.acsl"
#endif

void attention_layer_head_gradients(double *g, double *hs, const attcert_layer *layer, double *storage, int n, int h) {
  //@ ghost const int k = layer->head_dim, d = layer->dim;
  //@ assert sizes: 0 <= row(n, k) && 0 <= row(n, n) && 0 <= row(n, d) && 0 <= row(k, d);
  //@ assert rows: 0 <= row(h, k) && row(h, k) + k <= width(layer);
  //@ assert stack: 0 <= row(row(h, k), d) && row(row(h, k), d) + row(k, d) <= row(width(layer), d);
  //@ assert inside: head_inside(layer, h);
  //@ assert stacks: heads_readable(layer);
  //@ assert stored: readable(storage, head_size(layer, n));
  const attention_head head = attention_head_view(layer, h, n, storage);
  //@ assert view: is_view(head, layer, h, n, storage);
  /*@ assert arrays: head.query == storage && head.key == storage + row(n, k) &&
                     head.value == storage + 2 * row(n, k) && head.output == storage + 3 * row(n, k) &&
                     head.weights == storage + 4 * row(n, k); */
  //@ assert dims: head.n == n && head.dim == d && head.head_dim == k && head.root == rroot(k);
  //@ assert sides: head_sides(&head);
  //@ assert weights: head_weights_readable(&head);
  //@ assert state: head_state_readable(&head);
  //@ assert g_outside_view: \separated(g + (0 .. row(n, d) - 1), &head);
  //@ assert g_outside: head_outside(&head, g, row(n, d));
  //@ assert hs_outside_view: \separated(hs + (0 .. row(n, d) - 1), &head);
  //@ assert hs_outside: head_outside(&head, hs, row(n, d));
  /*@ assert root_outside: \separated(g + (0 .. row(n, d) - 1), &head.root) &&
                           \separated(hs + (0 .. row(n, d) - 1), &head.root); */
  /*@ assert arrays_outside: \separated(g + (0 .. row(n, d) - 1), &head.query, &head.key) &&
                             \separated(hs + (0 .. row(n, d) - 1), &head.query, &head.key); */
  attention_head_gradients(g, hs, &head);
  //@ assert root: head.root == rroot(k);
  //@ assert arrays_kept: head.query == storage && head.key == storage + row(n, k);
  /*@ assert g: \forall integer i, c; 0 <= i < n ==> 0 <= c < d ==>
        g[row(i, d) + c] == weight_gradient{Pre}(layer, layer->key_weight, head.query, h, i, c); */
  /*@ assert h: \forall integer i, c; 0 <= i < n ==> 0 <= c < d ==>
        hs[row(i, d) + c] == weight_gradient{Pre}(layer, layer->query_weight, head.key, h, i, c); */
  //@ assert g_held: rows_held{Pre, Here}(g, layer, n, layer->key_weight, head.query, h);
  //@ assert hs_held: rows_held{Pre, Here}(hs, layer, n, layer->query_weight, head.key, h);
}

void attention_layer_head_block(double *block, const double *gradients, const attcert_layer *layer, double *storage,
                                int n, int h, int i, int l) {
  const double *g = gradients, *hs = gradients + row_offset(n, layer->dim, n);
  //@ assert rows_of_gradients: 0 <= row(n, layer->dim);
  /*@ assert gradients: \valid_read(g + (0 .. row(n, layer->dim) - 1)) &&
                        \valid_read(hs + (0 .. row(n, layer->dim) - 1)); */
  /*@ assert outside_gradients:
        \separated(block + (0 .. row(layer->head_dim, layer->dim) - 1), g + (0 .. row(n, layer->dim) - 1)) &&
        \separated(block + (0 .. row(layer->head_dim, layer->dim) - 1), hs + (0 .. row(n, layer->dim) - 1)); */
  //@ assert key_side: rows_held{Pre, Here}(g, layer, n, layer->key_weight, storage, h);
  //@ assert query_side: rows_held{Pre, Here}(hs, layer, n, layer->query_weight, storage + row(n, layer->head_dim), h);
  //@ ghost const int k = layer->head_dim, d = layer->dim;
  //@ assert sizes: 0 <= row(n, k) && 0 <= row(n, n) && 0 <= row(n, d) && 0 <= row(k, d);
  //@ assert rows: 0 <= row(h, k) && row(h, k) + k <= width(layer);
  //@ assert stack: 0 <= row(row(h, k), d) && row(row(h, k), d) + row(k, d) <= row(width(layer), d);
  //@ assert inside: head_inside(layer, h);
  //@ assert stacks: heads_readable(layer);
  //@ assert stored: readable(storage, head_size(layer, n));
  const attention_head head = attention_head_view(layer, h, n, storage);
  //@ assert view: is_view(head, layer, h, n, storage);
  /*@ assert arrays: head.query == storage && head.key == storage + row(n, k) &&
                     head.value == storage + 2 * row(n, k) && head.output == storage + 3 * row(n, k) &&
                     head.weights == storage + 4 * row(n, k); */
  //@ assert dims: head.n == n && head.dim == d && head.head_dim == k && head.root == rroot(k);
  //@ assert sides: head_sides(&head);
  //@ assert weights: head_weights_readable(&head);
  //@ assert state: head_state_readable(&head);
  //@ assert outside_view: \separated(block + (0 .. row(k, d) - 1), &head);
  //@ assert outside_positions: \separated(block + (0 .. row(k, d) - 1), head.weights + (0 .. row(n, n) - 1));
  //@ assert outside: head_outside(&head, block, row(k, d));
  /*@ assert attended: attended_keys(head.mask, i, head.n) == attended_keys(layer->mask, i, n) &&
                       i < attended_keys(layer->mask, i, n) <= n; */
  //@ assert key_rows: rows_held{Here, Here}(g, layer, n, layer->key_weight, head.query, h);
  //@ assert query_rows: rows_held{Here, Here}(hs, layer, n, layer->query_weight, head.key, h);
  /*@ assert position: \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        jacobian_entry(head.value_weight, head.value + row(l, head.head_dim), head.output + row(i, head.head_dim),
                       g + row(i, head.dim), head.weights[row(i, head.n) + l], head.dim, r, c) ==
        position_entry(layer, n, head.value_weight, head.query, head.value, head.output, head.weights, h, i, l, r,
          c); */
  /*@ assert layer_position: \forall integer r, c;
        position_entry(layer, n, head.value_weight, head.query, head.value, head.output, head.weights, h, i, l, r, c) ==
        layer_position_entry(layer, n, storage, h, i, l, r, c); */
  /*@ assert covariance: \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        covariance(head.weights + row(i, head.n), head.value, head.output + row(i, head.head_dim), hs, head.head_dim,
                   head.dim, r, c, attended_keys(head.mask, i, head.n)) ==
        diagonal_entry(layer, n, head.value, head.output, head.weights, head.key, h, i, r, c); */
  /*@ assert layer_covariance: \forall integer r, c;
        diagonal_entry(layer, n, head.value, head.output, head.weights, head.key, h, i, r, c) ==
        layer_diagonal_entry(layer, n, storage, h, i, r, c); */
  //@ assert cell: 0 <= row(i, head.n) + l < row(head.n, head.n);
  //@ assert cell_outside: \separated(head.weights + (row(i, head.n) + l), block + (0 .. row(k, d) - 1));
  //@ assert entries: \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==> 0 <= row(r, d) + c < row(k, d);
  //@ ghost Before:;
  attention_head_jacobian_block(block, &head, g, hs, i, l);
  //@ assert weight: head.weights[row(i, head.n) + l] == \at(head.weights[row(i, head.n) + l], Before);
  /*@ assert masked: attended_keys(layer->mask, i, n) <= l ==> \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        vanishes(block[row(r, d) + c]); */
  /*@ assert off_diagonal: l < attended_keys(layer->mask, i, n) ==> l != i ==>
        \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        block[row(r, d) + c] == layer_position_entry{Pre}(layer, n, storage, h, i, l, r, c); */
  /*@ assert diagonal: l == i ==> \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==> block[row(r, d) + c] ==
        layer_position_entry{Pre}(layer, n, storage, h, i, l, r, c) +
        layer_diagonal_entry{Pre}(layer, n, storage, h, i, r, c); */
  /*@ assert masked_block: attended_keys(layer->mask, i, n) <= l ==> \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        block[row(r, d) + c] == layer_block_entry{Pre}(layer, n, storage, h, i, l, r, c); */
  /*@ assert off_diagonal_block: l < attended_keys(layer->mask, i, n) ==> l != i ==>
        \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        block[row(r, d) + c] == layer_block_entry{Pre}(layer, n, storage, h, i, l, r, c); */
  /*@ assert diagonal_block: l == i ==> \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        block[row(r, d) + c] == layer_block_entry{Pre}(layer, n, storage, h, i, l, r, c); */
  //@ assert held: block_held{Pre, Here}(block, k, d, layer, n, storage, h, i, l);
  //@ assert layer_held: block_held{Pre, Here}(block, layer->head_dim, layer->dim, layer, n, storage, h, i, l);
}
