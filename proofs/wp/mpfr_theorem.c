/* The theorem about the upper end of the engine mpfr: where a number comes out, it bounds the norm of the Jacobian of
 * every real layer that `layer` and an input x stand for, e being x's intervals.
 *
 * No program calls this function: mpfr_engine.c makes the same call, and takes the result as an upper end if it is
 * below the one known (ends_theorem.c). */
#include "certify/engine/mpfr_upper.h"

/*@ requires valid: \valid(upper) && \valid(guess) && \valid(j) && \valid_read(better) && \valid_read(options) &&
      (err == \null || \valid(err));
    requires live: initialised(upper) && initialised(guess);
    requires given: jacobian_given(layer, e);
    requires separated: \separated(upper, guess, j, layer, e, err, options);
    requires apart: \base_addr(j) != \base_addr(layer) && \base_addr(j) != \base_addr(e) &&
      \base_addr(j) != \base_addr(e->q) && \base_addr(j) != \base_addr(e->k) && \base_addr(j) != \base_addr(e->v) &&
      \base_addr(j) != \base_addr(e->y) && \base_addr(j) != \base_addr(e->p) && \base_addr(j) != \base_addr(err);
    requires outside: outside_arrays(\base_addr(upper)) && outside_arrays(\base_addr(guess)) &&
      outside_arrays(\base_addr(err)) && outside_arrays(\base_addr(options)) && outside_arrays(\base_addr(j)) &&
      outside_arrays(\base_addr(better));
    terminates \true;
    assigns *upper, *guess, *j, *err, mpfr_lives, mpz_lives, maps_room(0)[0 .. head_maps_room(layer, e) - 1],
      maps_room(1)[0 .. outputs_room(layer, e) - 1], maps_room(2)[0 .. outputs_room(layer, e) - 1],
      maps_room(3)[0 .. gradients_room(e) - 1], maps_room(4)[0 .. gradients_room(e) - 1],
      points_room(0)[0 .. weights_room(e) - 1], points_room(1)[0 .. weights_room(e) - 1],
      points_room(2)[0 .. output_room(layer, e) - 1], points_room(3)[0 .. midpoints_room_size(layer, e) - 1],
      squares_room(0)[0 .. e->n - 1], column_place[0 .. e->head_dim + head_height(layer, e) - 1],
      rows_place[0 .. token_room_size(layer, e) - 1];
    ensures norm: \result != 0 ==> \forall attcert_matrix *x, real_layer f; layer_evaluated{Pre}(e, layer, x) ==>
      layer_at{Pre}(layer, x, f) ==> number(upper) && jacobian_norm_at_most(f, value(upper)); */
bool mpfr_theorem(mpfr_ptr upper, mpfr_ptr guess, explicit_jacobian *j, const attcert_layer *layer,
                  const layer_enclosure *e, double slack, const explicit_gram_guess *better,
                  const attcert_options *options, attcert_error *err) {
  return mpfr_upper(upper, guess, j, layer, e, slack, better, options, err) == ATTCERT_OK && mpfr_number_p(upper);
}
