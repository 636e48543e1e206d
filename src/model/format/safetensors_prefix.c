/* Nothing here trusts the file: lengths are compared before they are used. */
#include "model/format/safetensors_prefix.h"

#include "model/format/little_endian.h"

prefix_verdict safetensors_prefix_read(uint64_t *length, const unsigned char *bytes, size_t size) {
  *length = 0;
  if (size < SAFETENSORS_PREFIX_SIZE) return PREFIX_TOO_SHORT;
  *length = little_endian_64(bytes);
  if (*length > size - SAFETENSORS_PREFIX_SIZE) return PREFIX_BEYOND_FILE;
  return *length > SAFETENSORS_MAX_HEADER ? PREFIX_OVER_LIMIT : PREFIX_OK;
}

size_t safetensors_unpadded_length(const unsigned char *text, size_t length) {
  size_t end = length;
  /*@ loop invariant range: 0 <= end <= length;
      loop invariant padding: \forall integer i; end <= i < length ==> text[i] == 0x20;
      loop assigns end;
      loop variant end; */
  while (end > 0 && text[end - 1] == ' ') end--;
  return end;
}
