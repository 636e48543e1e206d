/* The heads' part of the derivative of a layer along a direction: dy, from the projections of the direction. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_HEADS_H
#define ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_HEADS_H

#include "certify/enclosure/direction_memory.h"

/*@ predicate heads_readable{L}(derivative *t) =
      \valid_read(t) && enclosure_sides(t->e) && enclosure_readable(t->e) && layer_encloses(t->e) &&
      readable_vec(t->dq, vectors_size(t->e)) && readable_vec(t->dk, vectors_size(t->e)) &&
      readable_vec(t->dv, vectors_size(t->e)) && room_for(t->dy, joined_size(t->e));
    predicate apart_from_inputs{L}(char *b, derivative *t) =
      b != \base_addr(t) && b != \base_addr(t->e) && b != \base_addr(t->e->q) && b != \base_addr(t->e->k) &&
      b != \base_addr(t->e->v) && b != \base_addr(t->e->y) && b != \base_addr(t->e->p) && b != \base_addr(t->dq) &&
      b != \base_addr(t->dk) && b != \base_addr(t->dv); */

/* dy, which is zero, becomes dy_i of every head and token. */
/*@ requires readable: heads_readable(t);
    requires apart: apart_from_inputs(\base_addr(t->dy), t);
    requires zero: zero_entries(t->dy, joined_size(t->e));
    terminates \true;
    assigns t->dy[0 .. joined_size(t->e) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures moved: \forall integer h, i; 0 <= h < \at(t->e->heads, Pre) ==> 0 <= i < \at(t->e->n, Pre) ==>
      moved_token{Pre, Post}(t, h, i); */
void direction_heads(derivative *t, int threads);

#endif
