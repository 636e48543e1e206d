/* A direction to take out of a symmetric matrix before random starts bound what is left, from the recurrence of one
 * start of its own: whatever it finds, the bound holds (randomized_deflation.h). */
#ifndef ATTCERT_RANDOMIZED_RANDOMIZED_PILOT_H
#define ATTCERT_RANDOMIZED_RANDOMIZED_PILOT_H

#include "randomized/randomized_lanczos.h"

typedef struct {
  randomized_deflation found; /* its v is about the top eigenvector */
  double top;                 /* about the largest eigenvalue, from below */
  double rest;                /* about the next one, or somewhat more */
} randomized_pilot;

/* So many steps that what v is not costs little beside `width`, asked of sqrt(upper / lower) - 1, or as many as are
 * worth it. `options`: who is told and may end it, or NULL. The vector found.v is the caller's to free. Errors:
 * ATTCERT_RESOURCE, ATTCERT_CANCELLED. */
attcert_status randomized_pilot_run(randomized_pilot *p, const randomized_operator *g, double width,
                                    randomized_bits *bits, const attcert_options *options, attcert_error *err);

#endif
