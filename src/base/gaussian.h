/* Standard normal numbers with an address: z(seed, stream, index) is a pure function, so any part of a
 * random matrix can be generated without the rest, in any order. Philox4x32-10 gives the bits,
 * Box-Muller the pair (index 2k, 2k + 1):
 *   z = sqrt(-2 ln u) (cos, sin)(2 pi v),  u, v uniform on the odd multiples of 2^-53 in (0, 1). */
#ifndef ATTCERT_BASE_GAUSSIAN_H
#define ATTCERT_BASE_GAUSSIAN_H

#include <stddef.h>
#include <stdint.h>

/* The stream of a name: 64-bit FNV-1a hash. */
uint64_t gaussian_stream(const char *name);

/*@ requires valid: \valid(z + (0 .. count - 1));
  @ assigns z[0 .. count - 1]; */
void gaussian_fill(double *z, uint64_t seed, uint64_t stream, uint64_t first, size_t count);

#endif
