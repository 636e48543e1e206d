/* The scanner works on a copy of *position and writes it back on success, so that a failure consumes nothing. */
#include "model/format/byte_scanner.h"

void byte_scanner_spaces(const unsigned char *buffer, size_t length, size_t *position) {
  /*@ loop invariant range: \at(*position, Pre) <= *position <= length;
      loop invariant spaces: \forall integer i; \at(*position, Pre) <= i < *position ==> buffer[i] == 0x20;
      loop assigns *position;
      loop variant length - *position; */
  while (*position < length && buffer[*position] == ' ') (*position)++;
}

bool byte_scanner_byte(const unsigned char *buffer, size_t length, size_t *position, unsigned char byte) {
  if (*position >= length || buffer[*position] != byte) return false;
  (*position)++;
  return true;
}

bool byte_scanner_word(const unsigned char *buffer, size_t length, size_t *position, const char *word,
                       size_t word_length) {
  if (word_length > length - *position) return false;
  /*@ loop invariant range: 0 <= i <= word_length;
      loop invariant equal: \forall integer j; 0 <= j < i ==> buffer[*position + j] == (unsigned char)word[j];
      loop assigns i;
      loop variant word_length - i; */
  for (size_t i = 0; i < word_length; i++) {
    if (buffer[*position + i] != (unsigned char)word[i]) return false;
  }
  *position += word_length;
  return true;
}

/*@ terminates \true;
    assigns \nothing;
    ensures digit: \result <==> 0x30 <= byte <= 0x39; */
static bool is_digit(unsigned char byte) {
  return '0' <= byte && byte <= '9';
}

bool byte_scanner_integer(const unsigned char *buffer, size_t length, size_t *position, uint64_t *value) {
  const size_t start = *position;
  size_t at = start;
  uint64_t number = 0;
  /*@ loop invariant range: start <= at <= length;
      loop invariant digits: digits{Pre}(buffer, start, at);
      loop invariant value: number == decimal{Pre}(buffer, start, at);
      loop assigns at, number;
      loop variant length - at; */
  while (at < length && is_digit(buffer[at])) {
    const uint64_t digit = (uint64_t)(buffer[at] - '0');
    if (number > (UINT64_MAX - digit) / 10) return false;
    number = 10 * number + digit;
    at++;
  }
  if (at == start || (buffer[start] == '0' && at - start > 1)) return false;
  *value = number;
  *position = at;
  return true;
}

bool byte_scanner_string(const unsigned char *buffer, size_t length, size_t *position, size_t *begin, size_t *end) {
  const size_t start = *position;
  if (start >= length || (buffer[start] != '\'' && buffer[start] != '"')) return false;
  size_t at = start + 1;
  /*@ loop invariant range: start < at <= length;
      loop invariant text: \forall integer i; start < i < at ==> buffer[i] != buffer[start] && buffer[i] != 0x5c;
      loop assigns at;
      loop variant length - at; */
  while (at < length && buffer[at] != buffer[start] && buffer[at] != '\\') at++;
  if (at == length || buffer[at] == '\\') return false;
  *begin = start + 1;
  *end = at;
  *position = at + 1;
  return true;
}
