/* Random bits: the system's generator, or for a run that can be repeated those that a seed determines. */
#ifndef ATTCERT_RANDOMIZED_RANDOMIZED_BITS_H
#define ATTCERT_RANDOMIZED_RANDOMIZED_BITS_H

#include "attcert.h"

typedef struct {
  bool seeded;
  uint64_t seed;
  uint64_t drawn; /* blocks of the seed's generator so far */
} randomized_bits;

/* Fills words[0 .. count - 1]. Errors: ATTCERT_RESOURCE where the system gives none. */
attcert_status randomized_bits_draw(randomized_bits *bits, uint64_t *words, size_t count, attcert_error *err);

#endif
