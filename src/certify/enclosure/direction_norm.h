/* The quotient of norms at the end of a derivative along a direction: ||J u|| / ||u||. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_NORM_H
#define ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_NORM_H

#include "certify/enclosure/direction_memory.h"

#ifdef __FRAMAC__
#include <gmp.h>

#include "interval/interval_direction_norm.acsl"
#endif

/*@ predicate norm_readable{L}(derivative *t) =
      \valid_read(t) && \valid_read(t->e) && \valid_read(t->layer) && side(t->e->n) && side(t->e->dim) &&
      side(t->layer->out_dim) && 1 <= t->e->n && 1 <= t->e->dim && 1 <= t->layer->out_dim && 1 <= t->e->precision &&
      \valid_read(t->u + (0 .. row(t->e->n, t->e->dim) - 1)) && finite_entries(t->u, row(t->e->n, t->e->dim)) &&
      readable_vec(t->image, image_size(t)) && room_for(t->squares, t->e->n) && room_for(t->ratio, 1);
    predicate apart_from_norm{L}(char *b, derivative *t) =
      b != \base_addr(t) && b != \base_addr(t->e) && b != \base_addr(t->layer) && b != \base_addr(t->u) &&
      b != \base_addr(t->image); */

/* squares[i], which are zero, become ||(J u)_i||^2. */
/*@ requires readable: norm_readable(t);
    requires apart: apart_from_norm(\base_addr(t->squares), t);
    requires zero: zero_entries(t->squares, t->e->n);
    terminates \true;
    assigns t->squares[0 .. t->e->n - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures kept: norm_kept{Pre, Post}(t);
    ensures readable: norm_readable(t);
    ensures squared: \forall integer i; 0 <= i < \old(t->e->n) ==> token_squared{Pre, Post}(t, i); */
void direction_squares(derivative *t, int threads);

/* ratio from the squares: sqrt(their sum) / ||u||. The sum is left in squares[0]. Errors: ATTCERT_RESOURCE. */
/*@ requires readable: norm_readable(t);
    requires err: err == \null || \valid(err);
    requires apart: apart_from_norm(\base_addr(t->squares), t) && apart_from_norm(\base_addr(t->ratio), t) &&
                    \base_addr(t->squares) != \base_addr(t->ratio);
    requires apart_err: err == \null || (apart_from_norm(\base_addr(err), t) &&
      \base_addr(err) != \base_addr(t->squares) && \base_addr(err) != \base_addr(t->ratio));
    terminates \true;
    assigns *t->ratio, t->squares[0 .. t->e->n - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures contains: \result == ATTCERT_OK ==> \forall rvec z;
      (\forall integer i; 0 <= i < \at(t->e->n, Pre) ==>
        in{Pre}(t->squares + i, token_square(z, \at(t->layer->out_dim, Pre), i))) ==>
      0.0 < direction_square{Pre}(t->u, \at(t->e->dim, Pre), \at(t->e->n, Pre)) ==>
      in(t->ratio, quo(rroot(tokens_square(z, \at(t->layer->out_dim, Pre), \at(t->e->n, Pre))),
                       rroot(direction_square{Pre}(t->u, \at(t->e->dim, Pre), \at(t->e->n, Pre))))); */
attcert_status direction_norm_ratio(derivative *t, attcert_error *err);

#endif
