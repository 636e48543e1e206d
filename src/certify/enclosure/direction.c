#include "certify/enclosure/direction.h"

#include "certify/enclosure/direction_heads.h"
#include "certify/enclosure/direction_image.h"
#include "certify/enclosure/direction_norm.h"
#include "certify/enclosure/projection.h"

#ifdef __FRAMAC__
#include "certify/enclosure/jacobian_enclosure.h"

#include "direction/direction_cells_lemmas.acsl"
#include "interval/interval_layer_kept_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"
#include "theorems/layer_direction_given_lemmas.acsl"
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
    ensures contains: \result == ATTCERT_OK ==> \forall rvec z;
      in_vec{Pre}(\old(t->image), z, 0, image_size{Pre}(t)) ==>
      0.0 < direction_square{Pre}(\old(t->u), \old(t->e->dim), \old(t->e->n)) ==>
      in(\old(t->ratio), quotient_of_norms{Pre}(t, z)); */
static attcert_status ratio_of_image(derivative *t, int threads, attcert_error *err) {
  direction_squares(t, threads);
  //@ assert squared: \forall integer i; 0 <= i < \at(t->e->n, Pre) ==> token_squared{Pre, Here}(t, i);
  /*@ assert contained: \forall integer i, rvec z; 0 <= i < \at(t->e->n, Pre) ==> token_squared{Pre, Here}(t, i) ==>
        in_vec{Pre}(\at(t->image, Pre), z, 0, image_size{Pre}(t)) ==>
        in(\at(t->squares, Pre) + i, token_square(z, \at(t->layer->out_dim, Pre), i)); */
  //@ assert tokens: t->e->n == \at(t->e->n, Pre) && t->layer->out_dim == \at(t->layer->out_dim, Pre);
  //@ assert places: t->squares == \at(t->squares, Pre) && t->ratio == \at(t->ratio, Pre);
  /*@ assert direction: direction_square(t->u, t->e->dim, t->e->n) ==
        direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), \at(t->e->n, Pre)); */
  return direction_norm_ratio(t, err);
}

/* The same from dy, in a layer with W_O. */
/*@ requires ready: derivative_ready(t, err);
    requires zero: zero_entries(t->squares, t->e->n);
    requires weighted: t->output != \null;
    terminates \true;
    assigns t->image[0 .. image_size(t) - 1], t->output[0 .. output_size(t) - 1], *t->ratio,
      t->squares[0 .. t->e->n - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures contains: \result == ATTCERT_OK ==> joined_ratio{Pre, Post}(t); */
static attcert_status ratio_of_weighted(derivative *t, int threads, attcert_error *err) {
  direction_image(t, threads);
  /*@ assert weighed: \forall rvec dy, w, z;
        in_vec{Pre}(\at(t->dy, Pre), dy, 0, joined_size{Pre}(\at(t->e, Pre))) ==>
        is_layer_output{Pre}(z, dy, w, t) ==> weighs_output{Pre}(t, dy, w, z); */
  /*@ assert cells: \forall rvec dy, w, z; in_vec{Pre}(\at(t->dy, Pre), dy, 0, joined_size{Pre}(\at(t->e, Pre))) ==>
        is_layer_output{Pre}(z, dy, w, t) ==>
        in_matrix(\at(t->image, Pre), z, \at(t->e->n, Pre), \at(t->layer->out_dim, Pre)); */
  /*@ assert others: \forall mpfr_srcptr x; \base_addr(x) != \base_addr{Pre}(\at(t->image, Pre)) ==>
        \base_addr(x) != \base_addr{Pre}(\at(t->output, Pre)) ==> unchanged{Pre, Here}(x); */
  //@ assert e: t->e == \at(t->e, Pre) && t->layer == \at(t->layer, Pre) && t->u == \at(t->u, Pre);
  //@ assert places: t->image == \at(t->image, Pre) && t->squares == \at(t->squares, Pre);
  //@ assert ratio: t->ratio == \at(t->ratio, Pre);
  //@ assert sizes: t->e->n == \at(t->e->n, Pre) && t->e->dim == \at(t->e->dim, Pre);
  //@ assert rest: t->e->precision == \at(t->e->precision, Pre) && t->layer->out_dim == \at(t->layer->out_dim, Pre);
  //@ assert direction: entries_same{Pre, Here}(t->u, row(t->e->n, t->e->dim));
  //@ assert squares: ends_kept{Pre, Here}(t->squares, t->e->n);
  //@ assert live: live_vec(t->image, image_size(t)) && live_vec(t->squares, t->e->n) && live(t->ratio);
  //@ assert ready: norm_ready(t, err);
  //@ assert quotient: \forall rvec z; quotient_of_norms(t, z) == quotient_of_norms{Pre}(t, z);
  return ratio_of_image(t, threads, err);
}

/* The same, with W_O or without. */
/*@ requires ready: derivative_ready(t, err);
    requires zero: zero_entries(t->squares, t->e->n);
    terminates \true;
    assigns t->image[0 .. image_size(t) - 1], t->output[0 .. loaded_size(t) - 1], *t->ratio,
      t->squares[0 .. t->e->n - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures contains: \result == ATTCERT_OK ==> joined_ratio{Pre, Post}(t); */
static attcert_status ratio_of_joined(derivative *t, int threads, attcert_error *err) {
  if (t->output != NULL) return ratio_of_weighted(t, threads, err);
  //@ assert image: t->image == t->dy && image_size(t) == joined_size(t->e);
  /*@ assert same: \forall rvec dy, w, z; in_vec(t->dy, dy, 0, joined_size(t->e)) ==> is_layer_output(z, dy, w, t) ==>
        in_vec(t->image, z, 0, image_size(t)); */
  return ratio_of_image(t, threads, err);
}

/* dy from the projections of u. */
/*@ requires ready: derivative_ready(t, err);
    requires zero: zero_entries(t->dy, joined_size(t->e)) && zero_entries(t->squares, t->e->n);
    terminates \true;
    assigns t->dy[0 .. joined_size(t->e) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures ready: derivative_ready(t, err);
    ensures kept: derivative_kept{Pre, Post}(t);
    ensures zero: zero_entries(t->squares, t->e->n);
    ensures joined: \forall rvec q, k, v, dq, dk, dv, dy; joins_direction{Pre}(t, dy, q, k, v, dq, dk, dv) ==>
      in_vec(\old(t->dy), dy, 0, joined_size{Pre}(t->e)); */
static void join_heads(derivative *t, int threads) /*@ ghost (attcert_error *err) */ {
  direction_heads(t, threads);
  /*@ assert others: \forall mpfr_srcptr x; \base_addr(x) != \base_addr{Pre}(\at(t->dy, Pre)) ==>
        unchanged{Pre, Here}(x); */
  //@ assert places: same_derivative{Pre, Here}(t);
  //@ assert weights: same_weights{Pre, Here}(t->layer);
  //@ assert shape: same_shape{Pre, Here}(t->e);
  //@ assert arrays: same_arrays{Pre, Here}(t->e);
  //@ assert intervals: enclosure_kept{Pre, Here}(t->e);
  //@ assert direction: entries_same{Pre, Here}(t->u, row(t->e->n, t->e->dim));
  //@ assert kept: derivative_kept{Pre, Here}(t);
  //@ assert squares: ends_kept{Pre, Here}(t->squares, t->e->n);
  //@ assert given: direction_given(t->layer, t->e);
  //@ assert live: derivative_arrays(t) && live(t->ratio);
  /*@ assert rows: \forall rvec q, k, v, dq, dk, dv, dy; joins_direction{Pre}(t, dy, q, k, v, dq, dk, dv) ==>
        in_matrix(t->dy, dy, row(t->e->n, t->e->heads), t->e->head_dim); */
}

/* ||J u|| / ||u|| from the projections of u. */
/*@ requires ready: derivative_ready(t, err);
    requires zero: zero_entries(t->dy, joined_size(t->e)) && zero_entries(t->squares, t->e->n);
    terminates \true;
    assigns t->dy[0 .. joined_size(t->e) - 1], t->image[0 .. image_size(t) - 1], t->output[0 .. loaded_size(t) - 1],
      *t->ratio, t->squares[0 .. t->e->n - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures contains: \result == ATTCERT_OK ==> \forall rvec q, k, v, dq, dk, dv, dy, w, z;
      joins_direction{Pre}(t, dy, q, k, v, dq, dk, dv) ==> is_layer_output{Pre}(z, dy, w, t) ==>
      0.0 < direction_square{Pre}(\old(t->u), \old(t->e->dim), \old(t->e->n)) ==>
      in(\old(t->ratio), quotient_of_norms{Pre}(t, z)); */
static attcert_status ratio_of_projected(derivative *t, int threads, attcert_error *err) {
  join_heads(t, threads) /*@ ghost (err) */;
  //@ assert output: \forall rvec dy, w, z; is_layer_output{Pre}(z, dy, w, t) ==> is_layer_output(z, dy, w, t);
  //@ assert quotient: \forall rvec z; quotient_of_norms(t, z) == quotient_of_norms{Pre}(t, z);
  /*@ assert direction: direction_square(t->u, t->e->dim, t->e->n) ==
        direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), \at(t->e->n, Pre)); */
  return ratio_of_joined(t, threads, err);
}

/* out := weight u, all heads. */
/*@ requires ready: derivative_ready(t, err);
    requires weight: direction_numbers(weight, row(channels(t->e), t->e->dim)) &&
      (err == \null || \base_addr(weight) != \base_addr(err));
    requires out: room_for(out, vectors_size(t->e)) && new_block(\base_addr(out), t, err) &&
      \base_addr(out) != \base_addr(weight);
    terminates \true;
    assigns out[0 .. vectors_size(t->e) - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures others: \forall mpfr_srcptr x; \base_addr(x) != \base_addr(out) ==> \base_addr(x) != \base_addr(err) ==>
      unchanged{Pre, Post}(x);
    ensures ready: derivative_ready(t, err);
    ensures kept: derivative_kept{Pre, Post}(t);
    ensures projected: \result == ATTCERT_OK ==> \forall rvec y;
      is_projection{Pre}(y, weight, \null, \old(t->u), \old(t->e->n), \old(t->e->dim), \old(t->e->heads),
                         \old(t->e->head_dim)) ==> in_vec(out, y, 0, vectors_size{Pre}(t->e)); */
static attcert_status project(interval *out, const double *weight, const derivative *t, int threads,
                              attcert_error *err) {
  const layer_enclosure *const e = t->e;
  const projection_shape shape = {e->n, e->dim, e->heads, e->head_dim, e->precision, threads};
  //@ assert outputs: projection_outputs(shape) == vectors_size(e) && projection_sides(shape);
  //@ assert weights: projection_weights(shape) == row(channels(e), e->dim);
  //@ assert inputs: projection_inputs(weight, \null, t->u, shape);
  //@ assert local: \separated(out + (0 .. vectors_size(e) - 1), &shape) && \separated(err, &shape);
  const attcert_status status = projection_enclosure(out, weight, NULL, t->u, &shape, err);
  /*@ assert others: \forall mpfr_srcptr x; \base_addr(x) != \base_addr(out) ==> \base_addr(x) != \base_addr(err) ==>
        unchanged{Pre, Here}(x); */
  //@ assert places: same_derivative{Pre, Here}(t);
  //@ assert weights_kept: same_weights{Pre, Here}(t->layer);
  //@ assert shape: same_shape{Pre, Here}(t->e);
  //@ assert arrays: same_arrays{Pre, Here}(t->e);
  //@ assert intervals: enclosure_kept{Pre, Here}(t->e);
  //@ assert direction: entries_same{Pre, Here}(t->u, row(t->e->n, t->e->dim));
  //@ assert kept: derivative_kept{Pre, Here}(t);
  //@ assert given: direction_given(t->layer, t->e);
  //@ assert live: derivative_arrays(t) && live(t->ratio);
  return status;
}

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
  attcert_status status = project(t->dq, t->layer->query_weight, t, threads, err);
  //@ ghost Queries:;
  //@ assert zero: zero_entries(t->dy, joined_size(t->e)) && zero_entries(t->squares, t->e->n);
  if (status != ATTCERT_OK) return status;
  /*@ assert queries: \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==>
        in_vec(t->dq, layer_projected(f, layer_query_weight(f), v), 0, vectors_size(t->e)); */
  status = project(t->dk, t->layer->key_weight, t, threads, err);
  //@ ghost Keys:;
  //@ assert kept: derivative_kept{Pre, Here}(t);
  //@ assert zero_keys: zero_entries(t->dy, joined_size(t->e)) && zero_entries(t->squares, t->e->n);
  if (status != ATTCERT_OK) return status;
  //@ assert same_queries: ends_kept{Queries, Here}(t->dq, vectors_size(t->e));
  /*@ assert still_queries: \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==>
        in_vec(t->dq, layer_projected(f, layer_query_weight(f), v), 0, vectors_size(t->e)); */
  /*@ assert keys: \forall real_layer f, rvec v; derivative_at{Pre}(t, f, v) ==> derivative_at{Queries}(t, f, v) ==>
        in_vec(t->dk, layer_projected(f, layer_key_weight(f), v), 0, vectors_size(t->e)); */
  status = project(t->dv, t->layer->value_weight, t, threads, err);
  //@ assert kept_values: derivative_kept{Pre, Here}(t);
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
    ensures contains: \result == ATTCERT_OK ==> \forall real_layer f, rvec a, v; derivative_at{Pre}(t, f, v) ==>
      is_real_jacobian(a, f) ==>
      in(\old(t->ratio), image_ratio(a, row(layer_tokens(f), layer_out_dim(f)), jacobian_columns(f), v)); */
static attcert_status ratio_along(derivative *t, int threads, attcert_error *err) {
  /*@ assert joined: \forall real_layer f, rvec v; derivative_at(t, f, v) ==>
        is_joined_direction(layer_derivative(f, v), layer_queries(f), layer_keys(f), layer_values(f),
                            layer_projected(f, layer_query_weight(f), v), layer_projected(f, layer_key_weight(f), v),
                            layer_projected(f, layer_value_weight(f), v), t->e->mask, t->e->n, t->e->heads,
                            t->e->head_dim); */
  /*@ assert output: \forall real_layer f, rvec v; derivative_at(t, f, v) ==>
        is_layer_output(layer_image(f, v), layer_derivative(f, v), layer_output_weight(f), t); */
  /*@ assert long: \forall real_layer f, rvec v; derivative_at(t, f, v) ==>
        0.0 < direction_square(t->u, t->e->dim, t->e->n); */
  /*@ assert quotient: \forall real_layer f, rvec a, v; derivative_at(t, f, v) ==> is_real_jacobian(a, f) ==>
        image_ratio(a, row(layer_tokens(f), layer_out_dim(f)), jacobian_columns(f), v) ==
        quotient_of_norms(t, layer_image(f, v)); */
  attcert_status status = project_direction(t, threads, err);
  if (status != ATTCERT_OK) return status;
  //@ assert output_kept: \forall rvec dy, w, z; is_layer_output{Pre}(z, dy, w, t) ==> is_layer_output(z, dy, w, t);
  //@ assert quotient_kept: \forall rvec z; quotient_of_norms(t, z) == quotient_of_norms{Pre}(t, z);
  /*@ assert direction: direction_square(t->u, t->e->dim, t->e->n) ==
        direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), \at(t->e->n, Pre)); */
  return ratio_of_projected(t, threads, err);
}

attcert_status direction_enclosure(interval *ratio, const attcert_layer *layer, const layer_enclosure *e,
                                   const double *u, int threads, attcert_error *err) {
  derivative t;
  attcert_status status = derivative_init(&t, ratio, layer, e, u, err);
  //@ ghost Built:;
  //@ assert weights: same_weights{Pre, Here}(layer);
  //@ assert shape: same_shape{Pre, Here}(e) && same_arrays{Pre, Here}(e);
  //@ assert intervals: enclosure_kept{Pre, Here}(e);
  //@ assert kept: given_kept{Pre, Here}(layer, e, u);
  //@ assert given: direction_given(layer, e) && is_direction(u, row(e->n, e->dim)) && live(ratio);
  //@ assert result: result_blocks(&t, err);
  /*@ assert at: \forall attcert_matrix *x, real_layer f, rvec v; layer_evaluated{Pre}(e, layer, x) ==>
        layer_at{Pre}(layer, x, f) ==> weights_are{Pre}(u, v, jacobian_columns(f)) ==>
        direction_at{Pre}(layer, e, u, f, v); */
  //@ assert sizes: vectors_size(e) == vectors_size{Pre}(e) && joined_size(e) == joined_size{Pre}(e);
  //@ assert sides: e->n == \at(e->n, Pre) && image_room_size(layer, e) == image_room_size{Pre}(layer, e);
  //@ assert points: output_room_size(layer, e) == output_room_size{Pre}(layer, e);
  if (status == ATTCERT_OK) status = ratio_along(&t, threads, err);
  //@ ghost Divided:;
  /*@ assert contains: status == ATTCERT_OK ==> \forall attcert_matrix *x, real_layer f, rvec a, v;
        layer_evaluated{Pre}(e, layer, x) ==> layer_at{Pre}(layer, x, f) ==> is_real_jacobian(a, f) ==>
        weights_are{Pre}(u, v, jacobian_columns(f)) ==> direction_at{Built}(layer, e, u, f, v) ==>
        in(ratio, image_ratio(a, row(layer_tokens(f), layer_out_dim(f)), jacobian_columns(f), v)); */
  /*@ assert numbers: \forall mpfr_srcptr x; outside_direction_room{Pre}(\base_addr{Pre}(x)) ==>
        \base_addr{Pre}(x) != \base_addr{Pre}(ratio) ==> \base_addr{Pre}(x) != \base_addr{Pre}(err) ==>
        unchanged{Built, Here}(x); */
  derivative_clear(&t);
  //@ assert same: same_ends{Divided, Here}(ratio);
  return status;
}

bool direction_is_narrow(const interval *ratio) {
  mpfr_t width;
  mpfr_init2(width, 64);
  mpfr_sub(width, ratio->hi, ratio->lo, MPFR_RNDU);
  mpfr_mul_2si(width, width, 50, MPFR_RNDU);
  const bool narrow = mpfr_number_p(width) && mpfr_lessequal_p(width, ratio->lo);
  mpfr_clear(width);
  return narrow;
}
