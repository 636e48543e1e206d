/* The upper end of the engine mpfr: a bound of the norm of a layer's Jacobian, from the layer's doubles and its
 * intervals at an input. */
#ifndef ATTCERT_CERTIFY_ENGINE_MPFR_UPPER_H
#define ATTCERT_CERTIFY_ENGINE_MPFR_UPPER_H

#include "certify/engine/mpfr_guess.h"
#include "certify/explicit/explicit_jacobian_init.h"
#include "certify/explicit/explicit_norm.h"

#ifdef __FRAMAC__
#include "theorems/layer_norm.acsl"
#endif

/*@ // x is in no array that is allocated here.
    predicate outside_arrays{L}(char *x) = outside_jacobian_room(x) && x != \base_addr(points_room(3)); */

/* upper >= ||J||_2, J the layer's Jacobian at the input x that e was evaluated at (layer_enclosure_init); +inf or NaN
 * claim nothing. j, guess: room for the explicit Jacobian and for an estimate of ||J||_2^2, which `better` makes and
 * may read j for. slack: as for explicit_norm_upper. Errors: ATTCERT_RESOURCE, ATTCERT_FAULT, and those of `better`. */
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
    assigns *upper, *guess, *j, *err, mpfr_lives, mpz_lives, jacobian_rooms,
      maps_room(0)[0 .. head_maps_room(layer, e) - 1],
      maps_room(1)[0 .. outputs_room(layer, e) - 1], maps_room(2)[0 .. outputs_room(layer, e) - 1],
      maps_room(3)[0 .. gradients_room(e) - 1], maps_room(4)[0 .. gradients_room(e) - 1],
      points_room(0)[0 .. weights_room(e) - 1], points_room(1)[0 .. weights_room(e) - 1],
      points_room(2)[0 .. output_room(layer, e) - 1], points_room(3)[0 .. midpoints_room_size(layer, e) - 1],
      squares_room(0)[0 .. e->n - 1], column_place[0 .. e->head_dim + head_height(layer, e) - 1],
      rows_place[0 .. token_room_size(layer, e) - 1];
    ensures live: \result == ATTCERT_OK ==> initialised(upper) && initialised(guess);
    ensures norm: \result == ATTCERT_OK ==> number(upper) ==> \forall attcert_matrix *x, real_layer f;
      layer_evaluated{Pre}(e, layer, x) ==> layer_at{Pre}(layer, x, f) ==>
      jacobian_norm_at_most(f, value(upper)); */
attcert_status mpfr_upper(mpfr_ptr upper, mpfr_ptr guess, explicit_jacobian *j, const attcert_layer *layer,
                          const layer_enclosure *e, double slack, const explicit_gram_guess *better,
                          const attcert_options *options, attcert_error *err);

#endif
