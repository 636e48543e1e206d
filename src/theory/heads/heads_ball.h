/* The numbers of one head of any kind on a ball (theory/ball_bounds.h); spec/theorems/general_heads.md derives them. */
#ifndef ATTCERT_THEORY_HEADS_HEADS_BALL_H
#define ATTCERT_THEORY_HEADS_HEADS_BALL_H

#include "theory/ball_bounds.h"
#include "theory/heads/heads_norms.h"

/* Sets all of them for head h. Errors: ATTCERT_RESOURCE. */
attcert_status heads_ball_set(ball_head *b, const heads_layer *layer, const heads_norms *norms, int h,
                              const token_ball *at, ball_scratch *s, attcert_error *err);

/* Whether each token attends to all, or to all before it and itself, as a mask says; otherwise under a window. */
bool heads_ball_has_mask(attcert_mask *mask, const heads_layer *layer);

#endif
