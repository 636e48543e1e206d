/* The upper end of the engine mpfr from a layer and an input as they are stored: nothing is assumed of what was
 * computed before. */
#ifndef ATTCERT_CERTIFY_ENGINE_CERTIFY_STORED_H
#define ATTCERT_CERTIFY_ENGINE_CERTIFY_STORED_H

#include "certify/engine/mpfr_upper.h"
#include "certify/engine/stored_enclosure.h"

#ifdef __FRAMAC__
#include "theorems/stored_layer.acsl"
#endif

/*@ // Rows that a head of the layer has.
    logic integer stored_height{L}(attcert_layer *layer) =
      layer->output_weight == \null ? layer->head_dim : layer->out_dim; */

/* upper >= ||J||_2, J the Jacobian of the real layer that `layer` is, at the real input that x is: the layer is checked
 * and enclosed with `precision` bits, the rest is mpfr_upper's. +inf or NaN claim nothing. e, zero before, takes the
 * intervals; layer_enclosure_clear is due either way. Errors: ATTCERT_INPUT, and those of mpfr_upper. */
/*@ requires stored: stored_given(layer, x, e, err);
    requires precision: 53 <= precision <= MPFR_PREC_MAX;
    requires valid: \valid(upper) && \valid(guess) && \valid(j) && \valid_read(better) && \valid_read(options);
    requires live: initialised(upper) && initialised(guess);
    requires separated: \separated(upper, guess, j, layer, e, err, options);
    requires apart: outside_layer_room(\base_addr(j)) && \base_addr(j) != \base_addr(layer) &&
      \base_addr(j) != \base_addr(e) && \base_addr(j) != \base_addr(err);
    requires outside: outside_arrays(\base_addr(upper)) && outside_arrays(\base_addr(guess)) &&
      outside_arrays(\base_addr(err)) && outside_arrays(\base_addr(options)) && outside_arrays(\base_addr(j)) &&
      outside_arrays(\base_addr(better));
    terminates \true;
    assigns *e, *upper, *guess, *j, *err, mpfr_lives, mpz_lives, jacobian_rooms,
      layer_room(0)[0 .. layer_vectors(layer, x) - 1],
      layer_room(1)[0 .. layer_vectors(layer, x) - 1], layer_room(2)[0 .. layer_vectors(layer, x) - 1],
      layer_room(3)[0 .. layer_vectors(layer, x) - 1], layer_room(4)[0 .. layer_rows(layer, x) - 1],
      maps_room(0)[0 .. row(layer->heads, row(stored_height(layer), layer->dim)) - 1],
      maps_room(1)[0 .. row(row(layer->heads, x->rows), stored_height(layer)) - 1],
      maps_room(2)[0 .. row(row(layer->heads, x->rows), stored_height(layer)) - 1],
      maps_room(3)[0 .. row(row(layer->heads, x->rows), layer->dim) - 1],
      maps_room(4)[0 .. row(row(layer->heads, x->rows), layer->dim) - 1],
      points_room(0)[0 .. row(layer->heads, row(layer->dim, layer->head_dim)) - 1],
      points_room(1)[0 .. row(layer->heads, row(layer->dim, layer->head_dim)) - 1],
      points_room(2)[0 .. row(layer->out_dim, row(layer->heads, layer->head_dim)) - 1],
      points_room(3)[0 .. row(x->rows, row(layer->out_dim, row(x->rows, layer->dim))) - 1],
      squares_room(0)[0 .. x->rows - 1], column_place[0 .. layer->head_dim + stored_height(layer) - 1],
      rows_place[0 .. row(layer->out_dim, row(x->rows, layer->dim)) - 1];
    ensures live: \result == ATTCERT_OK ==> initialised(upper) && initialised(guess);
    ensures norm: \result == ATTCERT_OK ==> number(upper) ==> \forall real_layer f; layer_at{Pre}(layer, x, f) ==>
      jacobian_norm_at_most(f, value(upper));
    ensures stored: \result == ATTCERT_OK ==> number(upper) ==>
      jacobian_norm_at_most(stored_layer{Pre}(layer, x), value(upper)); */
attcert_status certify_stored_above(mpfr_ptr upper, mpfr_ptr guess, explicit_jacobian *j, layer_enclosure *e,
                                    const attcert_layer *layer, const attcert_matrix *x, mpfr_prec_t precision,
                                    double slack, const explicit_gram_guess *better, const attcert_options *options,
                                    attcert_error *err);

#endif
