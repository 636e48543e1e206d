/* The set of inputs around a centre that a bound speaks of and that a search stays in: projection while searching,
 * membership when it is claimed, and what bounds need to know of it. */
#ifndef ATTCERT_BALL_REGION_BALL_REGION_H
#define ATTCERT_BALL_REGION_BALL_REGION_H

#include "attcert.h"
#include "ball/region/ball_kind.h"

/* least <= X' <= most, entry by entry (n x d); reach: at least the distance of both from the middle, which is the
 * centre of the region. */
typedef struct {
  const double *least, *most, *reach;
} ball_box;

/* Row i of X' is in the convex hull of the rows first[i] .. first[i + 1] - 1 of vertex. */
typedef struct {
  const int *first;
  const double *vertex;
} ball_hull;

/* All X' that differ from X in the moving entries of the moving tokens only, and there by at most the radius in the
 * norm of each segment. With a box: the X' of the box, whatever X (which its middle stands for in bounds); the kind is
 * then BALL_ENTRY, the radius 1, or 0 for its middle alone. With a hull: its X', of which bounds alone know, kind
 * BALL_TOKEN_SUM and radius 1. */
typedef struct {
  double radius; /* >= 0 */
  ball_kind_id kind;
  const bool *moves;     /* n; NULL: all tokens do */
  const bool *entries;   /* n x d; NULL: all entries do */
  const ball_box *box;   /* NULL: none */
  const ball_hull *hull; /* NULL: none */
} ball_region;

static inline const ball_kind *ball_region_kind(const ball_region *r) {
  return &ball_kinds[r->kind];
}

static inline bool ball_region_moves(const ball_region *r, int token) {
  return r->moves == NULL || r->moves[token];
}

/* Entry number `at` of n x d, whose token moves. */
static inline bool ball_region_moves_entry(const ball_region *r, size_t at) {
  return r->entries == NULL || r->entries[at];
}

static inline int ball_region_count(const ball_region *r, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) count += ball_region_moves(r, i) ? 1 : 0;
  return count;
}

/* ---- x (n x d) against the region around `centre` (n x d; NULL: 0) ----------------------------------------------- */

/* Every segment farther away than the radius comes to about that distance. In double: it may end up a rounding outside.
 */
void ball_region_project(attcert_matrix *x, const attcert_matrix *centre, const ball_region *r);

/* Moves the segments that are not proved to be inside towards the centre, by as few units in the last place as it
 * takes; all are then. */
void ball_region_enter(attcert_matrix *x, const attcert_matrix *centre, const ball_region *r);

/* ---- slopes (n x d) ---------------------------------------------------------------------------------------------- */

/* Entries that do not move := 0, and where x is on the region's border, what points out of it is taken from a
 * slope at x: projection would undo it. */
void ball_region_keep_tangent(double *slope, const attcert_matrix *x, const attcert_matrix *centre,
                              const ball_region *r);

/* slope := about the displacement of radius 1 along which a function of this slope grows fastest; false where it grows
 * along none. */
bool ball_region_steepest(double *slope, int n, int d, const ball_region *r);

/* norm contains how fast it grows then, by its exact slope: the dual norm. Entries that do not move := 0; with a box
 * all are multiplied by half of its width. */
void ball_region_dual_norm(interval *norm, interval *slope, int n, int d, const ball_region *r, interval_scratch *ws);

/* ---- the Euclidean ball around it -------------------------------------------------------------------------------- */

/* A region that holds this one, its segments' norm Euclidean: of the same tokens together, or of each. Its radius is
 * infinite where no double is large enough, and around a box. */
ball_region ball_region_hull(const ball_region *r, int n, int d);

#endif
