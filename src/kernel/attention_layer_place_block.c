#include "kernel/attention_layer_jacobian.h"
#include "kernel/block.h"
#include "kernel/index.h"
#include "kernel/matrix.h"
#include "kernel/vector.h"

void attention_layer_place_block(double *rows, const double *stack, const attcert_layer *layer, int n, int l) {
  const int d = layer->dim, outputs = layer->out_dim, width = row_offset(layer->heads, layer->head_dim, layer->heads);
  const int columns = row_offset(n, d, n), first = row_offset(l, d, n);
  /*@ loop invariant range: 0 <= o <= outputs;
      loop invariant placed: \forall integer q, c; 0 <= q < o ==> 0 <= c < d ==>
        rows[row(q, columns) + (first + c)] == output_block_entry{Pre}(layer, stack, q, c);
      loop invariant before: \forall integer q, e; 0 <= q < outputs ==> 0 <= e < first ==>
        rows[row(q, columns) + e] == \at(rows[row(q, columns) + e], Pre);
      loop invariant after: \forall integer q, e; 0 <= q < outputs ==> first + d <= e < columns ==>
        rows[row(q, columns) + e] == \at(rows[row(q, columns) + e], Pre);
      loop assigns o, rows[0 .. row(outputs, columns) - 1];
      loop variant outputs - o; */
  for (int o = 0; o < outputs; o++) {
    double *entries = rows + block_offset((size_t)o, (size_t)columns, (size_t)outputs) + first;
    if (layer->output_weight == NULL)
      vector_copy(entries, stack + row_offset(o, d, width), d);
    else
      vector_matrix(entries, layer->output_weight + row_offset(o, width, outputs), stack, width, d);
  }
}
