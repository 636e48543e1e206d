/* The ball that a search stays in: projection while searching, membership when it is claimed. */
#ifndef ATTCERT_WORST_BALL_H
#define ATTCERT_WORST_BALL_H

#include "attcert.h"

/* Inputs whose tokens are at most `radius` from those of the centre: each of them, or all together in the Frobenius
 * norm. */
typedef struct {
  double radius;
  const attcert_matrix *centre; /* n x d; NULL: 0 */
  bool together;
  const bool *moves; /* n: the others stay at the centre; NULL: all do */
} worst_ball;

/* Every token farther away than the radius comes to about that distance. In double: a token may end up a rounding
 * outside. */
void worst_ball_project(attcert_matrix *x, const worst_ball *ball);

/* What points out of the ball is taken from a slope at x, where x is on the sphere: projection would undo it. */
void worst_ball_keep_tangent(double *slope, const attcert_matrix *x, const worst_ball *ball);

/* Whether x is in the ball, decided with outward rounding: true is a proof. */
bool worst_ball_holds(const attcert_matrix *x, const worst_ball *ball);

/* Moves the tokens that are not proved to be inside towards the centre, by as few units in the last place as it takes;
 * worst_ball_holds then. */
void worst_ball_enter(attcert_matrix *x, const worst_ball *ball);

#endif
