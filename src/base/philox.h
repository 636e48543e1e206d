/* Philox4x32-10, the counter-based generator of J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3", SC'11. The k-th block of numbers is a function of (k, key)
 * alone: no state, any order. */
#ifndef ATTCERT_BASE_PHILOX_H
#define ATTCERT_BASE_PHILOX_H

#include <stdint.h>

typedef struct {
  uint32_t word[4];
} philox_block;

/*@ assigns \nothing; */
philox_block philox_4x32(philox_block counter, uint64_t key);

#endif
