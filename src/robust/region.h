/* What of an input moves beside its words: some of its entries, or all of them within a box. */
#ifndef ATTCERT_ROBUST_REGION_H
#define ATTCERT_ROBUST_REGION_H

#include "robust/margin.h"

/* What a ball's region points to, then. Zeros: nothing. */
typedef struct {
  bool *moves, *entries;        /* of the tokens, of their entries; NULL: all */
  double *least, *most, *reach; /* of the box */
  ball_box box;
  attcert_matrix middle;
} robust_region;

/* Lets only those entries (ball->input's shape) move that `entries` has, of the words that move in the ball already.
 * Errors: ATTCERT_INPUT (none is left), ATTCERT_RESOURCE. robust_region_clear is due in every case, as below. */
attcert_status robust_region_mask(robust_region *of, robust_ball *ball, const bool *entries, attcert_error *err);

/* Errors: ATTCERT_INPUT: of `count` entries a number that is not finite, or least above most. */
attcert_status robust_region_check(const double *least, const double *most, size_t count, attcert_error *err);

/* Doubles in the middle of such ends into `middle`. Errors: those. */
attcert_status robust_region_middle(double *middle, const double *least, const double *most, size_t count,
                                    attcert_error *err);

/* The ball becomes the box of these entries, its input (of whose label, if none is given, the margin is) its middle.
 * Errors: ATTCERT_INPUT (as above, or the input is outside), ATTCERT_RESOURCE. */
attcert_status robust_region_box(robust_region *of, robust_ball *ball, const network_steps *network,
                                 const double *least, const double *most, attcert_error *err);

void robust_region_clear(robust_region *of);

#endif
