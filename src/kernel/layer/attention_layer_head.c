#include "kernel/layer/attention_layer_head.h"

#ifdef __FRAMAC__
#include "head/layer_view_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"
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
  //@ assert view: is_view{Pre}(\at(head, Here), layer, h, n, storage);
  //@ assert projected: head_projected{Pre, Here}(layer, x, n, h, \at(head, Here));
  //@ assert scores: head_weights_of_scores(layer, n, head);
  //@ assert values: head_means_of_values(layer, n, head);
  //@ assert weighted: head_weighted{Pre, Here}(layer, x, n, h, \at(head, Here));
  //@ assert masked: head_masked{Pre, Here}(layer, n, \at(head, Here));
  //@ assert averaged: head_averaged{Pre, Here}(layer, x, n, h, \at(head, Here));
}
