#include "kernel/attention_layer_jacobian.h"

void attention_layer_block_row(double *rows, double *stack, const double *gradients, const attcert_layer *layer,
                               double *storage, int n, int i) {
  /*@ loop invariant range: 0 <= l <= n;
      loop invariant done: \forall integer q, o, c; 0 <= q < l ==> 0 <= o < layer->out_dim ==> 0 <= c < layer->dim ==>
        is_layer_jacobian{Pre}(rows[row(o, row(n, layer->dim)) + (row(q, layer->dim) + c)], layer, n, storage, i, o, q, c);
      loop assigns l, rows[0 .. row(layer->out_dim, row(n, layer->dim)) - 1], stack[0 .. row(width(layer), layer->dim) - 1];
      loop variant n - l; */
  for (int l = 0; l < n; l++) {
    attention_layer_block(stack, gradients, layer, storage, n, i, l);
    attention_layer_place_block(rows, stack, layer, n, l);
  }
}
