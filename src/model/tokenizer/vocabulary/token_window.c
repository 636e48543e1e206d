/* See token_window.h. */
#include "model/tokenizer/vocabulary/token_window.h"

#include "base/growing_array.h"

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
    const attcert_status room =
        growing_array_room(&w->tokens, &w->capacity, count, sizeof *w->tokens, err, "a list of tokens");
    if (room != ATTCERT_OK) return room;
    w->tokens[count] = token;
  }
  w->seen++;
  return ATTCERT_OK;
}
