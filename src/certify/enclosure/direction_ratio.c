#include "certify/enclosure/direction_ratio.h"

#include "certify/enclosure/direction_norm.h"
#include "certify/enclosure/direction_steps.h"

#ifdef __FRAMAC__
#include "certify/enclosure/jacobian_enclosure.h"

#include "direction/direction_cells_lemmas.acsl"
#include "direction/direction_elsewhere_lemmas.acsl"
#include "direction/direction_given_lemmas.acsl"
#endif

/*@ predicate norm_ready{L}(derivative *t, attcert_error *err) =
      norm_readable(t) && zero_entries(t->squares, t->e->n) && apart_from_norm(\base_addr(t->squares), t) &&
      apart_from_norm(\base_addr(t->ratio), t) && \base_addr(t->squares) != \base_addr(t->ratio) &&
      (err == \null || (\valid(err) && apart_from_norm(\base_addr(err), t) &&
                        \base_addr(err) != \base_addr(t->squares) && \base_addr(err) != \base_addr(t->ratio)));
    // ratio at L2 contains the quotient of the norms of the image of dy at L1, and of u.
    predicate joined_ratio{L1, L2}(derivative *t) = \forall rvec dy, w, z;
      in_vec{L1}(\at(t->dy, L1), dy, 0, joined_size{L1}(\at(t->e, L1))) ==> is_layer_output{L1}(z, dy, w, t) ==>
      0.0 < direction_square{L1}(\at(t->u, L1), \at(t->e->dim, L1), \at(t->e->n, L1)) ==>
      in{L2}(\at(t->ratio, L1), quotient_of_norms{L1}(t, z)); */

/* ||J u|| / ||u|| from the image J u. */
/*@ requires ready: norm_ready(t, err);
    terminates \true;
    assigns *t->ratio, t->squares[0 .. t->e->n - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures kept: ints_kept{Pre, Post}(t, err) && doubles_kept{Pre, Post}(t, err);
    ensures contains: \result == ATTCERT_OK ==> \forall rvec z;
      in_vec{Pre}(\old(t->image), z, 0, image_size{Pre}(t)) ==>
      0.0 < direction_square{Pre}(\old(t->u), \old(t->e->dim), \old(t->e->n)) ==>
      in(\old(t->ratio), quotient_of_norms{Pre}(t, z)); */
static attcert_status ratio_of_image(derivative *t, int threads, attcert_error *err) {
  /*@ assert ints_squares_apart: \forall int *x; outside_results(\base_addr(x), t, err) ==>
        \separated(x, t->squares + (0 .. t->e->n - 1)) && \separated(x, t->ratio); */
  /*@ assert doubles_squares_apart: \forall double *x; outside_results(\base_addr(x), t, err) ==>
        \separated(x, t->squares + (0 .. t->e->n - 1)) && \separated(x, t->ratio); */
  direction_squares(t, threads);
  //@ ghost Squared:;
  //@ assert ints_squares: ints_kept{Pre, Here}(t, err);
  //@ assert doubles_squares: doubles_kept{Pre, Here}(t, err);
  //@ assert squared: \forall integer i; 0 <= i < \at(t->e->n, Pre) ==> token_squared{Pre, Here}(t, i);
  /*@ assert contained: \forall integer i, rvec z; 0 <= i < \at(t->e->n, Pre) ==> token_squared{Pre, Here}(t, i) ==>
        in_vec{Pre}(\at(t->image, Pre), z, 0, image_size{Pre}(t)) ==>
        in(\at(t->squares, Pre) + i, token_square(z, \at(t->layer->out_dim, Pre), i)); */
  //@ assert tokens: t->e->n == \at(t->e->n, Pre) && t->layer->out_dim == \at(t->layer->out_dim, Pre);
  //@ assert places: t->squares == \at(t->squares, Pre) && t->ratio == \at(t->ratio, Pre);
  /*@ assert direction: direction_square(t->u, t->e->dim, t->e->n) ==
        direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), \at(t->e->n, Pre)); */
  //@ assert outside: \forall char *b; outside_results{Pre}(b, t, err) ==> outside_results(b, t, err);
  const attcert_status status = direction_norm_ratio(t, err);
  //@ assert ints_ratio: ints_kept{Squared, Here}(t, err);
  //@ assert doubles_ratio: doubles_kept{Squared, Here}(t, err);
  return status;
}

/* The same from dy, in a layer with W_O. */
/*@ requires ready: derivative_ready(t, err);
    requires zero: zero_entries(t->squares, t->e->n);
    requires weighted: t->output != \null;
    terminates \true;
    assigns t->image[0 .. image_size(t) - 1], t->output[0 .. output_size(t) - 1], *t->ratio,
      t->squares[0 .. t->e->n - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures kept: ints_kept{Pre, Post}(t, err) && doubles_kept{Pre, Post}(t, err);
    ensures contains: \result == ATTCERT_OK ==> joined_ratio{Pre, Post}(t); */
static attcert_status ratio_of_weighted(derivative *t, int threads, attcert_error *err) {
  /*@ assert ints_image_apart: \forall int *x; outside_results(\base_addr(x), t, err) ==>
        \separated(x, t->image + (0 .. image_size(t) - 1)) &&
        \separated(x, t->output + (0 .. output_size(t) - 1)); */
  /*@ assert doubles_image_apart: \forall double *x; outside_results(\base_addr(x), t, err) ==>
        \separated(x, t->image + (0 .. image_size(t) - 1)) &&
        \separated(x, t->output + (0 .. output_size(t) - 1)); */
  direction_weigh(t, threads) /*@ ghost (err) */;
  //@ assert ints_image: ints_kept{Pre, Here}(t, err);
  //@ assert doubles_image: doubles_kept{Pre, Here}(t, err);
  /*@ assert weighed: \forall rvec dy, w, z;
        in_vec{Pre}(\at(t->dy, Pre), dy, 0, joined_size{Pre}(\at(t->e, Pre))) ==>
        is_layer_output{Pre}(z, dy, w, t) ==> weighs_output{Pre}(t, dy, w, z); */
  /*@ assert cells: \forall rvec dy, w, z; in_vec{Pre}(\at(t->dy, Pre), dy, 0, joined_size{Pre}(\at(t->e, Pre))) ==>
        is_layer_output{Pre}(z, dy, w, t) ==>
        in_matrix(\at(t->image, Pre), z, \at(t->e->n, Pre), \at(t->layer->out_dim, Pre)); */
  //@ assert places: same_derivative{Pre, Here}(t) && image_size(t) == image_size{Pre}(t);
  /*@ assert image: \forall rvec dy, w, z; in_vec{Pre}(\at(t->dy, Pre), dy, 0, joined_size{Pre}(\at(t->e, Pre))) ==>
        is_layer_output{Pre}(z, dy, w, t) ==> in_vec(t->image, z, 0, image_size(t)); */
  //@ assert squares: ends_kept{Pre, Here}(\at(t->squares, Pre), \at(t->e->n, Pre));
  //@ assert zero: zero_entries(t->squares, t->e->n);
  //@ assert readable: norm_readable(t);
  //@ assert ready: norm_ready(t, err);
  //@ assert quotient: \forall rvec z; quotient_of_norms(t, z) == quotient_of_norms{Pre}(t, z);
  /*@ assert direction: direction_square(t->u, t->e->dim, t->e->n) ==
        direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), \at(t->e->n, Pre)); */
  //@ assert outside: \forall char *b; outside_results{Pre}(b, t, err) ==> outside_results(b, t, err);
  return ratio_of_image(t, threads, err);
}

/* The same, with W_O or without. */
/*@ requires ready: derivative_ready(t, err);
    requires zero: zero_entries(t->squares, t->e->n);
    terminates \true;
    assigns t->image[0 .. image_size(t) - 1], t->output[0 .. loaded_size(t) - 1], *t->ratio,
      t->squares[0 .. t->e->n - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures kept: ints_kept{Pre, Post}(t, err) && doubles_kept{Pre, Post}(t, err);
    ensures contains: \result == ATTCERT_OK ==> joined_ratio{Pre, Post}(t); */
static attcert_status ratio_of_joined(derivative *t, int threads, attcert_error *err) {
  if (t->output != NULL) return ratio_of_weighted(t, threads, err);
  //@ assert image: t->image == t->dy && image_size(t) == joined_size(t->e);
  /*@ assert same: \forall rvec dy, w, z; in_vec(t->dy, dy, 0, joined_size(t->e)) ==> is_layer_output(z, dy, w, t) ==>
        in_vec(t->image, z, 0, image_size(t)); */
  return ratio_of_image(t, threads, err);
}

attcert_status direction_ratio(derivative *t, int threads, attcert_error *err) {
  /*@ assert ints_dy_apart: \forall int *x; outside_results(\base_addr(x), t, err) ==>
        \separated(x, t->dy + (0 .. joined_size(t->e) - 1)); */
  /*@ assert doubles_dy_apart: \forall double *x; outside_results(\base_addr(x), t, err) ==>
        \separated(x, t->dy + (0 .. joined_size(t->e) - 1)); */
  direction_join(t, threads) /*@ ghost (err) */;
  //@ assert ints_dy: ints_kept{Pre, Here}(t, err);
  //@ assert doubles_dy: doubles_kept{Pre, Here}(t, err);
  /*@ assert rows: \forall rvec q, k, v, dq, dk, dv, dy; joins_direction{Pre}(t, dy, q, k, v, dq, dk, dv) ==>
        in_matrix(\at(t->dy, Pre), dy, row(\at(t->e->n, Pre), \at(t->e->heads, Pre)), \at(t->e->head_dim, Pre)); */
  //@ assert places: same_derivative{Pre, Here}(t) && joined_size(t->e) == joined_size{Pre}(t->e);
  /*@ assert joined: \forall rvec q, k, v, dq, dk, dv, dy; joins_direction{Pre}(t, dy, q, k, v, dq, dk, dv) ==>
        in_vec(t->dy, dy, 0, joined_size(t->e)); */
  //@ assert squares: ends_kept{Pre, Here}(\at(t->squares, Pre), \at(t->e->n, Pre));
  //@ assert zero: zero_entries(t->squares, t->e->n);
  //@ assert output: \forall rvec dy, w, z; is_layer_output{Pre}(z, dy, w, t) ==> is_layer_output(z, dy, w, t);
  //@ assert quotient: \forall rvec z; quotient_of_norms(t, z) == quotient_of_norms{Pre}(t, z);
  /*@ assert direction: direction_square(t->u, t->e->dim, t->e->n) ==
        direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), \at(t->e->n, Pre)); */
  //@ assert outside: \forall char *b; outside_results{Pre}(b, t, err) ==> outside_results(b, t, err);
  return ratio_of_joined(t, threads, err);
}
