#include "certify/enclosure/direction.h"

#include "certify/enclosure/direction_ratio.h"
#include "certify/enclosure/direction_steps.h"

#ifdef __FRAMAC__
#include "direction/direction_elsewhere_lemmas.acsl"
#include "theorems/layer_direction_given_lemmas.acsl"
#endif

/* dq, dk, dv: the direction through the projections. */
/*@ requires ready: derivative_ready(t, err);
    requires zero: zero_entries(t->dy, joined_size(t->e)) && zero_entries(t->squares, t->e->n);
    terminates \true;
    assigns t->dq[0 .. vectors_size(t->e) - 1], t->dk[0 .. vectors_size(t->e) - 1],
      t->dv[0 .. vectors_size(t->e) - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures ready: derivative_ready(t, err);
    ensures kept: derivative_kept{Pre, Post}(t);
    ensures zero: zero_entries(t->dy, joined_size(t->e)) && zero_entries(t->squares, t->e->n);
    ensures moving: \result == ATTCERT_OK ==> \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==>
      moving_in(t, layer_queries(f), layer_keys(f), layer_values(f), layer_projected(f, layer_query_weight(f), v),
                layer_projected(f, layer_key_weight(f), v), layer_projected(f, layer_value_weight(f), v)); */
static attcert_status project_direction(derivative *t, int threads, attcert_error *err) {
  attcert_status status = direction_project(t->dq, t->layer->query_weight, t, threads, err);
  //@ ghost Queries:;
  //@ assert lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert places: same_derivative{Pre, Here}(t) && same_shape{Pre, Here}(t->e);
  //@ assert zero_dy: zero_entries(\at(t->dy, Pre), joined_size{Pre}(t->e));
  //@ assert zero_squares: zero_entries(\at(t->squares, Pre), \at(t->e->n, Pre));
  //@ assert zero: zero_entries(t->dy, joined_size(t->e)) && zero_entries(t->squares, t->e->n);
  if (status != ATTCERT_OK) return status;
  /*@ assert queries: \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==>
        in_vec(t->dq, layer_projected(f, layer_query_weight(f), v), 0, vectors_size(t->e)); */
  status = direction_project(t->dk, t->layer->key_weight, t, threads, err);
  //@ ghost Keys:;
  //@ assert kept: derivative_kept{Pre, Here}(t);
  //@ assert lives_keys: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert places_keys: same_derivative{Pre, Here}(t) && same_shape{Pre, Here}(t->e);
  //@ assert zero_dy_keys: zero_entries(\at(t->dy, Pre), joined_size{Pre}(t->e));
  //@ assert zero_squares_keys: zero_entries(\at(t->squares, Pre), \at(t->e->n, Pre));
  //@ assert zero_keys: zero_entries(t->dy, joined_size(t->e)) && zero_entries(t->squares, t->e->n);
  if (status != ATTCERT_OK) return status;
  //@ assert same_queries: ends_kept{Queries, Here}(t->dq, vectors_size(t->e));
  /*@ assert still_queries: \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==>
        in_vec(t->dq, layer_projected(f, layer_query_weight(f), v), 0, vectors_size(t->e)); */
  /*@ assert keys: \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==> derivative_at{Queries}(t, f, v) ==>
        in_vec(t->dk, layer_projected(f, layer_key_weight(f), v), 0, vectors_size(t->e)); */
  status = direction_project(t->dv, t->layer->value_weight, t, threads, err);
  //@ assert kept_values: derivative_kept{Pre, Here}(t);
  //@ assert lives_values: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert places_values: same_derivative{Pre, Here}(t) && same_shape{Pre, Here}(t->e);
  //@ assert zero_dy_values: zero_entries(\at(t->dy, Pre), joined_size{Pre}(t->e));
  //@ assert zero_squares_values: zero_entries(\at(t->squares, Pre), \at(t->e->n, Pre));
  //@ assert zero_values: zero_entries(t->dy, joined_size(t->e)) && zero_entries(t->squares, t->e->n);
  //@ assert same_queries_end: ends_kept{Keys, Here}(t->dq, vectors_size(t->e));
  //@ assert same_keys: ends_kept{Keys, Here}(t->dk, vectors_size(t->e));
  /*@ assert projections: \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==> derivative_at(t, f, v) ==>
        projections_in(t->e, layer_queries(f), layer_keys(f), layer_values(f)); */
  /*@ assert queries_end: status == ATTCERT_OK ==> \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==>
        in_vec(t->dq, layer_projected(f, layer_query_weight(f), v), 0, vectors_size(t->e)); */
  /*@ assert keys_end: status == ATTCERT_OK ==> \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==>
        in_vec(t->dk, layer_projected(f, layer_key_weight(f), v), 0, vectors_size(t->e)); */
  /*@ assert values: status == ATTCERT_OK ==> \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==>
        derivative_at{Keys}(t, f, v) ==>
        in_vec(t->dv, layer_projected(f, layer_value_weight(f), v), 0, vectors_size(t->e)); */
  return status;
}

/* ||J u|| / ||u|| for the real layers and the real direction that t stands for. */
/*@ requires ready: derivative_ready(t, err);
    requires zero: zero_entries(t->dy, joined_size(t->e)) && zero_entries(t->squares, t->e->n);
    terminates \true;
    assigns t->dq[0 .. vectors_size(t->e) - 1], t->dk[0 .. vectors_size(t->e) - 1],
      t->dv[0 .. vectors_size(t->e) - 1], t->dy[0 .. joined_size(t->e) - 1], t->image[0 .. image_size(t) - 1],
      t->output[0 .. loaded_size(t) - 1], *t->ratio, t->squares[0 .. t->e->n - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures kept: ints_kept{Pre, Post}(t, err) && doubles_kept{Pre, Post}(t, err);
    ensures contains: \result == ATTCERT_OK ==> \forall real_layer f, rvec a, v; derivative_at{Pre}(t, f, v) ==>
      is_real_jacobian(a, f) ==>
      in(\old(t->ratio), image_ratio(a, row(layer_tokens(f), layer_out_dim(f)), jacobian_columns(f), v)); */
static attcert_status ratio_along(derivative *t, int threads, attcert_error *err) {
  /*@ assert ints_apart_vectors: \forall int *x; outside_results(\base_addr(x), t, err) ==>
        \separated(x, t->dq + (0 .. vectors_size(t->e) - 1)) && \separated(x, t->dk + (0 .. vectors_size(t->e) - 1)) &&
        \separated(x, t->dv + (0 .. vectors_size(t->e) - 1)); */
  /*@ assert doubles_apart_vectors: \forall double *x; outside_results(\base_addr(x), t, err) ==>
        \separated(x, t->dq + (0 .. vectors_size(t->e) - 1)) && \separated(x, t->dk + (0 .. vectors_size(t->e) - 1)) &&
        \separated(x, t->dv + (0 .. vectors_size(t->e) - 1)); */
  attcert_status status = project_direction(t, threads, err);
  //@ ghost Projected:;
  //@ assert places: same_derivative{Pre, Here}(t);
  //@ assert lives_vectors: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert ints_vectors: ints_kept{Pre, Here}(t, err);
  //@ assert doubles_vectors: doubles_kept{Pre, Here}(t, err);
  if (status != ATTCERT_OK) return status;
  //@ assert outside: \forall char *b; outside_results{Pre}(b, t, err) ==> outside_results(b, t, err);
  //@ assert sides: derivative_sides(t) && 1 <= t->e->n && 1 <= t->e->dim;
  //@ assert direction: is_direction(t->u, row(t->e->n, t->e->dim));
  //@ assert at: \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==> derivative_at(t, f, v);
  /*@ assert joined: \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==>
        joins_direction(t, layer_derivative(f, v), layer_queries(f), layer_keys(f), layer_values(f),
                        layer_projected(f, layer_query_weight(f), v), layer_projected(f, layer_key_weight(f), v),
                        layer_projected(f, layer_value_weight(f), v)); */
  /*@ assert output: \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==>
        is_layer_output(layer_image(f, v), layer_derivative(f, v), layer_output_weight(f), t); */
  /*@ assert long: \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==>
        0.0 < direction_square(t->u, t->e->dim, t->e->n); */
  /*@ assert quotient: \forall real_layer f, rvec a, v; derivative_at{Pre}(t, f, v) ==> is_real_jacobian(a, f) ==>
        image_ratio(a, row(layer_tokens(f), layer_out_dim(f)), jacobian_columns(f), v) ==
        quotient_of_norms(t, layer_image(f, v)); */
  status = direction_ratio(t, threads, err);
  //@ assert lives_norm: same_lives{Projected, Here} && same_mpz_lives{Projected, Here};
  //@ assert lives: same_lives{Pre, Here};
  //@ assert mpz_lives: same_mpz_lives{Pre, Here};
  //@ assert ints_norm: ints_kept{Projected, Here}(t, err);
  //@ assert doubles_norm: doubles_kept{Projected, Here}(t, err);
  /*@ assert contained: status == ATTCERT_OK ==> \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==>
        in(\at(t->ratio, Pre), quotient_of_norms{Projected}(t, layer_image(f, v))); */
  return status;
}

attcert_status direction_enclosure(interval *ratio, const attcert_layer *layer, const layer_enclosure *e,
                                   const double *u, int threads, attcert_error *err) {
  derivative t;
  //@ assert valid_then: \valid_read(e) && \valid_read(layer) && \valid(ratio);
  attcert_status status = derivative_init(&t, ratio, layer, e, u, err);
  //@ ghost Built:;
  //@ assert weights: same_weights{Pre, Here}(layer);
  //@ assert lives_built: same_lives{Pre, Here};
  //@ assert queries: e->q == \at(e->q, Pre);
  //@ assert keys: e->k == \at(e->k, Pre);
  //@ assert tokens: e->n == \at(e->n, Pre) && e->dim == \at(e->dim, Pre);
  //@ assert heads: e->heads == \at(e->heads, Pre) && e->head_dim == \at(e->head_dim, Pre);
  //@ assert precision: e->precision == \at(e->precision, Pre);
  //@ assert mask: e->mask == \at(e->mask, Pre);
  //@ assert shape: same_shape{Pre, Here}(e);
  //@ assert arrays: same_arrays{Pre, Here}(e);
  //@ assert intervals: enclosure_kept{Pre, Here}(e);
  //@ assert kept: given_kept{Pre, Here}(layer, e, u);
  //@ assert valid: given_valid(layer, e);
  //@ assert given: direction_given(layer, e);
  //@ assert direction: is_direction(u, row(e->n, e->dim));
  //@ assert live: live(ratio);
  //@ assert result: result_blocks(&t, err);
  /*@ assert at: \forall attcert_matrix *x, real_layer f, rvec v; layer_evaluated{Pre}(e, layer, x) ==>
        layer_at{Pre}(layer, x, f) ==> weights_are{Pre}(u, v, jacobian_columns(f)) ==>
        direction_at{Pre}(layer, e, u, f, v); */
  //@ assert sizes: vectors_size(e) == vectors_size{Pre}(e) && joined_size(e) == joined_size{Pre}(e);
  //@ assert sides: e->n == \at(e->n, Pre) && image_room_size(layer, e) == image_room_size{Pre}(layer, e);
  //@ assert points: output_room_size(layer, e) == output_room_size{Pre}(layer, e);
  /*@ assert rooms: \forall char *b; outside_direction_room{Pre}(b) ==> outside_arrays(b, &t); */
  /*@ assert outside: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> outside_direction_room{Pre}(\base_addr{Pre}(x)) ==>
        outside_derivative(\base_addr(x), &t); */
  if (status == ATTCERT_OK) status = ratio_along(&t, threads, err);
  //@ ghost Divided:;
  /*@ assert contains: status == ATTCERT_OK ==> \forall attcert_matrix *x, real_layer f, rvec a, v;
        layer_evaluated{Pre}(e, layer, x) ==> layer_at{Pre}(layer, x, f) ==> is_real_jacobian(a, f) ==>
        weights_are{Pre}(u, v, jacobian_columns(f)) ==> direction_at{Built}(layer, e, u, f, v) ==>
        in(ratio, image_ratio(a, row(layer_tokens(f), layer_out_dim(f)), jacobian_columns(f), v)); */
  //@ assert lives_divided: same_lives{Built, Here};
  //@ assert lives: same_lives{Pre, Here};
  //@ assert kept_numbers: ints_kept{Built, Here}(&t, err) && doubles_kept{Built, Here}(&t, err);
  /*@ assert written: \forall mpfr_srcptr x; outside_results{Built}(\base_addr(x), &t, err) ==>
        unchanged{Built, Here}(x); */
  /*@ assert numbers: \forall mpfr_srcptr x; outside_direction_room{Pre}(\base_addr{Pre}(x)) ==>
        \base_addr{Pre}(x) != \base_addr{Pre}(ratio) ==> \base_addr{Pre}(x) != \base_addr{Pre}(err) ==>
        unchanged{Built, Here}(x); */
  /*@ assert doubles: \forall double *x; outside_direction_room{Pre}(\base_addr{Pre}(x)) ==>
        \base_addr{Pre}(x) != \base_addr{Pre}(ratio) ==> \base_addr{Pre}(x) != \base_addr{Pre}(err) ==>
        *x == \at(*x, Built); */
  derivative_clear(&t);
  //@ assert same: same_ends{Divided, Here}(ratio);
  return status;
}

bool direction_is_narrow(const interval *ratio) {
  mpfr_t width;
  mpfr_init2(width, 64);
  //@ assert lives: same_lives{Pre, Here};
  //@ assert live: live(ratio);
  mpfr_sub(width, ratio->hi, ratio->lo, MPFR_RNDU);
  mpfr_mul_2si(width, width, 50, MPFR_RNDU);
  const bool narrow = mpfr_number_p(width) && mpfr_lessequal_p(width, ratio->lo);
  mpfr_clear(width);
  return narrow;
}
