/* What the machine and this process say of memory, and sums of bytes. */
#ifndef ATTCERT_BASE_MEMORY_H
#define ATTCERT_BASE_MEMORY_H

#include <stdint.h>

/* Bytes that can be had without swapping: Linux's estimate, or the free pages; UINT64_MAX where neither is known. */
uint64_t memory_available(void);

/* The most bytes this process has held at once; 0 where that is not known. */
uint64_t memory_peak(void);

/* a + b, or UINT64_MAX when that is beyond counting. */
static inline uint64_t memory_add(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
