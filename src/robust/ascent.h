/* Looks for an input of a ball that changes the answer: steps against the gradient of the margin, projected onto the
 * ball (A. Madry et al., Towards Deep Learning Models Resistant to Adversarial Attacks, 2018). Nothing is proved here:
 * the point is in the ball, whether it flips is for robust_margin to say. */
#ifndef ATTCERT_ROBUST_ASCENT_H
#define ATTCERT_ROBUST_ASCENT_H

#include "robust/margin.h"

typedef struct {
  int steps, starts;
  uint64_t seed; /* of the starts but the first, which is the center */
} robust_ascent;

/* *moved (initialised here, cleared by the caller) = the point with the smallest margin that was found, *margin that
 * margin in double. It is proved to be in the ball. Errors: ATTCERT_RESOURCE, ATTCERT_CANCELLED. */
attcert_status robust_ascent_run(attcert_matrix *moved, double *margin, const network_steps *network,
                                 const robust_ball *ball, const robust_ascent *options, attcert_error *err);

#endif
