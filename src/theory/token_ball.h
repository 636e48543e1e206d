/* Balls that hold every token x_1 .. x_n. */
#ifndef ATTCERT_THEORY_TOKEN_BALL_H
#define ATTCERT_THEORY_TOKEN_BALL_H

#include "attcert.h"

/* centre NULL: around 0. */
typedef struct {
  const double *centre;
  double radius;
} token_ball;

/* A double >= max_i ||x_i - centre||, +inf when there is none; centre (d numbers) NULL: the origin. */
double token_ball_radius(const attcert_matrix *x, const double *centre);

/* Proposes a centre for a small ball. Errors: ATTCERT_RESOURCE. */
attcert_status token_ball_centre(double *centre, const attcert_matrix *x, attcert_error *err);

#endif
