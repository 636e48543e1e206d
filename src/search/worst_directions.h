/* The directions of token space that extreme inputs of one head are built from, in plain
 * double: proposals, not certified. */
#ifndef ATTCERT_SEARCH_WORST_DIRECTIONS_H
#define ATTCERT_SEARCH_WORST_DIRECTIONS_H

#include "attcert.h"

typedef enum {
  WORST_NEGATIVE, /* eigenvector of the most negative real eigenvalue of A = K^T Q / sqrt(k) */
  WORST_POSITIVE, /* of the largest positive one */
  WORST_SINGULAR, /* right singular vector of A for ||A|| */
  WORST_DIRECTIONS
} worst_direction;

typedef struct {
  const attcert_layer *layer;
  int head;
  bool has[WORST_DIRECTIONS];
  double value[WORST_DIRECTIONS];   /* the eigenvalue or ||A|| */
  double *vector[WORST_DIRECTIONS]; /* unit, d entries each */
} worst_directions;

/* Those that exist; none where double overflows. Errors: ATTCERT_RESOURCE. */
attcert_status worst_directions_init(worst_directions *w, const attcert_layer *layer, int head, attcert_error *err);
void worst_directions_clear(worst_directions *w);

/* g (d) := A x. */
void worst_score_map(double *g, const worst_directions *w, const double *x);

/* e (d) := a unit vector orthogonal to the unit vector g (d) of largest image under the head's W_O V. *found is false
 * when there is none, as for d = 1. Errors: ATTCERT_RESOURCE. */
attcert_status worst_value_direction(double *e, bool *found, const worst_directions *w, const double *g,
                                     attcert_error *err);

#endif
