/* Numbers without a pattern where any numbers would do: start vectors of iterations. */
#ifndef ATTCERT_BASE_UNIFORM_H
#define ATTCERT_BASE_UNIFORM_H

#include <stdint.h>

/* Uniform in [-1, 1): SplitMix64 (Steele, Lea, Flood 2014) of the index. */
static inline double uniform_entry(uint64_t i) {
  uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  z ^= z >> 31;
  return (double)(int64_t)z * 0x1p-63;
}

#endif
