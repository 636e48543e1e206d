/* See special_tokens.h. */
#include "model/tokenizer/postprocessor/special_tokens.h"

#include <string.h>

bool special_tokens_put_before(special_tokens *s, const int *ids, int count) {
  if (count > SPECIAL_TOKENS_MAX - s->before_count) return false;
  memmove(s->before + count, s->before, (size_t)s->before_count * sizeof *ids);
  memcpy(s->before, ids, (size_t)count * sizeof *ids);
  s->before_count += count;
  return true;
}

bool special_tokens_put_after(special_tokens *s, const int *ids, int count) {
  if (count > SPECIAL_TOKENS_MAX - s->after_count) return false;
  memcpy(s->after + s->after_count, ids, (size_t)count * sizeof *ids);
  s->after_count += count;
  return true;
}
