/* Points of the ball of a random network, where bounds over the ball can be wrong, and the network's values there. */
#ifndef ATTCERT_TESTS_SUPPORT_BALL_POINTS_H
#define ATTCERT_TESTS_SUPPORT_BALL_POINTS_H

#include "network_oracle.h"
#include "random_network.h"

enum { BALL_POINTS = 10, BALL_POINTS_COLUMNS = RANDOM_NETWORK_TOKENS * 12 };

typedef struct {
  const network_case *c;
  int columns;              /* of eps: words x d */
  double *eps[BALL_POINTS]; /* exact doubles */
  int points;
  network_values value[BALL_POINTS];
} ball_points;

void ball_points_init(ball_points *p, const network_case *c);
void ball_points_clear(ball_points *p);

/* While there is room. Adds the points farthest along +-v, which becomes steepest. */
void ball_points_add_extremes(ball_points *p, double *v);

/* Adds what an ascent in double ends at. */
void ball_points_add_attacked(ball_points *p);

/* Adds random ones on and in the ball until all places are taken. */
void ball_points_fill(ball_points *p, random_source *r);

/* p->value, in Arb. */
void ball_points_evaluate(ball_points *p);

#endif
