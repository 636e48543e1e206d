/* Steps of the derivative of a layer along a direction u (direction.h), which leave all that is given as it is: dq, dk
 * or dv from u, dy from these, and W_O dy. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_STEPS_H
#define ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_STEPS_H

#include "certify/enclosure/direction_memory.h"

#ifdef __FRAMAC__
#include "direction/direction_given.acsl"
#include "direction/direction_image.acsl"
#include "projection/interval_projection.acsl"
#endif

/* out := weight u, [H][n][k], all heads; weight is [H k][d]. Errors: ATTCERT_RESOURCE. */
/*@ requires ready: derivative_ready(t, err);
    requires weight: direction_numbers(weight, row(channels(t->e), t->e->dim)) &&
      (err == \null || \base_addr(weight) != \base_addr(err));
    requires out: room_for(out, vectors_size(t->e)) && new_block(\base_addr(out), t, err) &&
      \base_addr(out) != \base_addr(weight) && (t->output != \null ==> \base_addr(out) != \base_addr(t->output));
    terminates \true;
    assigns out[0 .. vectors_size(t->e) - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures elsewhere: numbers_elsewhere{Pre, Post}(\base_addr(out), \base_addr(err));
    ensures ready: derivative_ready(t, err);
    ensures kept: derivative_kept{Pre, Post}(t);
    ensures projected: \result == ATTCERT_OK ==> \forall rvec y;
      is_projection{Pre}(y, weight, \null, \old(t->u), \old(t->e->n), \old(t->e->dim), \old(t->e->heads),
                         \old(t->e->head_dim)) ==> in_vec(out, y, 0, vectors_size{Pre}(t->e)); */
attcert_status direction_project(interval *out, const double *weight, const derivative *t, int threads,
                                 attcert_error *err);

/* dy, which is zero, becomes dy_i of every head and token, from dq, dk and dv. */
/*@ requires ready: derivative_ready(t, err);
    requires zero: zero_entries(t->dy, joined_size(t->e));
    terminates \true;
    assigns t->dy[0 .. joined_size(t->e) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures elsewhere: numbers_elsewhere{Pre, Post}(\base_addr(\old(t->dy)), \base_addr(\old(t->dy)));
    ensures ready: derivative_ready(t, err);
    ensures kept: derivative_kept{Pre, Post}(t);
    ensures moved: \forall integer h, i; 0 <= h < \old(t->e->heads) ==> 0 <= i < \old(t->e->n) ==>
      moved_token{Pre, Post}(t, h, i); */
void direction_join(derivative *t, int threads) /*@ ghost (attcert_error *err) */;

/* The image from dy, in a layer with W_O. */
/*@ requires ready: derivative_ready(t, err);
    requires weighted: t->output != \null;
    terminates \true;
    assigns t->image[0 .. image_size(t) - 1], t->output[0 .. output_size(t) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures elsewhere: numbers_elsewhere{Pre, Post}(\base_addr(\old(t->image)), \base_addr(\old(t->output)));
    ensures given: direction_given(t->layer, t->e) && is_direction(t->u, row(t->e->n, t->e->dim));
    ensures room: room_for(t->image, image_size(t)) && room_for(t->squares, t->e->n) && room_for(t->ratio, 1);
    ensures blocks: derivative_blocks(t, err) && result_blocks(t, err);
    ensures kept: derivative_kept{Pre, Post}(t);
    ensures weighted: \forall integer i; 0 <= i < \old(t->e->n) ==> token_output{Pre, Post}(t, i); */
void direction_weigh(derivative *t, int threads) /*@ ghost (attcert_error *err) */;

#endif
