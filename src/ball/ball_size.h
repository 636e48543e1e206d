/* The sizes that a head's second derivative is bounded by: upper ends, of which some count the moving tokens alone. */
#ifndef ATTCERT_BALL_BALL_SIZE_H
#define ATTCERT_BALL_BALL_SIZE_H

#include "ball/region/ball_region.h"
#include "interval/interval.h"

enum { BALL_PRECISION = 64 }; /* bits of every upper end */

/* Of a displacement, all tokens' parts, or the moving tokens' alone. */
typedef enum { BALL_ALL, BALL_MOVING, BALL_PARTS } ball_part;

static inline bool ball_part_has(ball_part part, const ball_region *region, int token) {
  return part == BALL_ALL || ball_region_moves(region, token);
}

/* The part that is distinguished from another: BALL_ALL where all tokens move. */
static inline ball_part ball_part_distinct(ball_part part, const ball_region *region) {
  return region->moves == NULL ? BALL_ALL : part;
}

/* r := sqrt(a) for an a >= 0 that the interval holds, rounded up. */
static inline void ball_size_root(mpfr_ptr r, const interval *a) {
  mpfr_set(r, a->hi, MPFR_RNDU);
  if (mpfr_sgn(r) < 0) mpfr_set_zero(r, 1);
  mpfr_sqrt(r, r, MPFR_RNDU);
}

#endif
