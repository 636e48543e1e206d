/* dy = W_O [the Jacobian-vector products of the heads]: spec/layer_jvp.acsl. */
#include "kernel/attention.h"
#include "kernel/index.h"
#include "kernel/output_projection.h"

void attention_jvp(double *dy, const attention_state *state, const double *dx, double *scratch) {
  const attcert_layer *layer = state->layer;
  const int n = state->n, k = layer->head_dim, width = row_offset(layer->heads, k, layer->heads);
  double *concatenation = scratch, *dy_head = concatenation + row_offset(n, width, n);
  double *head_scratch = dy_head + row_offset(n, k, n);
  /*@ loop invariant range: 0 <= h <= layer->heads;
      loop invariant joined: \forall integer q, i, r; 0 <= q < h ==> 0 <= i < n ==> 0 <= r < k ==>
        concatenation[row(i, width(layer)) + (row(q, k) + r)] ==
        layer_head_jvp{Pre}(layer, n, state->storage + row(q, head_size(layer, n)), dx, q, i, r);
      loop assigns h, scratch[0 .. product_room(state) - 1];
      loop variant layer->heads - h; */
  for (int h = 0; h < layer->heads; h++) {
    const attention_head head = attention_state_head(state, h);
    attention_head_jvp(dy_head, &head, dx, head_scratch);
    heads_join(concatenation, dy_head, layer, h, n);
  }
  output_project(dy, layer, NULL, concatenation, n);
}
