/* How far one head's weights, deviations and forms may move in a ball (ball_curvature.h). */
#ifndef ATTCERT_BALL_BALL_CHANGE_H
#define ATTCERT_BALL_BALL_CHANGE_H

#include "ball/ball_curvature.h"

/* Fills excess, lower, upper, turn and stretch of the scratch for the ball of radius tau. */
void ball_change(ball_curvature_scratch *s, const ball_geometry *g, double tau);

#endif
