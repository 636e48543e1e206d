/* Unsigned integers from little-endian bytes of any alignment. Needs the bytes to be there: the caller checks lengths. */
#ifndef ATTCERT_LITTLE_ENDIAN_H
#define ATTCERT_LITTLE_ENDIAN_H

#include <stdint.h>

/*@ requires readable: \valid_read(bytes + (0 .. 1));
    assigns \nothing;
    ensures value: \result == bytes[0] + 256 * bytes[1]; */
static inline uint16_t little_endian_16(const unsigned char *bytes) {
  return (uint16_t)(bytes[0] + 256u * bytes[1]);
}

/*@ requires readable: \valid_read(bytes + (0 .. 3));
    assigns \nothing;
    ensures value: \result == bytes[0] + 0x100 * bytes[1] + 0x10000 * bytes[2] + 0x1000000 * bytes[3]; */
static inline uint32_t little_endian_32(const unsigned char *bytes) {
  return little_endian_16(bytes) + 0x10000u * little_endian_16(bytes + 2);
}

/*@ requires readable: \valid_read(bytes + (0 .. 7));
    assigns \nothing;
    ensures value: \result == bytes[0] + 0x100 * bytes[1] + 0x10000 * bytes[2] + 0x1000000 * bytes[3] +
                              0x100000000 * (bytes[4] + 0x100 * bytes[5] + 0x10000 * bytes[6] + 0x1000000 * bytes[7]); */
static inline uint64_t little_endian_64(const unsigned char *bytes) {
  return little_endian_32(bytes) + (uint64_t)0x100000000u * little_endian_32(bytes + 4);
}

#endif
