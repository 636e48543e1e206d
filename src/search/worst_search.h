/* The largest local Lipschitz constant that is found in B_R^n, and where. A search in plain double:
 * the input it returns is in the ball for certain, and attcert_certify at this input gives a rigorous
 * lower bound of Lip(f | B_R^n). */
#ifndef ATTCERT_SEARCH_WORST_SEARCH_H
#define ATTCERT_SEARCH_WORST_SEARCH_H

#include "attcert.h"

typedef struct {
  int tokens;    /* n >= 1 */
  double radius; /* R > 0, of the ball around 0 that each token lies in */
  int random;    /* random starts beside the constructions of worst_starts.h, >= 0 */
  int steps;     /* of the ascent from a start, at most; 0: the starts as they are */
  uint64_t seed; /* of the random starts */
} worst_options;

/* One start and what came of it; NaN where double overflows. */
typedef struct {
  char name[64];
  double before, after; /* estimates of ||D_X f||_2, from below */
  int steps;            /* taken */
} worst_record;

typedef struct {
  attcert_matrix x; /* n x d: the worst input found, ||x_i|| <= R */
  worst_record *record;
  int count, best; /* records; index of the one that x came from */
} worst_result;

/* Ascends from every start by a few steps, then goes on from the eight with the largest norms. options gives the memory
 * that may be used and the progress callback. Errors: ATTCERT_INPUT (a layer that attcert_layer_check refuses, or
 * numbers beyond double at every start), ATTCERT_RESOURCE. */
attcert_status worst_search(worst_result *result, const attcert_layer *layer, const worst_options *search,
                            const attcert_options *options, attcert_error *err);
void worst_result_clear(worst_result *result);

#endif
