/* The ball B_R of the tokens: projection while searching, membership when it is claimed. */
#ifndef ATTCERT_WORST_BALL_H
#define ATTCERT_WORST_BALL_H

#include "attcert.h"

/* Every token longer than radius is scaled to about that length. In double: a token may end up a rounding outside. */
void worst_ball_project(attcert_matrix *x, double radius);

/* ||x_i|| <= radius for every token, decided with outward rounding: true is a proof. */
bool worst_ball_holds(const attcert_matrix *x, double radius);

/* Shrinks the tokens that are not proved to be inside, by as few units in the last place as it
 * takes; worst_ball_holds then. */
void worst_ball_enter(attcert_matrix *x, double radius);

#endif
