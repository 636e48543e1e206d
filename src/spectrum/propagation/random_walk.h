/* The random walk behind the propagation probability, played in plain double. Nothing of it is certified: what it says
 * is a frequency, with a statistical error. */
#ifndef ATTCERT_SPECTRUM_PROPAGATION_RANDOM_WALK_H
#define ATTCERT_SPECTRUM_PROPAGATION_RANDOM_WALK_H

#include "attcert.h"

typedef struct {
  int length, samples; /* T, how many walks */
  uint64_t seed;
} spectrum_walk;

/* A frequency, and the interval of Wilson's score (E. B. Wilson, J. Amer. Statist. Assoc. 22, 1927) at 95 %. */
typedef struct {
  double frequency, low, high;
} spectrum_frequency;

/* inside[i - 1], i = 1 .. T: how often 0 <= (1 + omega_i - mean_j omega_j) / T <= 1, with
 *   omega_j = x_T^T W x_j / sqrt(d),  x_j = e_1 + ... + e_j,  e_j ~ N(0, I) in R^d independent,
 * W = Q^T K of head h (gain: as in spectrum_factors_init). The same numbers for one seed, whatever the threads.
 * Errors: ATTCERT_RESOURCE. */
attcert_status spectrum_random_walk(spectrum_frequency *inside, const spectrum_walk *walk, const attcert_layer *layer,
                                    int h, const double *gain, attcert_error *err);

#endif
