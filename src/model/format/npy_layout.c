/* A rewritten dictionary is at most one byte longer. It cannot say more than the parser reads: what is replaced is the
 * value of the one key of that name, and the parser refuses a second one. */
#include "model/format/npy_layout.h"

#include "base/arrays.h"
#include "model/format/byte_scanner.h"

#include <stdlib.h>
#include <string.h>

/* A header as text of its own: the prefix of version 2, whose length has four bytes, then the dictionary. */
typedef struct {
  unsigned char *bytes;
  size_t size;
} header_copy;

enum { PREFIX = 12 };

size_t npy_layout_find_value(const unsigned char *text, size_t size, const char *key) {
  const size_t length = strlen(key);
  for (size_t i = 1; i + length < size; i++) {
    if (memcmp(text + i, key, length) != 0 || (text[i - 1] != '\'' && text[i - 1] != '"')) continue;
    size_t position = i + length + 1; /* behind the quote */
    byte_scanner_spaces(text, size, &position);
    if (!byte_scanner_byte(text, size, &position, ':')) continue;
    byte_scanner_spaces(text, size, &position);
    return position;
  }
  return size;
}

/* Replaces length bytes at the place by the word, which is at most one byte longer. */
static void replace(header_copy *copy, size_t place, size_t length, const char *word) {
  const size_t size = strlen(word), rest = copy->size - place - length;
  memmove(copy->bytes + place + size, copy->bytes + place + length, rest);
  memcpy(copy->bytes + place, word, size);
  copy->size += size;
  copy->size -= length;
  for (size_t i = 0; i < 4; i++) copy->bytes[8 + i] = (unsigned char)((copy->size - PREFIX) >> 8 * i & 255);
}

/* 'fortran_order': True becomes False. */
static bool take_order(header_copy *copy) {
  static const char word[] = "True";
  const size_t place = npy_layout_find_value(copy->bytes, copy->size, "fortran_order");
  size_t position = place;
  if (place == copy->size || !byte_scanner_word(copy->bytes, copy->size, &position, word, sizeof word - 1))
    return false;
  replace(copy, place, sizeof word - 1, "False");
  return true;
}

/* 'shape': (1, ... becomes (... */
static void take_leading_one(header_copy *copy) {
  const size_t place = npy_layout_find_value(copy->bytes, copy->size, "shape");
  size_t position = place;
  uint64_t side;
  if (place == copy->size || !byte_scanner_byte(copy->bytes, copy->size, &position, '(')) return;
  byte_scanner_spaces(copy->bytes, copy->size, &position);
  if (!byte_scanner_integer(copy->bytes, copy->size, &position, &side) || side != 1) return;
  byte_scanner_spaces(copy->bytes, copy->size, &position);
  if (byte_scanner_byte(copy->bytes, copy->size, &position, ',')) replace(copy, place, position - place, "(");
}

bool npy_layout_find_dictionary(size_t *begin, size_t *end, const unsigned char *bytes, size_t size) {
  if (size < PREFIX || memcmp(bytes, "\x93NUMPY", 6) != 0) return false;
  size_t length = bytes[8] + 256u * bytes[9];
  *begin = bytes[6] == 1 ? 10 : PREFIX;
  if (bytes[6] != 1) length += 65536u * (bytes[10] + (size_t)256u * bytes[11]);
  if (length > size - *begin) return false;
  *end = *begin + length;
  return true;
}

static npy_verdict parse_rewritten(npy_header *header, bool *fortran, const unsigned char *text, size_t length,
                                   header_copy *copy, npy_verdict verdict) {
  memcpy(copy->bytes, "\x93NUMPY\x02\x00\x00\x00\x00\x00", PREFIX);
  memcpy(copy->bytes + PREFIX, text, length);
  copy->size = PREFIX + length;
  replace(copy, copy->size, 0, "");
  *fortran = take_order(copy);
  const npy_verdict second = npy_header_parse(header, copy->bytes, copy->size);
  if (second != NPY_RANK) return second == NPY_OK ? second : verdict;
  take_leading_one(copy);
  return npy_header_parse(header, copy->bytes, copy->size) == NPY_OK ? NPY_OK : NPY_RANK;
}

static attcert_status refuse(npy_verdict verdict, const unsigned char *bytes, size_t size, const char *label,
                             attcert_error *err) {
  size_t begin, end;
  if ((verdict == NPY_DTYPE || verdict == NPY_OBJECT) && npy_layout_find_dictionary(&begin, &end, bytes, size)) {
    const size_t length = end - begin, place = npy_layout_find_value(bytes + begin, length, "descr");
    const size_t shown = length - place < 24 ? length - place : 24;
    const unsigned char *const comma = memchr(bytes + begin + place, ',', shown);
    return attcert_fail(err, ATTCERT_INPUT, "%s: %s, found %.*s", label, npy_verdict_text(verdict),
                        (int)(comma != NULL ? (size_t)(comma - bytes) - begin - place : shown),
                        (const char *)bytes + begin + place);
  }
  if (verdict == NPY_RANK)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %s, or of shape (1, n, d)", label, npy_verdict_text(verdict));
  return attcert_fail(err, ATTCERT_INPUT, "%s: %s", label, npy_verdict_text(verdict));
}

attcert_status npy_layout_read(npy_header *header, bool *fortran, const unsigned char *bytes, size_t size,
                               const char *label, attcert_error *err) {
  size_t begin, end;
  npy_verdict verdict = npy_header_parse(header, bytes, size);
  *fortran = false;
  if ((verdict == NPY_ORDER || verdict == NPY_RANK) && npy_layout_find_dictionary(&begin, &end, bytes, size)) {
    header_copy copy = {array_new(PREFIX + end - begin + 1, 1, err, "the header of %s", label), 0};
    if (copy.bytes == NULL) return ATTCERT_RESOURCE;
    verdict = parse_rewritten(header, fortran, bytes + begin, end - begin, &copy, verdict);
    free(copy.bytes);
    header->data = end;
  }
  return verdict == NPY_OK ? ATTCERT_OK : refuse(verdict, bytes, size, label, err);
}
