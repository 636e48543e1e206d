/* The bytes of a safetensors file that are looked at before its JSON text: the length prefix and the padding. */
#ifndef ATTCERT_MODEL_FORMAT_SAFETENSORS_PREFIX_H
#define ATTCERT_MODEL_FORMAT_SAFETENSORS_PREFIX_H

#include <stddef.h>
#include <stdint.h>

enum { SAFETENSORS_PREFIX_SIZE = 8, SAFETENSORS_MAX_HEADER = 100000000 }; /* the format's own limit */

typedef enum { PREFIX_OK, PREFIX_TOO_SHORT, PREFIX_BEYOND_FILE, PREFIX_OVER_LIMIT } prefix_verdict;

/* Reads the header's length (0 when there is none to read) and says whether that many bytes can follow the prefix. */
/*@ requires valid: \valid(length) && \valid_read(bytes + (0 .. size - 1));
    requires separated: \separated(length, bytes + (0 .. size - 1));
    terminates \true;
    assigns *length;
    ensures short: \result == PREFIX_TOO_SHORT <==> size < SAFETENSORS_PREFIX_SIZE;
    ensures inside: \result == PREFIX_OK ==> SAFETENSORS_PREFIX_SIZE + *length <= size;
    ensures limit: \result == PREFIX_OK ==> *length <= SAFETENSORS_MAX_HEADER; */
prefix_verdict safetensors_prefix_read(uint64_t *length, const unsigned char *bytes, size_t size);

/* The length of a text without the spaces (0x20) that pad its end. */
/*@ requires valid: \valid_read(text + (0 .. length - 1));
    terminates \true;
    assigns \nothing;
    ensures range: 0 <= \result <= length;
    ensures padding: \forall integer i; \result <= i < length ==> text[i] == 0x20;
    ensures maximal: \result > 0 ==> text[\result - 1] != 0x20; */
size_t safetensors_unpadded_length(const unsigned char *text, size_t length);

#endif
