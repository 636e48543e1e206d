/* A strict parser for the one dictionary that NumPy writes; it reads through byte_scanner.h
 * only, so never out of bounds. */
#include "model/format/npy_header.h"

#include "model/format/byte_scanner.h"
#include "model/format/little_endian.h"

/*@ predicate parser_valid{L}(npy_header *header, unsigned char *buffer, integer length, size_t *position) =
      \valid(header) && scanner_valid(buffer, length, position) &&
      \separated(header, position, buffer + (0 .. length - 1)); */

typedef enum { KEY_DESCR, KEY_ORDER, KEY_SHAPE, KEY_COUNT } dictionary_key; /* KEY_COUNT: none of them */

/* What the header holds once the keys `seen` have been read. */
/*@ predicate keys_read{L}(bool *seen, npy_header *header) =
      (seen[KEY_DESCR] ==> NUMBER_F64 <= header->format <= NUMBER_BF16) &&
      (seen[KEY_SHAPE] ==> 1 <= header->rank <= NPY_MAX_RANK); */

enum { MAGIC_SIZE = 6, VERSION_SIZE = 2 };

static const char verdict_text[][112] = {
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

/* byte_scanner_word for a C string literal. */
#define SCAN_LITERAL(buffer, length, position, literal) \
  byte_scanner_word(buffer, length, position, literal, sizeof(literal) - 1)

/* 'O', '|O' and a list of fields are told apart from plain types, because they hold no numbers at all. */
/*@ requires valid: parser_valid(header, buffer, length, position);
    terminates \true;
    assigns header->format, *position;
    ensures range: \old(*position) <= *position <= length;
    ensures format: \result == NPY_OK ==> NUMBER_F64 <= header->format <= NUMBER_BF16;
    ensures rank: header->rank == \old(header->rank); */
static npy_verdict parse_descr(npy_header *header, const unsigned char *buffer, size_t length, size_t *position) {
  size_t begin, end;
  if (*position < length && buffer[*position] == '[') return NPY_OBJECT;
  if (!byte_scanner_string(buffer, length, position, &begin, &end)) return NPY_SYNTAX;
  if (end > begin && buffer[end - 1] == 'O') return NPY_OBJECT;
  if (end - begin != 3 || buffer[begin] != '<' || buffer[begin + 1] != 'f') return NPY_DTYPE;
  const unsigned char width = buffer[begin + 2];
  header->format = width == '8'   ? NUMBER_F64
                   : width == '4' ? NUMBER_F32
                   : width == '2' ? NUMBER_F16
                                  : NUMBER_UNSUPPORTED;
  return header->format == NUMBER_UNSUPPORTED ? NPY_DTYPE : NPY_OK;
}

/*@ requires valid: scanner_valid(buffer, length, position);
    terminates \true;
    assigns *position;
    ensures range: \old(*position) <= *position <= length; */
static npy_verdict parse_order(const unsigned char *buffer, size_t length, size_t *position) {
  if (SCAN_LITERAL(buffer, length, position, "False")) return NPY_OK;
  return SCAN_LITERAL(buffer, length, position, "True") ? NPY_ORDER : NPY_SYNTAX;
}

/* "(3,)", "(3, 4)", "(3, 4,)"; "(3)" is not a tuple in Python, and "()" is a scalar. */
/*@ requires valid: parser_valid(header, buffer, length, position);
    terminates \true;
    assigns header->rank, header->shape[0 .. NPY_MAX_RANK - 1], *position;
    ensures range: \old(*position) <= *position <= length;
    ensures rank: \result == NPY_OK ==> 1 <= header->rank <= NPY_MAX_RANK;
    ensures format: header->format == \old(header->format); */
static npy_verdict parse_shape(npy_header *header, const unsigned char *buffer, size_t length, size_t *position) {
  bool comma = true; /* the last thing read was a comma or the opening parenthesis */
  header->rank = 0;
  if (!byte_scanner_byte(buffer, length, position, '(')) return NPY_SHAPE;
  byte_scanner_spaces(buffer, length, position);
  /*@ loop invariant range: \at(*position, Pre) <= *position <= length;
      loop invariant rank: 0 <= header->rank <= NPY_MAX_RANK;
      loop assigns comma, header->rank, header->shape[0 .. NPY_MAX_RANK - 1], *position;
      loop variant length - *position; */
  while (!byte_scanner_byte(buffer, length, position, ')')) {
    uint64_t side;
    if (!comma || !byte_scanner_integer(buffer, length, position, &side)) return NPY_SHAPE;
    if (header->rank == NPY_MAX_RANK) return NPY_RANK;
    header->shape[header->rank++] = side;
    byte_scanner_spaces(buffer, length, position);
    comma = byte_scanner_byte(buffer, length, position, ',');
    byte_scanner_spaces(buffer, length, position);
  }
  if (header->rank == 1 && !comma) return NPY_SHAPE;
  return header->rank == 0 ? NPY_RANK : NPY_OK;
}

/* Whether buffer[begin .. end - 1] is the word. */
#define IS_LITERAL(buffer, begin, end, literal) is_word(buffer, begin, end, literal, sizeof(literal) - 1)

/*@ requires readable: \valid_read(buffer + (0 .. end - 1)) && begin <= end;
    requires word: \valid_read(word + (0 .. word_length - 1));
    terminates \true;
    assigns \nothing;
    ensures length: \result ==> end - begin == word_length;
    ensures equal: \result ==> \forall integer i; 0 <= i < word_length ==>
                   buffer[begin + i] == (unsigned char)word[i]; */
static bool is_word(const unsigned char *buffer, size_t begin, size_t end, const char *word, size_t word_length) {
  size_t position = begin;
  return byte_scanner_word(buffer, end, &position, word, word_length) && position == end;
}

/*@ requires readable: \valid_read(buffer + (0 .. end - 1)) && begin <= end;
    terminates \true;
    assigns \nothing;
    ensures key: KEY_DESCR <= \result <= KEY_COUNT; */
static dictionary_key find_key(const unsigned char *buffer, size_t begin, size_t end) {
  if (IS_LITERAL(buffer, begin, end, "descr")) return KEY_DESCR;
  if (IS_LITERAL(buffer, begin, end, "fortran_order")) return KEY_ORDER;
  return IS_LITERAL(buffer, begin, end, "shape") ? KEY_SHAPE : KEY_COUNT;
}

/*@ requires valid: parser_valid(header, buffer, length, position);
    requires key: KEY_DESCR <= key < KEY_COUNT;
    terminates \true;
    assigns *header, *position;
    ensures range: \old(*position) <= *position <= length;
    ensures format: \result == NPY_OK && key == KEY_DESCR ==> NUMBER_F64 <= header->format <= NUMBER_BF16;
    ensures rank: \result == NPY_OK && key == KEY_SHAPE ==> 1 <= header->rank <= NPY_MAX_RANK;
    ensures other_format: key != KEY_DESCR ==> header->format == \old(header->format);
    ensures other_rank: key != KEY_SHAPE ==> header->rank == \old(header->rank); */
static npy_verdict parse_value(npy_header *header, const unsigned char *buffer, size_t length, size_t *position,
                               dictionary_key key) {
  if (key == KEY_DESCR) return parse_descr(header, buffer, length, position);
  if (key == KEY_ORDER) return parse_order(buffer, length, position);
  return parse_shape(header, buffer, length, position);
}

/* 'key': value */
/*@ requires valid: parser_valid(header, buffer, length, position);
    requires keys: \valid(seen + (0 .. KEY_COUNT - 1));
    requires apart: \separated(seen + (0 .. KEY_COUNT - 1), header, position, buffer + (0 .. length - 1));
    requires read: keys_read(seen, header);
    terminates \true;
    assigns *header, *position, seen[0 .. KEY_COUNT - 1];
    ensures range: \old(*position) <= *position <= length;
    ensures progress: \result == NPY_OK ==> \old(*position) < *position;
    ensures keys: \result == NPY_OK ==> keys_read(seen, header); */
static npy_verdict parse_item(npy_header *header, const unsigned char *buffer, size_t length, size_t *position,
                              bool seen[KEY_COUNT]) {
  size_t begin, end;
  if (!byte_scanner_string(buffer, length, position, &begin, &end)) return NPY_SYNTAX;
  const dictionary_key key = find_key(buffer, begin, end);
  if (key == KEY_COUNT || seen[key]) return NPY_KEY;
  byte_scanner_spaces(buffer, length, position);
  if (!byte_scanner_byte(buffer, length, position, ':')) return NPY_SYNTAX;
  byte_scanner_spaces(buffer, length, position);
  const npy_verdict verdict = parse_value(header, buffer, length, position, key);
  byte_scanner_spaces(buffer, length, position);
  seen[key] = true;
  return verdict;
}

/*@ requires valid: parser_valid(header, buffer, length, position);
    terminates \true;
    assigns *header, *position;
    ensures range: \old(*position) <= *position <= length;
    ensures format: \result == NPY_OK ==> NUMBER_F64 <= header->format <= NUMBER_BF16;
    ensures rank: \result == NPY_OK ==> 1 <= header->rank <= NPY_MAX_RANK; */
static npy_verdict parse_dictionary(npy_header *header, const unsigned char *buffer, size_t length, size_t *position) {
  bool seen[KEY_COUNT] = {false, false, false};
  bool comma = true; /* the last thing read was a comma or the opening brace */
  if (!byte_scanner_byte(buffer, length, position, '{')) return NPY_SYNTAX;
  byte_scanner_spaces(buffer, length, position);
  /*@ loop invariant range: \at(*position, Pre) <= *position <= length;
      loop invariant keys: keys_read(&seen[0], header);
      loop assigns comma, seen[0 .. KEY_COUNT - 1], *header, *position;
      loop variant length - *position; */
  while (!byte_scanner_byte(buffer, length, position, '}')) {
    if (!comma) return NPY_SYNTAX;
    const npy_verdict verdict = parse_item(header, buffer, length, position, seen);
    if (verdict != NPY_OK) return verdict;
    comma = byte_scanner_byte(buffer, length, position, ',');
    byte_scanner_spaces(buffer, length, position);
  }
  return seen[KEY_DESCR] && seen[KEY_ORDER] && seen[KEY_SHAPE] ? NPY_OK : NPY_KEY;
}

/* Magic, version and header length; the dictionary's text is buffer[*position .. *end - 1]. */
/*@ requires valid: scanner_valid(buffer, length, position) && *position == 0;
    requires end: \valid(end) && \separated(end, position, buffer + (0 .. length - 1));
    terminates \true;
    assigns *position, *end;
    ensures found: \result == NPY_OK ==> *position <= *end <= length;
    ensures end: \result == NPY_OK ==> *end == npy_data{Pre}(buffer);
    ensures version: \result == NPY_OK ==> 1 <= npy_version{Pre}(buffer) <= 3; */
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
  byte_scanner_spaces(buffer, end, &position);
  byte_scanner_byte(buffer, end, &position, '\n');
  header->data = end;
  return position == end ? NPY_OK : NPY_PADDING;
}
