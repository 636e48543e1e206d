#include "kernel/head/attention_head_row.h"
#include "kernel/linear/index.h"

attention_row_view attention_head_row(const attention_head *head, int i) {
  const int n = head->n, k = head->head_dim, start = row_offset(i, k, n);
  const attention_row_view row_of_head = {.n = attended_keys(head->mask, i, head->n),
                                          .k = k,
                                          .root = head->root,
                                          .weights = head->weights + row_offset(i, n, n),
                                          .query = head->query + start,
                                          .output = head->output + start,
                                          .keys = head->key,
                                          .values = head->value};
  return row_of_head;
}
