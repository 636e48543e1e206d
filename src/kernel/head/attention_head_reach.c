#include "kernel/head/attention_head.h"

int attention_head_reach(const attention_head *head, int i) {
  return head->mask == ATTCERT_MASK_CAUSAL ? i + 1 : head->n;
}
