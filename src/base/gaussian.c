/* Addressed normal numbers: Philox4x32-10 on the counter (pair, stream) under the key `seed`, then Box-Muller. */
#include "base/gaussian.h"

#include "base/philox.h"

#include <math.h>

uint64_t gaussian_stream(const char *name) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (const char *c = name; *c != '\0'; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
  return hash;
}

/* (m + 1/2) 2^-52 for the upper 52 bits m: exact, and never 0, so its logarithm is finite. */
static double uniform(uint32_t lo, uint32_t hi) {
  const uint64_t m = ((uint64_t)hi << 32 | lo) >> 12;
  return ((double)m + 0.5) * 0x1p-52;
}

typedef struct {
  double z[2];
} normal_pair;

static normal_pair pair_at(uint64_t seed, uint64_t stream, uint64_t pair) {
  const philox_block counter = {{(uint32_t)pair, (uint32_t)(pair >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)}};
  const philox_block bits = philox_4x32(counter, seed);
  const double radius = sqrt(-2.0 * log(uniform(bits.word[0], bits.word[1])));
  const double angle = 0x1.921fb54442d18p+2 * uniform(bits.word[2], bits.word[3]);
  return (normal_pair){{radius * cos(angle), radius * sin(angle)}};
}

void gaussian_fill(double *z, uint64_t seed, uint64_t stream, uint64_t first, size_t count) {
  size_t i = 0;
  while (i < count) {
    const uint64_t index = first + i;
    const normal_pair pair = pair_at(seed, stream, index / 2);
    for (uint64_t half = index % 2; half < 2 && i < count; half++) z[i++] = pair.z[half];
  }
}
