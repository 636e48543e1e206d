#include "kernel/attention_layer_head.h"

#ifdef __FRAMAC__
#include "row_of_rows.acsl"
#endif

void attention_layer_head(double *storage, const attcert_layer *layer, int h, const double *x, int n) {
  const attention_head head = attention_head_view(layer, h, n, storage);
  //@ ghost const int k = head.head_dim, d = head.dim;
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
  //@ assert readable: head_weights_readable(&head);
  //@ assert writable: head_state_writable(&head);
  attention_head_forward(&head, x);
  /*@ assert query: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                    head.query[row(i, k) + r] == layer_query{Pre}(layer, x, h, i, r); */
  /*@ assert key: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                  head.key[row(i, k) + r] == layer_key{Pre}(layer, x, h, i, r); */
  /*@ assert value: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                    head.value[row(i, k) + r] == layer_value{Pre}(layer, x, h, i, r); */
  /*@ assert reach: \forall integer i; 0 <= i < n ==>
                    head_reach(&head, i) == layer_reach{Pre}(layer, i, n) && 1 <= layer_reach{Pre}(layer, i, n) <= n; */
  //@ assert fits: head_fits{Pre}(layer, \at(head, Here));
  //@ assert projected: head_projected{Pre, Here}(layer, x, n, h, \at(head, Here));
  /*@ assert weight: \forall integer i, j; 0 <= i < n ==> 0 <= j < layer_reach(layer, i, n) ==>
        head.weights[row(i, n) + j] ==
        attention_weight(head.query + row(i, k), head.key, head.root, k, layer_reach(layer, i, n), j); */
  /*@ assert mean: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==> head.output[row(i, k) + r] ==
        attention_mean(head.weights + row(i, n), head.value, k, r, layer_reach(layer, i, n)); */
  /*@ assert zero: \forall integer i, j; 0 <= i < n ==> layer_reach{Pre}(layer, i, n) <= j < n ==>
        vanishes(head.weights[row(i, n) + j]); */
  //@ assert scores: head_weights_of_scores(layer, n, head);
  //@ assert values: head_means_of_values(layer, n, head);
  //@ assert weighted: head_weighted{Pre, Here}(layer, x, n, h, \at(head, Here));
  //@ assert masked: head_masked{Pre, Here}(layer, n, \at(head, Here));
  //@ assert averaged: head_averaged{Pre, Here}(layer, x, n, h, \at(head, Here));
}
