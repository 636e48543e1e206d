/* The set of inputs around X that a bound speaks of. */
#ifndef ATTCERT_BALL_REGION_H
#define ATTCERT_BALL_REGION_H

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

#endif
