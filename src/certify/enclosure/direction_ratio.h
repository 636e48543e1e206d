/* ||J u|| / ||u|| for a direction u, from its projections dq, dk and dv (direction.h). */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_RATIO_H
#define ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_RATIO_H

#include "certify/enclosure/direction_memory.h"

#ifdef __FRAMAC__
#include "direction/direction_given.acsl"
#endif

/* dy and squares are zero before, and t->ratio takes the result. Errors: ATTCERT_RESOURCE. */
/*@ requires ready: derivative_ready(t, err);
    requires zero: zero_entries(t->dy, joined_size(t->e)) && zero_entries(t->squares, t->e->n);
    terminates \true;
    assigns t->dy[0 .. joined_size(t->e) - 1], t->image[0 .. image_size(t) - 1], t->output[0 .. loaded_size(t) - 1],
      *t->ratio, t->squares[0 .. t->e->n - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures kept: ints_kept{Pre, Post}(t, err) && doubles_kept{Pre, Post}(t, err);
    ensures contains: \result == ATTCERT_OK ==> \forall rvec q, k, v, dq, dk, dv, dy, w, z;
      joins_direction{Pre}(t, dy, q, k, v, dq, dk, dv) ==> is_layer_output{Pre}(z, dy, w, t) ==>
      0.0 < direction_square{Pre}(\old(t->u), \old(t->e->dim), \old(t->e->n)) ==>
      in(\old(t->ratio), quotient_of_norms{Pre}(t, z)); */
attcert_status direction_ratio(derivative *t, int threads, attcert_error *err);

#endif
