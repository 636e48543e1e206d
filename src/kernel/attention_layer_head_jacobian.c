#include "kernel/attention_layer_jacobian.h"

#ifdef __FRAMAC__
#include "layer_jacobian_parts.acsl"
#include "row_of_rows.acsl"
#include "stack_part.acsl"
#endif

void attention_layer_head_gradients(double *g, double *hs, const attcert_layer *layer, double *storage, int n, int h) {
  const attention_head head = attention_head_view(layer, h, n, storage);
  /*@ assert arrays: head.query == storage && head.key == storage + row(n, layer->head_dim) &&
                     head.value == storage + 2 * row(n, layer->head_dim) &&
                     head.output == storage + 3 * row(n, layer->head_dim) &&
                     head.weights == storage + 4 * row(n, layer->head_dim); */
  //@ ghost const int k = layer->head_dim, d = layer->dim;
  //@ assert dims: head.n == n && head.dim == d && head.head_dim == k && head.root == rroot(k);
  /*@ assert stacks: head.query_weight == layer->query_weight + row(row(h, k), d) &&
                     head.key_weight == layer->key_weight + row(row(h, k), d) &&
                     head.value_weight == layer->value_weight + row(row(h, k), d); */
  //@ assert rows: 0 <= row(h, k) && row(h, k) + k <= width(layer);
  //@ assert stack: 0 <= row(row(h, k), d) && row(row(h, k), d) + row(k, d) <= row(width(layer), d);
  //@ assert sizes: 0 <= row(n, k) && 0 <= row(n, n) && 0 <= row(n, d) && 0 <= row(k, d);
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
  /*@ assert g: \forall integer t, c; 0 <= t < n ==> 0 <= c < layer->dim ==>
        g[row(t, layer->dim) + c] == weight_gradient(layer, layer->key_weight, storage, h, t, c); */
  /*@ assert hs: \forall integer t, c; 0 <= t < n ==> 0 <= c < layer->dim ==> hs[row(t, layer->dim) + c] ==
        weight_gradient(layer, layer->query_weight, storage + row(n, layer->head_dim), h, t, c); */
  const attention_head head = attention_head_view(layer, h, n, storage);
  /*@ assert arrays: head.query == storage && head.key == storage + row(n, layer->head_dim) &&
                     head.value == storage + 2 * row(n, layer->head_dim) &&
                     head.output == storage + 3 * row(n, layer->head_dim) &&
                     head.weights == storage + 4 * row(n, layer->head_dim); */
  //@ ghost const int k = layer->head_dim, d = layer->dim;
  //@ assert dims: head.n == n && head.dim == d && head.head_dim == k && head.root == rroot(k);
  /*@ assert stacks: head.query_weight == layer->query_weight + row(row(h, k), d) &&
                     head.key_weight == layer->key_weight + row(row(h, k), d) &&
                     head.value_weight == layer->value_weight + row(row(h, k), d); */
  //@ assert rows: 0 <= row(h, k) && row(h, k) + k <= width(layer);
  //@ assert stack: 0 <= row(row(h, k), d) && row(row(h, k), d) + row(k, d) <= row(width(layer), d);
  //@ assert sizes: 0 <= row(n, k) && 0 <= row(n, n) && 0 <= row(n, d) && 0 <= row(k, d);
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
  //@ assert reach: head_reach(&head, i) == layer_reach(layer, i, n) && 1 <= layer_reach(layer, i, n) <= n;
  //@ assert weight: head.weights[row(i, head.n) + l] == head.weights[row(i, n) + l];
  /*@ assert value: \forall integer r; (head.value + row(l, head.head_dim))[r] == head.value[row(l, k) + r] &&
                    (head.output + row(i, head.head_dim))[r] == head.output[row(i, k) + r]; */
  //@ assert slope_place: \forall integer c; (g + row(i, head.dim))[c] == g[row(i, layer->dim) + c];
  /*@ assert slope_entry: \forall integer c; 0 <= c < layer->dim ==>
        g[row(i, layer->dim) + c] == weight_gradient(layer, layer->key_weight, head.query, h, i, c); */
  /*@ assert slope: \forall integer c; 0 <= c < d ==>
        (g + row(i, head.dim))[c] == weight_gradient(layer, layer->key_weight, head.query, h, i, c); */
  /*@ assert value_weight_row: \forall integer r, c;
        head.value_weight[row(r, head.dim) + c] == head.value_weight[row(r, d) + c]; */
  /*@ assert position: \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        jacobian_entry(head.value_weight, head.value + row(l, head.head_dim), head.output + row(i, head.head_dim),
                       g + row(i, head.dim), head.weights[row(i, head.n) + l], head.dim, r, c) ==
        position_entry(layer, n, head.value_weight, head.query, head.value, head.output, head.weights, h, i, l, r, c); */
  /*@ assert layer_position: \forall integer r, c;
        position_entry(layer, n, head.value_weight, head.query, head.value, head.output, head.weights, h, i, l, r, c) ==
        layer_position_entry(layer, n, storage, h, i, l, r, c); */
  //@ assert hs_place: \forall integer t, c; hs[row(t, head.dim) + c] == hs[row(t, layer->dim) + c];
  /*@ assert hs_entry: \forall integer t, c; 0 <= t < n ==> 0 <= c < d ==>
        hs[row(t, head.dim) + c] == weight_gradient(layer, layer->query_weight, head.key, h, t, c); */
  /*@ assert covariance: \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        covariance(head.weights + row(i, head.n), head.value, head.output + row(i, head.head_dim), hs, head.head_dim,
                   head.dim, r, c, head_reach(&head, i)) ==
        diagonal_entry(layer, n, head.value, head.output, head.weights, head.key, h, i, r, c); */
  /*@ assert layer_covariance: \forall integer r, c;
        diagonal_entry(layer, n, head.value, head.output, head.weights, head.key, h, i, r, c) ==
        layer_diagonal_entry(layer, n, storage, h, i, r, c); */
  attention_head_jacobian_block(block, &head, g, hs, i, l);
  //@ assert entries: \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==> 0 <= row(r, d) + c < row(k, d);
  /*@ assert masked: layer_reach(layer, i, n) <= l ==> \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        vanishes(block[row(r, d) + c]); */
  /*@ assert off_diagonal: l < layer_reach(layer, i, n) ==> l != i ==> \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==>
        block[row(r, d) + c] == layer_position_entry{Pre}(layer, n, storage, h, i, l, r, c); */
  /*@ assert diagonal: l == i ==> \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==> block[row(r, d) + c] ==
        layer_position_entry{Pre}(layer, n, storage, h, i, l, r, c) +
        layer_diagonal_entry{Pre}(layer, n, storage, h, i, r, c); */
}
