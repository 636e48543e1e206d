/* The set of inputs around a centre that a bound speaks of and that a search stays in: projection while searching,
 * membership when it is claimed. */
#ifndef ATTCERT_BALL_REGION_BALL_REGION_H
#define ATTCERT_BALL_REGION_BALL_REGION_H

#include "attcert.h"

typedef enum {
  BALL_SEQUENCE, /* ||X' - X||_F <= radius */
  BALL_TOKEN     /* |x'_i - x_i| <= radius for every token */
} ball_kind;

/* All X' of this distance that differ from X in the moving tokens only. */
typedef struct {
  double radius; /* >= 0 */
  ball_kind kind;
  const bool *moves; /* n; NULL: all tokens do */
} ball_region;

static inline bool ball_region_moves(const ball_region *r, int token) {
  return r->moves == NULL || r->moves[token];
}

static inline int ball_region_count(const ball_region *r, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) count += ball_region_moves(r, i) ? 1 : 0;
  return count;
}

/* ---- x (n x d) against the region around `centre` (n x d; NULL: 0) ----------------------------------------------- */

/* Every token farther away than the radius comes to about that distance. In double: a token may end up a rounding
 * outside. */
void ball_region_project(attcert_matrix *x, const attcert_matrix *centre, const ball_region *r);

/* Moves the tokens that are not proved to be inside towards the centre, by as few units in the last place as it takes;
 * all are then. */
void ball_region_enter(attcert_matrix *x, const attcert_matrix *centre, const ball_region *r);

/* The rows of a slope (n x d) whose tokens do not move := 0. */
void ball_region_keep_moving(double *slope, int n, int d, const ball_region *r);

/* The same, and what points out of the region is taken from a slope at x where x is on the sphere: projection would
 * undo it. */
void ball_region_keep_tangent(double *slope, const attcert_matrix *x, const attcert_matrix *centre,
                              const ball_region *r);

#endif
