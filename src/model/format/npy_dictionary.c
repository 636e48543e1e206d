#include "model/format/npy_dictionary.h"

#include "base/arrays.h"
#include "model/format/byte_scanner.h"
#include "model/format/npy_layout.h"

#include <stdlib.h>
#include <string.h>

bool npy_dictionary_dtype(npy_stretch *dtype, const unsigned char *bytes, size_t size) {
  size_t begin, end, first, last;
  *dtype = (npy_stretch){0, 0};
  if (!npy_layout_find_dictionary(&begin, &end, bytes, size)) return false;
  size_t position = npy_layout_find_value(bytes + begin, end - begin, "descr");
  if (!byte_scanner_string(bytes + begin, end - begin, &position, &first, &last)) return false;
  *dtype = (npy_stretch){begin + first, begin + last};
  return true;
}

/* "(2, 3, 4)", "(4,)" from the position on. */
static bool scan_sides(int *rank, uint64_t side[NPY_ARRAY_SIDES], const unsigned char *text, size_t size,
                       size_t *position) {
  *rank = 0;
  if (!byte_scanner_byte(text, size, position, '(')) return false;
  while (*rank < NPY_ARRAY_SIDES) {
    byte_scanner_spaces(text, size, position);
    if (!byte_scanner_integer(text, size, position, &side[*rank])) return false;
    ++*rank;
    byte_scanner_spaces(text, size, position);
    const bool comma = byte_scanner_byte(text, size, position, ',');
    byte_scanner_spaces(text, size, position);
    if (byte_scanner_byte(text, size, position, ')')) return comma || *rank > 1;
    if (!comma) return false;
  }
  return false;
}

bool npy_dictionary_shape(int *rank, uint64_t side[NPY_ARRAY_SIDES], npy_stretch *shape, const unsigned char *bytes,
                          size_t size) {
  size_t begin, end;
  if (!npy_layout_find_dictionary(&begin, &end, bytes, size)) return false;
  const size_t place = npy_layout_find_value(bytes + begin, end - begin, "shape");
  size_t position = place;
  if (!scan_sides(rank, side, bytes + begin, end - begin, &position)) return false;
  *shape = (npy_stretch){begin + place, begin + position};
  return true;
}

/* A shape has four characters or more. */
static void rewrite(unsigned char *copy, const npy_stretch *place, const char *word) {
  if (place == NULL) return;
  memset(copy + place->first, ' ', place->last - place->first);
  for (size_t i = 0; word[i] != '\0'; i++) copy[place->first + i] = (unsigned char)word[i];
}

attcert_status npy_dictionary_judge(npy_header *header, const npy_stretch *dtype, const npy_stretch *shape,
                                    const unsigned char *bytes, size_t size, const char *label, attcert_error *err) {
  size_t begin, end;
  if (!npy_layout_find_dictionary(&begin, &end, bytes, size)) end = size;
  unsigned char *const copy = array_new(end, 1, err, "the header of %s", label);
  if (copy == NULL) return ATTCERT_RESOURCE;
  if (end > 0) memcpy(copy, bytes, end);
  rewrite(copy, dtype, "<f8");
  rewrite(copy, shape, "(1,)");
  const npy_verdict verdict = npy_header_parse(header, copy, end);
  free(copy);
  return verdict == NPY_OK ? ATTCERT_OK : attcert_fail(err, ATTCERT_INPUT, "%s: %s", label, npy_verdict_text(verdict));
}
