/* What the forms of a row of attention will be made of. */
#include "network/attention/step_attention.h"

#include <stdlib.h>

step_keys step_attention_attended(const step *s, int row, int keys) {
  return attention_heads_keys(s->of, attention_heads_position(s->of, row), keys);
}

/* Those of a list are fewer than the row's. */
static attention_keys keys_of(const step *s, int h, const step_row *row) {
  return attention_heads_listed(s->of, h, attention_heads_position(s->of, row->row),
                                row->attended.first + row->attended.count);
}

static int compare_rows(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

/* Whether one of the first heads, whose keys are listed, attends to that row, too. */
static bool is_attended(const step *s, int heads, const step_row *row, int key) {
  bool some = false;
  for (int h = 0; h < heads && !some; h++) {
    const attention_keys keys = keys_of(s, h, row);
    some = bsearch(&key, keys.listed, (size_t)keys.count, sizeof key, compare_rows) != NULL;
  }
  return some;
}

int step_attention_sources(step_source *from, const step *s, const step_row *row) {
  int count = 0;
  from[count++] = (step_source){0, row->row};
  for (int h = 0; h < attention_heads_different(s->of); h++) {
    const attention_keys keys = keys_of(s, h, row);
    for (int j = 0; j < keys.count; j++) {
      const int key = attention_keys_row(&keys, j);
      if (is_attended(s, h, row, key)) continue;
      from[count++] = (step_source){1, key};
      from[count++] = (step_source){2, key};
    }
  }
  return count;
}

/* The most weights of a head. */
static int most_weights(const step *s, const step_row *row) {
  int most = 0;
  for (int h = 0; h < attention_heads_different(s->of); h++) {
    const int weights = attention_heads_weights(s->of, keys_of(s, h, row).count);
    if (weights > most) most = weights;
  }
  return most;
}

/* The weights of all heads, also of their sinks, then the products of each. */
int step_attention_fresh(const step *s, const step_row *row, int k) {
  const attention_heads *const of = s->of;
  return k == 0 ? most_weights(s, row) * of->heads : k <= of->heads ? of->value_dim : 0;
}

/* step_attention_token (step_attention_head.h). */
uint64_t step_attention_scratch(const step *s, int in_cols, const step_row *row, int columns) {
  const attention_heads *const of = s->of;
  const int keys = most_weights(s, row);
  (void)in_cols;
  return ((uint64_t)s->cols + (uint64_t)keys + (uint64_t)attention_heads_block(of, keys)) * (uint64_t)columns;
}
