/* The numbers that the rows of one token need besides themselves. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_ROWS_ROOM_H
#define ATTCERT_CERTIFY_EXPLICIT_ROWS_ROOM_H

#include "interval/interval.h"

typedef struct {
  interval_scratch ws;
  interval w;
  mpfr_t right, left; /* 64 bits, for distances */
} rows_room;

/*@ predicate owned_rows{L}(rows_room *r) =
      owned_scratch(&r->ws) && owned_ends(&r->w) && owned(&r->right[0]) && owned(&r->left[0]);
    predicate cleared_rows{L}(rows_room *r) = !live_scratch(&r->ws) && !initialised(&r->w.lo[0]) &&
      !initialised(&r->w.hi[0]) && !initialised(&r->right[0]) && !initialised(&r->left[0]);
    predicate lives_outside_rows{L1, L2}(rows_room *r) =
      \forall mpfr_srcptr x; \separated(x, r) ==> same_life{L1, L2}(x);
    predicate numbers_outside_rows{L1, L2}(rows_room *r) =
      \forall mpfr_srcptr x; \separated(x, r) ==> unchanged{L1, L2}(x); */

/* rows_room_clear is due. */
/*@ requires valid: \valid(r) && 1 <= precision;
    terminates \true;
    assigns *r, mpfr_lives;
    ensures owned: owned_rows(r);
    ensures ints: \forall int *x; \base_addr(x) != \base_addr(r) ==> *x == \old(*x);
    ensures longs: \forall long *x; \base_addr(x) != \base_addr(r) ==> *x == \old(*x);
    ensures lives: lives_outside_rows{Pre, Post}(r);
    ensures numbers: numbers_outside_rows{Pre, Post}(r); */
void rows_room_init(rows_room *r, mpfr_prec_t precision);

/*@ requires valid: \valid(r) && owned_rows(r);
    terminates \true;
    assigns *r, mpfr_lives;
    ensures cleared: cleared_rows(r);
    ensures ints: \forall int *x; \base_addr(x) != \base_addr(r) ==> *x == \old(*x);
    ensures longs: \forall long *x; \base_addr(x) != \base_addr(r) ==> *x == \old(*x);
    ensures lives: lives_outside_rows{Pre, Post}(r);
    ensures numbers: numbers_outside_rows{Pre, Post}(r); */
void rows_room_clear(rows_room *r);

#endif
