/* Reproducible pseudo-random numbers: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). Only exact operations on doubles
 * are used, so that one seed gives the same numbers on every machine and with every libm. */
#ifndef ATTCERT_TESTS_SUPPORT_RANDOM_SOURCE_H
#define ATTCERT_TESTS_SUPPORT_RANDOM_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t state;
} random_source;

/* A stream of its own for each (seed, stream, index). */
random_source random_source_make(uint64_t seed, uint64_t stream, uint64_t index);

uint64_t random_bits(random_source *r);
double random_uniform(random_source *r, double low, double high);
int random_integer(random_source *r, int low, int high); /* low <= value <= high */
bool random_chance(random_source *r, double probability);

/* Mean 0, variance 1: a sum of twelve uniform numbers, less 6. */
double random_gaussian(random_source *r);

/* m 2^e with e uniform in [low, high] and m uniform in [1, 2): a magnitude between 2^low and 2^(high+1). */
double random_magnitude(random_source *r, int low, int high);

void random_fill_gaussian(double *a, size_t count, double scale, random_source *r);
void random_fill_integers(double *a, size_t count, int low, int high, random_source *r);

#endif
