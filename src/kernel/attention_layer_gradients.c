#include "kernel/attention_layer_jacobian.h"
#include "kernel/block.h"
#include "kernel/index.h"

void attention_layer_gradients(double *gradients, const attcert_layer *layer, double *storage, int n) {
  const int rows = row_offset(n, layer->dim, n);
  const size_t heads = (size_t)layer->heads;
  /*@ loop invariant range: 0 <= h <= layer->heads;
      loop invariant done: \forall integer q; 0 <= q < h ==>
        gradients_held{Pre, Here}(gradients + row(q, 2 * row(n, layer->dim)),
                                  gradients + row(q, 2 * row(n, layer->dim)) + row(n, layer->dim), layer, n,
                                  storage + row(q, head_size(layer, n)), q);
      loop assigns h, gradients[0 .. row(layer->heads, 2 * row(n, layer->dim)) - 1];
      loop variant layer->heads - h; */
  for (int h = 0; h < layer->heads; h++) {
    double *place = gradients + block_offset((size_t)h, 2 * (size_t)rows, heads);
    double *arrays = storage + block_offset((size_t)h, attention_head_size(layer, n), heads);
    attention_layer_head_gradients(place, place + rows, layer, arrays, n, h);
  }
}
