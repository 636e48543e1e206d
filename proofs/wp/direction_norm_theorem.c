/* The theorem about the quotient of norms along a direction: from intervals of the image J u to one of ||J u|| / ||u||.
 *
 * No program calls this function: direction.c makes the same calls. */
#include "certify/enclosure/direction_norm.h"

#include "interval/interval_direction_norm_lemmas.acsl"

/*@ requires readable: norm_readable(t);
    requires err: err == \null || \valid(err);
    requires apart: apart_from_norm(\base_addr(t->squares), t) && apart_from_norm(\base_addr(t->ratio), t) &&
                    \base_addr(t->squares) != \base_addr(t->ratio);
    requires apart_err: err == \null || (apart_from_norm(\base_addr(err), t) &&
      \base_addr(err) != \base_addr(t->squares) && \base_addr(err) != \base_addr(t->ratio));
    requires zero: zero_entries(t->squares, t->e->n);
    requires direction: 0.0 < direction_square(t->u, t->e->dim, t->e->n);
    terminates \true;
    assigns *t->ratio, t->squares[0 .. t->e->n - 1], *err, mpfr_lives, mpz_lives;
    ensures contains: \result == ATTCERT_OK ==> \forall rvec z;
      in_vec{Pre}(\old(t->image), z, 0, image_size{Pre}(t)) ==>
      in(\old(t->ratio), quo(rroot(tokens_square(z, \old(t->layer->out_dim), \old(t->e->n))),
                             rroot(direction_square{Pre}(\old(t->u), \old(t->e->dim), \old(t->e->n))))); */
attcert_status direction_norm_theorem(derivative *t, attcert_error *err) {
  direction_squares(t, 1);
  //@ assert squared: \forall integer i; 0 <= i < \at(t->e->n, Pre) ==> token_squared{Pre, Here}(t, i);
  /*@ assert contained: \forall integer i, rvec z; 0 <= i < \at(t->e->n, Pre) ==> token_squared{Pre, Here}(t, i) ==>
        in_vec{Pre}(\at(t->image, Pre), z, 0, image_size{Pre}(t)) ==>
        in(\at(t->squares, Pre) + i, token_square(z, \at(t->layer->out_dim, Pre), i)); */
  //@ assert tokens: t->e->n == \at(t->e->n, Pre) && t->layer->out_dim == \at(t->layer->out_dim, Pre);
  //@ assert places: t->squares == \at(t->squares, Pre) && t->ratio == \at(t->ratio, Pre);
  /*@ assert direction: direction_square(t->u, t->e->dim, t->e->n) ==
        direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), \at(t->e->n, Pre)); */
  return direction_norm_ratio(t, err);
}
