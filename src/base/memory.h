/* What the machine and this process say of memory, and sums of bytes. */
#ifndef ATTCERT_BASE_MEMORY_H
#define ATTCERT_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that can be had without swapping: Linux's estimate, or the free pages; UINT64_MAX where neither is known. */
uint64_t memory_available(void);

/* The most bytes this process has held at once; 0 where that is not known. */
uint64_t memory_peak(void);

/* Asks the system to back a block of 4 MiB or more, which nothing has touched yet, with large pages where it has any:
 * with those of 4 KiB the first touch of a matrix costs as much as filling it. It is a hint, and may be refused. What
 * shares a page with the block gets the same, so that blocks one behind the other have large pages across their ends,
 * too. */
void memory_prefer_large_pages(void *block, size_t bytes);

/* a + b, or UINT64_MAX when that is beyond counting. */
static inline uint64_t memory_add(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
