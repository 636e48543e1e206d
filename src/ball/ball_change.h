/* How far one head's weights, deviations and forms may move in a ball (ball_curvature.h). */
#ifndef ATTCERT_BALL_BALL_CHANGE_H
#define ATTCERT_BALL_BALL_CHANGE_H

#include "ball/ball_geometry.h"

/* [n][n] each. */
typedef struct {
  mpfr_ptr excess;       /* P_ij eta_ij */
  mpfr_ptr lower, upper; /* of P'_ij */
  mpfr_ptr turn;         /* Delta_ij */
  mpfr_ptr stretch;      /* D_ij */
} ball_changes;

/* Fills all of them for the ball of radius tau. */
void ball_change(ball_changes *s, const ball_geometry *g, double tau);

#endif
