#include "kernel/attention.h"
#include "kernel/index.h"

/* The heads side by side (n x H k), one head alone (n x k), that head's own scratch. */
size_t attention_product_scratch(const attention_state *state) {
  const attcert_layer *layer = state->layer;
  const attention_head head = attention_state_head(state, 0);
  const int n = state->n, k = layer->head_dim, width = row_offset(layer->heads, k, layer->heads);
  const size_t heads_room = (size_t)row_offset(n, width, n), head_room = (size_t)row_offset(n, k, n);
  //@ assert sides: head.n == n && head.dim == layer->dim && head.head_dim == k;
  return heads_room + head_room + attention_head_product_scratch(&head);
}
