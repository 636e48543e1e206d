/* The lower end on a ball: an input that an ascent found in it, and the certified image of a direction there. */
#ifndef ATTCERT_BALL_BALL_LOWER_H
#define ATTCERT_BALL_BALL_LOWER_H

#include "ball/region/ball_region.h"

#include <mpfr.h>

/* Improves the lower end and its input, which are those of the centre x: `steps` of an ascent from there
 * (search/worst_ascent.h), the point found moved into the ball until it is proved to be inside, then ||J u|| / ||u|| in
 * intervals for the ascent's direction. Errors: ATTCERT_RESOURCE. */
attcert_status ball_lower_improve(mpfr_t lower, attcert_matrix *input, int *steps, const attcert_layer *layer,
                                  const attcert_matrix *x, const ball_region *region, const attcert_options *options,
                                  attcert_error *err);

/* Bytes that it takes, Lanczos and intervals apart. */
uint64_t ball_lower_bytes(const attcert_layer *layer, int n);

#endif
