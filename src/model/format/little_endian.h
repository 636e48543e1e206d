/* Unsigned integers from little-endian bytes of any alignment. Needs the bytes to be there:
 * the caller checks lengths. */
#ifndef ATTCERT_MODEL_FORMAT_LITTLE_ENDIAN_H
#define ATTCERT_MODEL_FORMAT_LITTLE_ENDIAN_H

#include <stdint.h>

#ifdef __FRAMAC__
#include "format/stored_number.acsl"
#endif

/*@ requires readable: \valid_read(bytes + (0 .. 1));
    terminates \true;
    assigns \nothing;
    ensures value: \result == little_endian_2(bytes); */
static inline uint16_t little_endian_16(const unsigned char *bytes) {
  return (uint16_t)(bytes[0] + 256u * bytes[1]);
}

/*@ requires readable: \valid_read(bytes + (0 .. 3));
    terminates \true;
    assigns \nothing;
    ensures value: \result == little_endian_4(bytes); */
static inline uint32_t little_endian_32(const unsigned char *bytes) {
  return little_endian_16(bytes) + 0x10000u * little_endian_16(bytes + 2);
}

/*@ requires readable: \valid_read(bytes + (0 .. 7));
    terminates \true;
    assigns \nothing;
    ensures value: \result == little_endian_8(bytes); */
static inline uint64_t little_endian_64(const unsigned char *bytes) {
  return little_endian_32(bytes) + (uint64_t)0x100000000u * little_endian_32(bytes + 4);
}

#endif
