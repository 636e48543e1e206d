#include "kernel/attention_layer_jacobian.h"
#include "kernel/block.h"
#include "kernel/index.h"

void attention_layer_block(double *stack, const double *gradients, const attcert_layer *layer, double *storage, int n,
                           int i, int l) {
  const int k = layer->head_dim, width = row_offset(layer->heads, k, layer->heads);
  const int rows = row_offset(n, layer->dim, n);
  const size_t heads = (size_t)layer->heads;
  /*@ loop invariant range: 0 <= h <= layer->heads;
      loop invariant done: stack_holds{Pre, Here}(stack, layer, n, storage, i, l, h);
      loop assigns h, stack[0 .. row(width(layer), layer->dim) - 1];
      loop variant layer->heads - h; */
  for (int h = 0; h < layer->heads; h++) {
    double *arrays = storage + block_offset((size_t)h, attention_head_size(layer, n), heads);
    double *block = stack + row_offset(row_offset(h, k, layer->heads), layer->dim, width);
    const double *g = gradients + block_offset((size_t)h, 2 * (size_t)rows, heads);
    attention_layer_head_block(block, g, g + rows, layer, arrays, n, h, i, l);
  }
}
