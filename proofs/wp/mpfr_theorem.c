/* The theorems about the ends of the engine mpfr:
 *
 *   mpfr_theorem         where a number comes out as an upper end, ||J v|| <= upper ||v|| for all v, J being the
 *                        Jacobian of the real layer that `layer` and x are: without a hypothesis but about memory
 *   mpfr_lower_theorem   e being the intervals of `layer` at an input x, from a certificate with the lower end 0, as
 *                        certify_ends_reset leaves it: the Jacobian of every real layer that `layer` and x stand for
 *                        stretches the vector by the lower end at least; so no bound of its norm is below it
 *
 * No program calls these functions: mpfr_engine.c makes the call of the first, and takes the result as an upper end if
 * it is below the one known (ends_theorem.c); certify_run.c makes that of the second. */
#include "certify/engine/certify_ends_along.h"
#include "certify/engine/certify_stored.h"

#include "theorems/layer_direction_lemmas.acsl"
#include "theorems/stored_layer_lemmas.acsl"

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
    ensures norm: \result != 0 ==> number(upper) && 0.0 <= value(upper) &&
      norm_at_most(real_jacobian(stored_layer{Pre}(layer, x)), \old(row(x->rows, layer->out_dim)),
                   \old(row(x->rows, layer->dim)), value(upper)); */
bool mpfr_theorem(mpfr_ptr upper, mpfr_ptr guess, explicit_jacobian *j, layer_enclosure *e, const attcert_layer *layer,
                  const attcert_matrix *x, mpfr_prec_t precision, double slack, const explicit_gram_guess *better,
                  const attcert_options *options, attcert_error *err) {
  return certify_stored_above(upper, guess, j, e, layer, x, precision, slack, better, options, err) == ATTCERT_OK &&
         mpfr_number_p(upper);
}

/*@ requires valid: \valid(c) && \valid(ratio) && (err == \null || \valid(err)) &&
      \valid(c->vector.data + (0 .. row(e->n, e->dim) - 1)) && \valid_read(u + (0 .. row(e->n, e->dim) - 1));
    requires live: live_ends(c) && live(ratio);
    requires reset: lower_end(c) && value(&c->lower[0]) == 0.0;
    requires given: direction_given(layer, e);
    requires apart: apart_from_direction(\base_addr(c), layer, e, u) &&
      apart_from_direction(\base_addr(c->vector.data), layer, e, u) &&
      apart_from_direction(\base_addr(ratio), layer, e, u) && outside_direction_room(\base_addr(u)) &&
      (err == \null || apart_from_direction(\base_addr(err), layer, e, u));
    requires distinct: direction_distinct(c, ratio, err);
    terminates \true;
    assigns (&c->lower[0])[0 .. 0], c->vector.data[0 .. row(e->n, e->dim) - 1], *ratio, *err, mpfr_lives, mpz_lives,
      direction_room(0)[0 .. vectors_size(e) - 1], direction_room(1)[0 .. vectors_size(e) - 1],
      direction_room(2)[0 .. vectors_size(e) - 1], direction_room(3)[0 .. joined_size(e) - 1],
      direction_room(4)[0 .. e->n - 1], direction_room(5)[0 .. image_room_size(layer, e) - 1],
      direction_points[0 .. output_room_size(layer, e) - 1];
    ensures lower: lower_end(c);
    ensures certifies: \forall attcert_matrix *x, real_layer f; layer_evaluated{Pre}(e, layer, x) ==>
      layer_at{Pre}(layer, x, f) ==> vector_certifies(c, f);
    ensures below: \forall attcert_matrix *x, real_layer f, rvec a, v, real s; layer_evaluated{Pre}(e, layer, x) ==>
      layer_at{Pre}(layer, x, f) ==> is_real_jacobian(a, f) ==> weights_are(c->vector.data, v, jacobian_columns(f)) ==>
      0.0 <= s ==> norm_at_most(a, row(layer_tokens(f), layer_out_dim(f)), jacobian_columns(f), s) ==>
      value(&c->lower[0]) <= s; */
void mpfr_lower_theorem(attcert_certificate *c, interval *ratio, const attcert_layer *layer, const layer_enclosure *e,
                        const double *u, int threads, attcert_error *err) {
  certify_ends_raise_along(c, ratio, layer, e, u, threads, err);
}
