/* The numbers that a token needs for itself. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_TOKEN_ROOM_H
#define ATTCERT_CERTIFY_ENCLOSURE_TOKEN_ROOM_H

#include "certify/enclosure/layer_enclosure.h"

typedef struct {
  interval_scratch ws;
  interval root; /* sqrt(k) */
} token_room;

/*@ predicate owned_room{L}(token_room *r) = owned_scratch(&r->ws) && owned_ends(&r->root);
    predicate cleared_room{L}(token_room *r) = !live_scratch(&r->ws) && !initialised(&r->root.lo[0]) &&
      !initialised(&r->root.hi[0]);
    predicate lives_outside_room{L1, L2}(token_room *r) =
      \forall mpfr_srcptr x; \separated(x, r) ==> same_life{L1, L2}(x);
    predicate numbers_outside_room{L1, L2}(token_room *r) =
      \forall mpfr_srcptr x; \separated(x, r) ==> unchanged{L1, L2}(x); */

/* Of e's precision. token_room_clear is due. */
/*@ requires valid: \valid(r) && \valid_read(e) && \separated(r, e);
    requires sides: side(e->head_dim) && 1 <= e->precision;
    terminates \true;
    assigns *r, mpfr_lives;
    ensures owned: owned_room(r);
    ensures lives: lives_outside_room{Pre, Post}(r);
    ensures numbers: numbers_outside_room{Pre, Post}(r);
    ensures root: in(&r->root, rroot(\at(e->head_dim, Pre))); */
void token_room_init(token_room *r, const layer_enclosure *e);

/*@ requires valid: \valid(r) && owned_room(r);
    terminates \true;
    assigns *r, mpfr_lives;
    ensures cleared: cleared_room(r);
    ensures lives: lives_outside_room{Pre, Post}(r);
    ensures numbers: numbers_outside_room{Pre, Post}(r); */
void token_room_clear(token_room *r);

#endif
