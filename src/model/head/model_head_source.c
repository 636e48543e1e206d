#include "model/head/model_head_source.h"

#include "model/model_parts.h"

#include <stdio.h>
#include <string.h>

void model_head_source(tensor_source *source, char prefix[TENSOR_NAME_SIZE], const model *m, bool of_model) {
  const char *const whole = m->source.prefix, *const family = m->family->prefix;
  const size_t length = strlen(whole), inner = strlen(family);
  const bool ends = length >= inner && strcmp(whole + length - inner, family) == 0;
  *source = m->source;
  if (of_model) return;
  snprintf(prefix, TENSOR_NAME_SIZE, "%.*s", (int)(ends ? length - inner : length), whole);
  source->prefix = prefix;
}
