/* A head's sizes while they are computed. */
#ifndef ATTCERT_BALL_BALL_FILLING_H
#define ATTCERT_BALL_BALL_FILLING_H

#include "ball/ball_slopes.h"

typedef struct {
  ball_geometry *g;
  const ball_slopes *slopes;
} ball_filling;

/* r := sqrt(a) for an a >= 0 that the interval holds, rounded up. */
static inline void ball_root_upward(mpfr_ptr r, const interval *a) {
  mpfr_set(r, a->hi, MPFR_RNDU);
  if (mpfr_sgn(r) < 0) mpfr_set_zero(r, 1);
  mpfr_sqrt(r, r, MPFR_RNDU);
}

/* The norms over whole rows: product and mixed. Errors: ATTCERT_RESOURCE. */
attcert_status ball_filling_norms(const ball_filling *f, attcert_error *err);

#endif
