/* See piece_list.h. */
#include "model/tokenizer/text/piece_list.h"

#include "base/growing_array.h"

#include <stdlib.h>

attcert_status piece_list_add(piece_list *p, const char *bytes, size_t length, attcert_error *err) {
  if (length == 0) return ATTCERT_OK;
  const attcert_status room =
      growing_array_room(&p->end, &p->capacity, p->count, sizeof *p->end, err, "a list of pieces of a text");
  if (room != ATTCERT_OK) return room;
  const attcert_status status = text_builder_append(&p->text, bytes, length, err);
  if (status == ATTCERT_OK) p->end[p->count++] = p->text.length;
  return status;
}

void piece_list_clear(piece_list *p) {
  text_builder_clear(&p->text);
  free(p->end);
  *p = (piece_list){.count = 0};
}

const char *piece_list_get(size_t *length, const piece_list *p, size_t i) {
  const size_t start = i > 0 ? p->end[i - 1] : 0;
  *length = p->end[i] - start;
  return p->text.data + start;
}
