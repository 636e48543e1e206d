/* The theorem about the derivative of all heads along a direction: from a layer in intervals and the projections of the
 * direction, the intervals of dy contain the real derivative at each of its entries.
 *
 * No program calls this function: direction.c makes the same call, with the projections of u. */
#include "certify/enclosure/direction_heads.h"

/*@ requires readable: heads_readable(t);
    requires apart: apart_from_inputs(\base_addr(t->dy), t);
    requires zero: zero_entries(t->dy, joined_size(t->e));
    requires entry: 0 <= h < t->e->heads && 0 <= i < t->e->n && 0 <= r < t->e->head_dim;
    terminates \true;
    assigns t->dy[0 .. joined_size(t->e) - 1], mpfr_lives;
    ensures contains: \forall rvec q, k, v, dq, dk, dv; moving_in{Pre}(t, q, k, v, dq, dk, dv) ==>
      in(\at(t->dy, Pre) + (joined_place{Pre}(\at(t->e, Pre), h, i) + r),
         token_direction(q, k, v, dq, dk, dv, \at(t->e->mask, Pre), \at(t->e->n, Pre), \at(t->e->head_dim, Pre), h, i,
                         r)); */
void direction_heads_theorem(derivative *t) /*@ ghost (int h, int i, int r) */ {
  direction_heads(t, 1);
  //@ assert token: moved_token{Pre, Here}(t, h, i);
}
