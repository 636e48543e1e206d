#include "kernel/attention.h"
#include "kernel/block.h"
#include "kernel/index.h"

/* The heads side by side (n x H k), one head alone (n x k), that head's own scratch. */
size_t attention_product_scratch(const attention_state *state) {
  const attention_head head = attention_state_head(state, 0);
  const int vectors = row_offset(state->n, state->layer->head_dim, state->n);
  const size_t heads = (size_t)state->layer->heads;
  return block_offset(heads, (size_t)vectors, heads) + (size_t)vectors + attention_head_product_scratch(&head);
}
