/* Both ends of the engine mpfr from a layer and an input as they are stored: nothing is assumed of what was computed
 * before. */
#ifndef ATTCERT_CERTIFY_ENGINE_CERTIFY_STORED_H
#define ATTCERT_CERTIFY_ENGINE_CERTIFY_STORED_H

#include "certify/engine/certify_ends_along.h"
#include "certify/engine/mpfr_upper.h"
#include "certify/engine/stored_enclosure.h"

#ifdef __FRAMAC__
#include "theorems/stored_layer.acsl"
#endif

/*@ // Rows that a head of the layer has.
    logic integer stored_height{L}(attcert_layer *layer) =
      layer->output_weight == \null ? layer->head_dim : layer->out_dim; */

/*@ // No array that is allocated will lie in the block b.
    predicate outside_rooms{L}(char *b) = outside_layer_room(b) && outside_direction_room(b) && outside_arrays(b);
    // b, which is written, is none of those blocks, nor one of what is given.
    predicate outside_problem{L}(char *b, attcert_layer *layer, attcert_matrix *x, double *u) =
      outside_rooms(b) && b != \base_addr(layer) && b != \base_addr(x) && b != \base_addr(x->data) &&
      b != \base_addr(u) && b != \base_addr(layer->query_weight) && b != \base_addr(layer->key_weight) &&
      b != \base_addr(layer->value_weight) && b != \base_addr(layer->query_bias) &&
      b != \base_addr(layer->key_bias) && b != \base_addr(layer->output_weight);
    // Arrays of a direction will lie in no block of what is given, nor of the intervals.
    predicate problem_outside_direction{L}(layer_enclosure *e, attcert_layer *layer, attcert_matrix *x, double *u) =
      outside_direction_room(\base_addr(e)) && outside_direction_room(\base_addr(layer)) &&
      outside_direction_room(\base_addr(x)) && outside_direction_room(\base_addr(x->data)) &&
      outside_direction_room(\base_addr(u)) && outside_direction_room(\base_addr(layer->query_weight)) &&
      outside_direction_room(\base_addr(layer->key_weight)) &&
      outside_direction_room(\base_addr(layer->value_weight)) &&
      outside_direction_room(\base_addr(layer->query_bias)) &&
      outside_direction_room(\base_addr(layer->key_bias)) &&
      outside_direction_room(\base_addr(layer->output_weight)) &&
      outside_direction_room(\base_addr(layer_room(0))) && outside_direction_room(\base_addr(layer_room(1))) &&
      outside_direction_room(\base_addr(layer_room(2))) && outside_direction_room(\base_addr(layer_room(3))) &&
      outside_direction_room(\base_addr(layer_room(4)));
    predicate ends_apart{L}(attcert_certificate *c, interval *ratio, layer_enclosure *e, attcert_layer *layer,
                            attcert_matrix *x, double *u, attcert_error *err) =
      outside_problem(\base_addr(c), layer, x, u) && outside_problem(\base_addr(c->vector.data), layer, x, u) &&
      outside_problem(\base_addr(ratio), layer, x, u) && outside_problem(\base_addr(err), layer, x, u) &&
      outside_problem(\base_addr(e), layer, x, u) && direction_distinct(c, ratio, err) &&
      \base_addr(e) != \base_addr(c) && \base_addr(e) != \base_addr(c->vector.data) &&
      \base_addr(e) != \base_addr(ratio) && \base_addr(e) != \base_addr(err);
    predicate upper_apart{L}(mpfr_ptr upper, mpfr_ptr guess, explicit_jacobian *j, attcert_certificate *c,
                             layer_enclosure *e, attcert_layer *layer, attcert_error *err) =
      outside_rooms(\base_addr(upper)) && outside_rooms(\base_addr(guess)) && outside_rooms(\base_addr(j)) &&
      \base_addr(upper) != \base_addr(c) && \base_addr(guess) != \base_addr(c) && \base_addr(j) != \base_addr(c) &&
      \base_addr(upper) != \base_addr(c->vector.data) && \base_addr(guess) != \base_addr(c->vector.data) &&
      \base_addr(j) != \base_addr(c->vector.data) && \base_addr(j) != \base_addr(layer) &&
      \base_addr(j) != \base_addr(e) && \base_addr(j) != \base_addr(err); */

/* Both ends of c for the norm of J, the Jacobian of the real layer that `layer` is, at the real input that x is: the
 * layer is checked and enclosed with `precision` bits; lower is the quotient ||J u|| / ||u||, with u [n][d] kept as the
 * certificate's vector, and 0 where u is no direction; upper is mpfr_upper's. +inf or NaN claim nothing. e, zero
 * before, takes the intervals; layer_enclosure_clear is due either way. ratio, upper, guess, j: room. Errors:
 * ATTCERT_INPUT, and those of certify_ends_raise_along and mpfr_upper. */
/*@ requires stored: stored_given(layer, x, e, err);
    requires precision: 53 <= precision <= MPFR_PREC_MAX;
    requires valid: \valid(c) && \valid(ratio) && \valid(upper) && \valid(guess) && \valid(j) &&
      \valid_read(better) && \valid_read(options) && \valid(c->vector.data + (0 .. row(x->rows, layer->dim) - 1)) &&
      \valid_read(u + (0 .. row(x->rows, layer->dim) - 1));
    requires live: live_ends(c) && live(ratio) && initialised(upper) && initialised(guess);
    requires separated: \separated(upper, guess, j, layer, e, err, options);
    requires ends_apart: ends_apart(c, ratio, e, layer, x, u, err);
    requires upper_apart: upper_apart(upper, guess, j, c, e, layer, err);
    requires read_outside: outside_arrays(\base_addr(options)) && outside_arrays(\base_addr(better));
    requires direction_outside: problem_outside_direction(e, layer, x, u);
    terminates \true;
    assigns (&c->lower[0])[0 .. 0], (&c->upper[0])[0 .. 0], c->vector.data[0 .. row(x->rows, layer->dim) - 1],
      *ratio, *e, *upper, *guess, *j, *err, mpfr_lives, mpz_lives, jacobian_rooms, direction_rooms,
      layer_room(0)[0 .. layer_vectors(layer, x) - 1],
      layer_room(1)[0 .. layer_vectors(layer, x) - 1], layer_room(2)[0 .. layer_vectors(layer, x) - 1],
      layer_room(3)[0 .. layer_vectors(layer, x) - 1], layer_room(4)[0 .. layer_rows(layer, x) - 1],
      direction_room(0)[0 .. layer_vectors(layer, x) - 1], direction_room(1)[0 .. layer_vectors(layer, x) - 1],
      direction_room(2)[0 .. layer_vectors(layer, x) - 1],
      direction_room(3)[0 .. row(x->rows, row(layer->heads, layer->head_dim)) - 1],
      direction_room(4)[0 .. x->rows - 1], direction_room(5)[0 .. row(x->rows, layer->out_dim) - 1],
      direction_points[0 .. row(layer->out_dim, row(layer->heads, layer->head_dim)) - 1],
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
    ensures live: \result == ATTCERT_OK ==> live_ends(c);
    ensures number: \result == ATTCERT_OK ==> lower_end(c);
    ensures lower: \result == ATTCERT_OK ==> \forall real_layer f; layer_at{Pre}(layer, x, f) ==>
      vector_certifies(c, f);
    ensures upper: \result == ATTCERT_OK ==> number(&c->upper[0]) ==> \forall real_layer f;
      layer_at{Pre}(layer, x, f) ==> jacobian_norm_at_most(f, value(&c->upper[0])); */
attcert_status certify_stored(attcert_certificate *c, interval *ratio, mpfr_ptr upper, mpfr_ptr guess,
                              explicit_jacobian *j, layer_enclosure *e, const attcert_layer *layer,
                              const attcert_matrix *x, const double *u, mpfr_prec_t precision, double slack,
                              const explicit_gram_guess *better, const attcert_options *options, attcert_error *err);

#endif
