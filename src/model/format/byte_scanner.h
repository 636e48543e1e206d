/* Scanning untrusted text: each function looks at buffer[*position .. length - 1], never beyond, and either consumes
 * what it describes (true, *position moves past it) or consumes nothing (false). */
#ifndef ATTCERT_MODEL_FORMAT_BYTE_SCANNER_H
#define ATTCERT_MODEL_FORMAT_BYTE_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*@ predicate scanner_valid{L}(unsigned char *buffer, integer length, size_t *position) =
      \valid_read(buffer + (0 .. length - 1)) && \valid(position) && 0 <= *position <= length &&
      \separated(position, buffer + (0 .. length - 1)); */

/* The decimal number that the digits buffer[begin .. end - 1] write. */
/*@ predicate digits{L}(unsigned char *buffer, integer begin, integer end) =
      \forall integer i; begin <= i < end ==> 0x30 <= buffer[i] <= 0x39;
    logic integer decimal{L}(unsigned char *buffer, integer begin, integer end) =
      end <= begin ? 0 : 10 * decimal(buffer, begin, end - 1) + (buffer[end - 1] - 0x30); */

/* Consumes spaces (0x20), possibly none. */
/*@ requires valid: scanner_valid(buffer, length, position);
    terminates \true;
    assigns *position;
    ensures range: \old(*position) <= *position <= length;
    ensures spaces: \forall integer i; \old(*position) <= i < *position ==> buffer[i] == 0x20;
    ensures maximal: *position < length ==> buffer[*position] != 0x20; */
void byte_scanner_spaces(const unsigned char *buffer, size_t length, size_t *position);

/* Consumes one given byte. */
/*@ requires valid: scanner_valid(buffer, length, position);
    terminates \true;
    assigns *position;
    ensures found: \result ==> *position == \old(*position) + 1 && *position <= length;
    ensures equal: \result ==> buffer[\old(*position)] == byte;
    ensures absent: !\result ==> *position == \old(*position); */
bool byte_scanner_byte(const unsigned char *buffer, size_t length, size_t *position, unsigned char byte);

/* Consumes the bytes word[0 .. word_length - 1]. */
/*@ requires valid: scanner_valid(buffer, length, position);
    requires word: \valid_read(word + (0 .. word_length - 1)) && \separated(position, word + (0 .. word_length - 1));
    terminates \true;
    assigns *position;
    ensures found: \result ==> *position == \old(*position) + word_length && *position <= length;
    ensures equal: \result ==>
      \forall integer i; 0 <= i < word_length ==> buffer[\old(*position) + i] == (unsigned char)word[i];
    ensures absent: !\result ==> *position == \old(*position); */
bool byte_scanner_word(const unsigned char *buffer, size_t length, size_t *position, const char *word,
                       size_t word_length);

/* Consumes a decimal integer without sign or leading zero, of at most 64 bits. */
/*@ requires valid: scanner_valid(buffer, length, position);
    requires value: \valid(value) && \separated(value, position) && \separated(value, buffer + (0 .. length - 1));
    terminates \true;
    assigns *position, *value;
    ensures found: \result ==> \old(*position) < *position <= length;
    ensures digits: \result ==> digits{Pre}(buffer, \old(*position), *position);
    ensures value: \result ==> *value == decimal{Pre}(buffer, \old(*position), *position);
    ensures absent: !\result ==> *position == \old(*position) && *value == \old(*value); */
bool byte_scanner_integer(const unsigned char *buffer, size_t length, size_t *position, uint64_t *value);

/* Consumes a string in single or double quotes, which holds no backslash; its text is buffer[*begin .. *end - 1]. */
/*@ requires valid: scanner_valid(buffer, length, position);
    requires text: \valid(begin) && \valid(end) && \separated(begin, end, position, buffer + (0 .. length - 1));
    terminates \true;
    assigns *position, *begin, *end;
    ensures found: \result ==> \old(*position) < *begin <= *end < *position <= length;
    ensures quotes: \result ==> *begin == \old(*position) + 1 && *end == *position - 1 &&
      (buffer[*begin - 1] == 0x22 || buffer[*begin - 1] == 0x27) && buffer[*end] == buffer[*begin - 1];
    ensures text: \result ==> \forall integer i; *begin <= i < *end ==>
      buffer[i] != buffer[*begin - 1] && buffer[i] != 0x5c;
    ensures absent: !\result ==> *position == \old(*position); */
bool byte_scanner_string(const unsigned char *buffer, size_t length, size_t *position, size_t *begin, size_t *end);

#endif
