/* A strict parser for the one dictionary that NumPy writes; it reads through byte_scanner.h only, so never out of bounds. */
#include "model/npy_header.h"

#include "model/byte_scanner.h"
#include "model/little_endian.h"

#include <string.h>

/* The keys seen so far, as bits. */
enum { KEY_DESCR = 1, KEY_ORDER = 2, KEY_SHAPE = 4, ALL_KEYS = 7 };

enum { MAGIC_SIZE = 6, VERSION_SIZE = 2 };

static const char *const verdict_text[] = {
    [NPY_OK] = "a valid header",
    [NPY_NOT_NPY] = "not a .npy file: expected it to begin with \\x93NUMPY",
    [NPY_VERSION] = "unknown .npy version, expected 1.0, 2.0 or 3.0",
    [NPY_TRUNCATED] = "truncated: the header reaches beyond the end of the file",
    [NPY_SYNTAX] = "malformed header, expected {'descr': ..., 'fortran_order': ..., 'shape': ..., }",
    [NPY_KEY] = "expected each of the header keys descr, fortran_order and shape once, and no other",
    [NPY_OBJECT] = "structured or object dtype, expected '<f8', '<f4' or '<f2'",
    [NPY_DTYPE] = "unsupported dtype, expected '<f8', '<f4' or '<f2'",
    [NPY_ORDER] = "expected C order ('fortran_order': False)",
    [NPY_SHAPE] = "malformed shape, expected a tuple of integers of at most 64 bits such as (3, 4) or (3,)",
    [NPY_RANK] = "expected an array of one or two dimensions",
    [NPY_PADDING] = "expected only spaces and a final newline after the header's dictionary",
};

const char *npy_verdict_text(npy_verdict verdict) {
  return verdict_text[verdict];
}

/* scan_word for a C string literal. */
#define SCAN_LITERAL(buffer, length, position, literal) \
  scan_word(buffer, length, position, (const unsigned char *)(literal), sizeof(literal) - 1)

/* 'O', '|O' and a list of fields are told apart from plain types, because they hold no numbers at all. */
static npy_verdict parse_descr(npy_header *header, const unsigned char *buffer, size_t length, size_t *position) {
  size_t begin, end;
  if (*position < length && buffer[*position] == '[') return NPY_OBJECT;
  if (!scan_string(buffer, length, position, &begin, &end)) return NPY_SYNTAX;
  if (end > begin && buffer[end - 1] == 'O') return NPY_OBJECT;
  if (end - begin != 3 || buffer[begin] != '<' || buffer[begin + 1] != 'f') return NPY_DTYPE;
  const unsigned char width = buffer[begin + 2];
  header->format = width == '8'   ? NUMBER_F64
                   : width == '4' ? NUMBER_F32
                   : width == '2' ? NUMBER_F16
                                  : NUMBER_UNSUPPORTED;
  return header->format == NUMBER_UNSUPPORTED ? NPY_DTYPE : NPY_OK;
}

static npy_verdict parse_order(const unsigned char *buffer, size_t length, size_t *position) {
  if (SCAN_LITERAL(buffer, length, position, "False")) return NPY_OK;
  return SCAN_LITERAL(buffer, length, position, "True") ? NPY_ORDER : NPY_SYNTAX;
}

/* "(3,)", "(3, 4)", "(3, 4,)"; "(3)" is not a tuple in Python, and "()" is a scalar. */
static npy_verdict parse_shape(npy_header *header, const unsigned char *buffer, size_t length, size_t *position) {
  bool comma = true; /* the last thing read was a comma or the opening parenthesis */
  header->rank = 0;
  if (!scan_byte(buffer, length, position, '(')) return NPY_SHAPE;
  scan_spaces(buffer, length, position);
  while (!scan_byte(buffer, length, position, ')')) {
    uint64_t side;
    if (!comma || !scan_integer(buffer, length, position, &side)) return NPY_SHAPE;
    if (header->rank == NPY_MAX_RANK) return NPY_RANK;
    header->shape[header->rank++] = side;
    scan_spaces(buffer, length, position);
    comma = scan_byte(buffer, length, position, ',');
    scan_spaces(buffer, length, position);
  }
  if (header->rank == 1 && !comma) return NPY_SHAPE;
  return header->rank == 0 ? NPY_RANK : NPY_OK;
}

static bool equals(const unsigned char *text, size_t length, const char *word) {
  return length == strlen(word) && memcmp(text, word, length) == 0;
}

static int key_bit(const unsigned char *text, size_t length) {
  if (equals(text, length, "descr")) return KEY_DESCR;
  if (equals(text, length, "fortran_order")) return KEY_ORDER;
  return equals(text, length, "shape") ? KEY_SHAPE : 0;
}

static npy_verdict parse_value(npy_header *header, const unsigned char *buffer, size_t length, size_t *position,
                               int key) {
  if (key == KEY_DESCR) return parse_descr(header, buffer, length, position);
  if (key == KEY_ORDER) return parse_order(buffer, length, position);
  return parse_shape(header, buffer, length, position);
}

/* 'key': value */
static npy_verdict parse_item(npy_header *header, const unsigned char *buffer, size_t length, size_t *position,
                              int *keys) {
  size_t begin, end;
  if (!scan_string(buffer, length, position, &begin, &end)) return NPY_SYNTAX;
  const int key = key_bit(buffer + begin, end - begin);
  if (key == 0 || (*keys & key) != 0) return NPY_KEY;
  *keys |= key;
  scan_spaces(buffer, length, position);
  if (!scan_byte(buffer, length, position, ':')) return NPY_SYNTAX;
  scan_spaces(buffer, length, position);
  const npy_verdict verdict = parse_value(header, buffer, length, position, key);
  scan_spaces(buffer, length, position);
  return verdict;
}

static npy_verdict parse_dictionary(npy_header *header, const unsigned char *buffer, size_t length, size_t *position) {
  int keys = 0;
  bool comma = true; /* the last thing read was a comma or the opening brace */
  if (!scan_byte(buffer, length, position, '{')) return NPY_SYNTAX;
  scan_spaces(buffer, length, position);
  while (!scan_byte(buffer, length, position, '}')) {
    if (!comma) return NPY_SYNTAX;
    const npy_verdict verdict = parse_item(header, buffer, length, position, &keys);
    if (verdict != NPY_OK) return verdict;
    comma = scan_byte(buffer, length, position, ',');
    scan_spaces(buffer, length, position);
  }
  return keys == ALL_KEYS ? NPY_OK : NPY_KEY;
}

/* Magic, version and header length; the dictionary's text is buffer[*position .. *end - 1]. */
static npy_verdict parse_prefix(const unsigned char *buffer, size_t length, size_t *position, size_t *end) {
  if (!SCAN_LITERAL(buffer, length, position, "\x93NUMPY")) return NPY_NOT_NPY;
  if (length - *position < VERSION_SIZE) return NPY_TRUNCATED;
  const unsigned char major = buffer[MAGIC_SIZE], minor = buffer[MAGIC_SIZE + 1];
  if (major < 1 || major > 3 || minor != 0) return NPY_VERSION;
  *position += VERSION_SIZE;
  const size_t length_size = major == 1 ? 2 : 4; /* 3.0 is 2.0 in UTF-8 */
  if (length - *position < length_size) return NPY_TRUNCATED;
  const size_t text = major == 1 ? little_endian_16(buffer + *position) : little_endian_32(buffer + *position);
  *position += length_size;
  if (text > length - *position) return NPY_TRUNCATED;
  *end = *position + text;
  return NPY_OK;
}

npy_verdict npy_header_parse(npy_header *header, const unsigned char *buffer, size_t length) {
  *header = (npy_header){.format = NUMBER_UNSUPPORTED};
  size_t position = 0, end = 0;
  npy_verdict verdict = parse_prefix(buffer, length, &position, &end);
  if (verdict != NPY_OK) return verdict;
  verdict = parse_dictionary(header, buffer, end, &position);
  if (verdict != NPY_OK) return verdict;
  scan_spaces(buffer, end, &position);
  scan_byte(buffer, end, &position, '\n');
  header->data = end;
  return position == end ? NPY_OK : NPY_PADDING;
}
