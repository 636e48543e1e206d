/* See token_window.h. */
#include "model/tokenizer/vocabulary/token_window.h"

#include "base/arrays.h"

#include <stdlib.h>

void token_window_init(token_window *w, size_t first, size_t end) {
  *w = (token_window){.first = first, .end = end};
}

void token_window_clear(token_window *w) {
  free(w->tokens);
  *w = (token_window){0};
}

size_t token_window_count(const token_window *w) {
  return w->seen > w->first ? w->seen - w->first : 0;
}

bool token_window_full(const token_window *w) {
  return w->seen >= w->end;
}

bool token_window_keeps(const token_window *w) {
  return w->seen >= w->first && w->seen < w->end;
}

attcert_status token_window_push(token_window *w, int token, attcert_error *err) {
  if (token_window_full(w)) return ATTCERT_OK;
  if (token_window_keeps(w)) {
    const size_t count = token_window_count(w);
    if (count == w->capacity) {
      const size_t capacity = w->capacity == 0 ? 256 : 2 * w->capacity;
      int *const larger = realloc(w->tokens, capacity * sizeof(int));
      if (larger == NULL) return array_out_of_memory(err, capacity * sizeof(int), "a list of %zu tokens", capacity);
      w->tokens = larger;
      w->capacity = capacity;
    }
    w->tokens[count] = token;
  }
  w->seen++;
  return ATTCERT_OK;
}
