#include "kernel/layer/attention_layer_jacobian.h"

#ifdef __FRAMAC__
#include "layer/layer_jacobian_terms_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"

#include "head/stacked_weights_lemmas.acsl"
#endif

void attention_layer_head_gradients(double *g, double *hs, const attcert_layer *layer, double *storage, int n, int h) {
  const attention_head head = attention_head_view(layer, h, n, storage);
  //@ ghost const int k = layer->head_dim, d = layer->dim;
  //@ assert sizes: 0 <= row(n, k) && 0 <= row(n, n) && 0 <= row(n, d) && 0 <= row(k, d);
  //@ assert rows: 0 <= row(h, k) && row(h, k) + k <= width(layer);
  //@ assert stack: 0 <= row(row(h, k), d) && row(row(h, k), d) + row(k, d) <= row(width(layer), d);
  /*@ assert arrays: head.query == storage && head.key == storage + row(n, layer->head_dim) &&
                     head.value == storage + 2 * row(n, layer->head_dim) &&
                     head.output == storage + 3 * row(n, layer->head_dim) &&
                     head.weights == storage + 4 * row(n, layer->head_dim); */
  //@ assert dims: head.n == n && head.dim == d && head.head_dim == k && head.root == rroot(k);
  /*@ assert stacks: head.query_weight == layer->query_weight + row(row(h, k), d) &&
                     head.key_weight == layer->key_weight + row(row(h, k), d) &&
                     head.value_weight == layer->value_weight + row(row(h, k), d); */
  //@ assert sides: head_sides(&head);
  //@ assert query_weight: \valid_read(head.query_weight + (0 .. row(k, d) - 1));
  //@ assert key_weight: \valid_read(head.key_weight + (0 .. row(k, d) - 1));
  //@ assert value_weight: \valid_read(head.value_weight + (0 .. row(k, d) - 1));
  //@ assert query_bias: head.query_bias == \null || \valid_read(head.query_bias + (0 .. k - 1));
  //@ assert key_bias: head.key_bias == \null || \valid_read(head.key_bias + (0 .. k - 1));
  //@ assert value_bias: head.value_bias == \null || \valid_read(head.value_bias + (0 .. k - 1));
  //@ assert weights: head_weights_readable(&head);
  //@ assert queries: \valid_read(head.query + (0 .. row(n, k) - 1)) && \valid_read(head.key + (0 .. row(n, k) - 1));
  //@ assert values: \valid_read(head.value + (0 .. row(n, k) - 1)) && \valid_read(head.output + (0 .. row(n, k) - 1));
  //@ assert positions: \valid_read(head.weights + (0 .. row(n, n) - 1));
  //@ assert state: head_state_readable(&head);
  /*@ assert g_outside_queries: \separated(g + (0 .. row(n, d) - 1), head.query + (0 .. row(n, k) - 1)) &&
                        \separated(g + (0 .. row(n, d) - 1), head.key + (0 .. row(n, k) - 1)); */
  /*@ assert g_outside_values: \separated(g + (0 .. row(n, d) - 1), head.value + (0 .. row(n, k) - 1)) &&
                       \separated(g + (0 .. row(n, d) - 1), head.output + (0 .. row(n, k) - 1)); */
  //@ assert g_outside_positions: \separated(g + (0 .. row(n, d) - 1), head.weights + (0 .. row(n, n) - 1));
  //@ assert g_outside_query_weight: \separated(g + (0 .. row(n, d) - 1), head.query_weight + (0 .. row(k, d) - 1));
  //@ assert g_outside_key_weight: \separated(g + (0 .. row(n, d) - 1), head.key_weight + (0 .. row(k, d) - 1));
  //@ assert g_outside_value_weight: \separated(g + (0 .. row(n, d) - 1), head.value_weight + (0 .. row(k, d) - 1));
  //@ assert g_outside_view: \separated(g + (0 .. row(n, d) - 1), &head);
  //@ assert g_outside: head_outside(&head, g, row(n, d));
  /*@ assert hs_outside_queries: \separated(hs + (0 .. row(n, d) - 1), head.query + (0 .. row(n, k) - 1)) &&
                        \separated(hs + (0 .. row(n, d) - 1), head.key + (0 .. row(n, k) - 1)); */
  /*@ assert hs_outside_values: \separated(hs + (0 .. row(n, d) - 1), head.value + (0 .. row(n, k) - 1)) &&
                       \separated(hs + (0 .. row(n, d) - 1), head.output + (0 .. row(n, k) - 1)); */
  //@ assert hs_outside_positions: \separated(hs + (0 .. row(n, d) - 1), head.weights + (0 .. row(n, n) - 1));
  //@ assert hs_outside_query_weight: \separated(hs + (0 .. row(n, d) - 1), head.query_weight + (0 .. row(k, d) - 1));
  //@ assert hs_outside_key_weight: \separated(hs + (0 .. row(n, d) - 1), head.key_weight + (0 .. row(k, d) - 1));
  //@ assert hs_outside_value_weight: \separated(hs + (0 .. row(n, d) - 1), head.value_weight + (0 .. row(k, d) - 1));
  //@ assert hs_outside_view: \separated(hs + (0 .. row(n, d) - 1), &head);
  //@ assert hs_outside: head_outside(&head, hs, row(n, d));
  attention_head_gradients(g, hs, &head);
  //@ assert root: head.root == rroot(k);
  /*@ assert g: \forall integer i, c; 0 <= i < n ==> 0 <= c < d ==>
        g[row(i, d) + c] == weight_gradient{Pre}(layer, layer->key_weight, head.query, h, i, c); */
  /*@ assert h: \forall integer i, c; 0 <= i < n ==> 0 <= c < d ==>
        hs[row(i, d) + c] == weight_gradient{Pre}(layer, layer->query_weight, head.key, h, i, c); */
  //@ assert g_held: rows_held{Pre, Here}(g, layer, n, layer->key_weight, head.query, h);
  //@ assert hs_held: rows_held{Pre, Here}(hs, layer, n, layer->query_weight, head.key, h);
}

void attention_layer_head_block(double *block, const double *g, const double *hs, const attcert_layer *layer,
                                double *storage, int n, int h, int i, int l) {
  //@ assert key_side: rows_held{Pre, Here}(g, layer, n, layer->key_weight, storage, h);
  //@ assert query_side: rows_held{Pre, Here}(hs, layer, n, layer->query_weight, storage + row(n, layer->head_dim), h);
  const attention_head head = attention_head_view(layer, h, n, storage);
  //@ ghost const int k = layer->head_dim, d = layer->dim;
  //@ assert sizes: 0 <= row(n, k) && 0 <= row(n, n) && 0 <= row(n, d) && 0 <= row(k, d);
  //@ assert rows: 0 <= row(h, k) && row(h, k) + k <= width(layer);
  //@ assert stack: 0 <= row(row(h, k), d) && row(row(h, k), d) + row(k, d) <= row(width(layer), d);
  /*@ assert arrays: head.query == storage && head.key == storage + row(n, layer->head_dim) &&
                     head.value == storage + 2 * row(n, layer->head_dim) &&
                     head.output == storage + 3 * row(n, layer->head_dim) &&
                     head.weights == storage + 4 * row(n, layer->head_dim); */
  //@ assert dims: head.n == n && head.dim == d && head.head_dim == k && head.root == rroot(k);
  /*@ assert stacks: head.query_weight == layer->query_weight + row(row(h, k), d) &&
                     head.key_weight == layer->key_weight + row(row(h, k), d) &&
                     head.value_weight == layer->value_weight + row(row(h, k), d); */
  //@ assert sides: head_sides(&head);
  //@ assert query_weight: \valid_read(head.query_weight + (0 .. row(k, d) - 1));
  //@ assert key_weight: \valid_read(head.key_weight + (0 .. row(k, d) - 1));
  //@ assert value_weight: \valid_read(head.value_weight + (0 .. row(k, d) - 1));
  //@ assert query_bias: head.query_bias == \null || \valid_read(head.query_bias + (0 .. k - 1));
  //@ assert key_bias: head.key_bias == \null || \valid_read(head.key_bias + (0 .. k - 1));
  //@ assert value_bias: head.value_bias == \null || \valid_read(head.value_bias + (0 .. k - 1));
  //@ assert weights: head_weights_readable(&head);
  //@ assert queries: \valid_read(head.query + (0 .. row(n, k) - 1)) && \valid_read(head.key + (0 .. row(n, k) - 1));
  //@ assert values: \valid_read(head.value + (0 .. row(n, k) - 1)) && \valid_read(head.output + (0 .. row(n, k) - 1));
  //@ assert positions: \valid_read(head.weights + (0 .. row(n, n) - 1));
  //@ assert state: head_state_readable(&head);
  /*@ assert outside_queries: \separated(block + (0 .. row(k, d) - 1), head.query + (0 .. row(n, k) - 1)) &&
                              \separated(block + (0 .. row(k, d) - 1), head.key + (0 .. row(n, k) - 1)); */
  /*@ assert outside_values: \separated(block + (0 .. row(k, d) - 1), head.value + (0 .. row(n, k) - 1)) &&
                             \separated(block + (0 .. row(k, d) - 1), head.output + (0 .. row(n, k) - 1)); */
  //@ assert outside_positions: \separated(block + (0 .. row(k, d) - 1), head.weights + (0 .. row(n, n) - 1));
  //@ assert outside_query_weight: \separated(block + (0 .. row(k, d) - 1), head.query_weight + (0 .. row(k, d) - 1));
  //@ assert outside_key_weight: \separated(block + (0 .. row(k, d) - 1), head.key_weight + (0 .. row(k, d) - 1));
  //@ assert outside_value_weight: \separated(block + (0 .. row(k, d) - 1), head.value_weight + (0 .. row(k, d) - 1));
  //@ assert outside_view: \separated(block + (0 .. row(k, d) - 1), &head);
  //@ assert outside: head_outside(&head, block, row(k, d));
  //@ assert reach: head_reach(&head, i) == layer_reach(layer, i, n) && i < layer_reach(layer, i, n) <= n;
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
                   head.dim, r, c, head_reach(&head, i)) ==
        diagonal_entry(layer, n, head.value, head.output, head.weights, head.key, h, i, r, c); */
  /*@ assert layer_covariance: \forall integer r, c;
        diagonal_entry(layer, n, head.value, head.output, head.weights, head.key, h, i, r, c) ==
        layer_diagonal_entry(layer, n, storage, h, i, r, c); */
  //@ assert cell: 0 <= row(i, head.n) + l < row(head.n, head.n);
  //@ assert cell_outside: \separated(head.weights + (row(i, head.n) + l), block + (0 .. row(k, d) - 1));
  //@ ghost Before:;
  attention_head_jacobian_block(block, &head, g, hs, i, l);
  //@ assert weight: head.weights[row(i, head.n) + l] == \at(head.weights[row(i, head.n) + l], Before);
  //@ assert entries: \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==> 0 <= row(r, d) + c < row(k, d);
  /*@ assert masked: layer_reach(layer, i, n) <= l ==> \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        vanishes(block[row(r, d) + c]); */
  /*@ assert off_diagonal: l < layer_reach(layer, i, n) ==> l != i ==> \forall integer r, c; 0 <= r < k ==>
        0 <= c < d ==>
        block[row(r, d) + c] == layer_position_entry{Pre}(layer, n, storage, h, i, l, r, c); */
  /*@ assert diagonal: l == i ==> \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==> block[row(r, d) + c] ==
        layer_position_entry{Pre}(layer, n, storage, h, i, l, r, c) +
        layer_diagonal_entry{Pre}(layer, n, storage, h, i, r, c); */
  /*@ assert masked_block: layer_reach(layer, i, n) <= l ==> \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        block[row(r, d) + c] == layer_block_entry{Pre}(layer, n, storage, h, i, l, r, c); */
  /*@ assert off_diagonal_block: l < layer_reach(layer, i, n) ==> l != i ==>
        \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        block[row(r, d) + c] == layer_block_entry{Pre}(layer, n, storage, h, i, l, r, c); */
  /*@ assert diagonal_block: l == i ==> \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        block[row(r, d) + c] == layer_block_entry{Pre}(layer, n, storage, h, i, l, r, c); */
  //@ assert held: block_held{Pre, Here}(block, k, d, layer, n, storage, h, i, l);
  //@ assert layer_held: block_held{Pre, Here}(block, layer->head_dim, layer->dim, layer, n, storage, h, i, l);
}
