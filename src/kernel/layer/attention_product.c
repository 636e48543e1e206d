#include "kernel/layer/attention.h"
#include "kernel/linear/index.h"

/* The heads side by side (n x H k), one head alone (n x k), that head's own scratch. */
size_t attention_product_scratch(const attention_state *state) {
  const attcert_layer *layer = state->layer;
  const attention_head head = attention_state_head(state, 0);
  const int n = state->n, k = layer->head_dim, width = row_offset(layer->heads, k, layer->heads);
  const size_t heads_room = (size_t)row_offset(n, width, n), head_room = (size_t)row_offset(n, k, n);
  //@ assert sides: head.n == n && head.dim == layer->dim && head.head_dim == k;
  const size_t product_room = attention_head_product_scratch(&head);
  //@ assert heads_room: heads_room == row(n, width(layer)) <= DIM_MAX * DIM_MAX;
  //@ assert head_room: 0 <= head_room == row(n, k) <= DIM_MAX * DIM_MAX;
  //@ assert product_room: product_room == 3 * row(n, k) + n;
  return heads_room + head_room + product_room;
}
