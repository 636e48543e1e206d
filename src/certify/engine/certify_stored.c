#include "certify/engine/certify_stored.h"

#include "base/parallel.h"

#ifdef __FRAMAC__
#include "theorems/layer_kept_lemmas.acsl"
#include "theorems/stored_layer_lemmas.acsl"
#endif

/* The layer in intervals, and what follows from its being evaluated at what is stored. */
/*@ requires stored: stored_given(layer, x, e, err);
    requires precision: 53 <= precision <= MPFR_PREC_MAX;
    terminates \true;
    assigns *e, *err, mpfr_lives, mpz_lives, layer_room(0)[0 .. layer_vectors(layer, x) - 1],
      layer_room(1)[0 .. layer_vectors(layer, x) - 1], layer_room(2)[0 .. layer_vectors(layer, x) - 1],
      layer_room(3)[0 .. layer_vectors(layer, x) - 1], layer_room(4)[0 .. layer_rows(layer, x) - 1];
    ensures numbers: \forall mpfr_srcptr a; outside_stored{Pre}(\base_addr{Pre}(a), e, err) ==> unchanged{Pre, Post}(a);
    ensures doubles: \forall double *a; outside_stored{Pre}(\base_addr{Pre}(a), e, err) ==>
      \at(*a, Pre) == \at(*a, Post);
    ensures fit: \result == ATTCERT_OK ==> tokens_fit{Pre}(layer, x);
    ensures kept: \result == ATTCERT_OK ==> layer_kept{Pre, Post}(layer, x);
    ensures shape: \result == ATTCERT_OK ==> has_shape{Pre, Post}(e, layer, x, precision);
    ensures room: \result == ATTCERT_OK ==> in_layer_room{Pre, Post}(e);
    ensures lives: \result == ATTCERT_OK ==> same_lives{Pre, Post};
    ensures given: \result == ATTCERT_OK ==> jacobian_given(layer, e);
    ensures evaluated: \result == ATTCERT_OK ==> layer_evaluated(e, layer, x); */
static attcert_status enclose(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                              mpfr_prec_t precision, int threads, attcert_error *err) {
  const attcert_status status = stored_enclosure(e, layer, x, precision, threads, err);
  if (status != ATTCERT_OK) return status;
  //@ assert fit: tokens_fit{Pre}(layer, x);
  /*@ assert stacks: stack_kept{Pre, Here}(layer, x, layer->query_weight, layer->query_bias) &&
        stack_kept{Pre, Here}(layer, x, layer->key_weight, layer->key_bias) &&
        stack_kept{Pre, Here}(layer, x, layer->value_weight, \null); */
  //@ assert shape: has_shape{Pre, Here}(e, layer, x, precision) && shape_of(e, layer, x, e->precision);
  /*@ assert query: \forall rvec y;
        is_layer_projection(y, layer->query_weight, layer->query_bias, layer, x) ==>
        in_vec(e->q, y, 0, vectors_size(e)); */
  /*@ assert key: \forall rvec y;
        is_layer_projection(y, layer->key_weight, layer->key_bias, layer, x) ==>
        in_vec(e->k, y, 0, vectors_size(e)); */
  /*@ assert value: \forall rvec y;
        is_layer_projection(y, layer->value_weight, \null, layer, x) ==> in_vec(e->v, y, 0, vectors_size(e)); */
  /*@ assert sizes: row(e->heads, row(e->head_dim, e->dim)) == \at(row(width(layer), layer->dim), Pre) &&
        output_room(layer, e) == \at(row(layer->out_dim, width(layer)), Pre); */
  //@ assert query_given: weights_given(layer->query_weight, row(e->heads, row(e->head_dim, e->dim)));
  //@ assert key_given: weights_given(layer->key_weight, row(e->heads, row(e->head_dim, e->dim)));
  //@ assert value_given: weights_given(layer->value_weight, row(e->heads, row(e->head_dim, e->dim)));
  /*@ assert output_given: layer->output_weight != \null ==>
        weights_given(layer->output_weight, output_room(layer, e)); */
  return status;
}

attcert_status certify_stored(attcert_certificate *c, interval *ratio, mpfr_ptr upper, mpfr_ptr guess,
                              explicit_jacobian *j, layer_enclosure *e, const attcert_layer *layer,
                              const attcert_matrix *x, const double *u, mpfr_prec_t precision, double slack,
                              const explicit_gram_guess *better, const attcert_options *options, attcert_error *err) {
  const int threads = parallel_threads(options->threads);
  certify_ends_reset(c);
  //@ ghost Reset:;
  attcert_status status = enclose(e, layer, x, precision, threads, err);
  if (status != ATTCERT_OK) return status;
  //@ ghost Enclosed:;
  //@ assert at: \forall real_layer f; layer_at{Pre}(layer, x, f) ==> layer_at(layer, x, f);
  //@ assert live: live_ends(c) && live(ratio) && initialised(upper) && initialised(guess);
  //@ assert reset: unchanged{Reset, Here}(&c->lower[0]) && unchanged{Reset, Here}(&c->upper[0]);
  //@ assert vector: c->vector.data == \at(c->vector.data, Pre);
  status = certify_ends_raise_along(c, ratio, layer, e, u, threads, err);
  if (status != ATTCERT_OK) return status;
  //@ ghost Along:;
  //@ assert kept: layer_kept{Enclosed, Here}(layer, x);
  //@ assert enclosure_kept: enclosure_kept{Enclosed, Here}(e);
  //@ assert still_at: \forall real_layer f; layer_at{Pre}(layer, x, f) ==> layer_at(layer, x, f);
  //@ assert still_given: jacobian_given(layer, e);
  //@ assert still_evaluated: layer_evaluated(e, layer, x);
  /*@ assert lower: \forall real_layer f; layer_at{Pre}(layer, x, f) ==> vector_certifies(c, f); */
  status = mpfr_upper(upper, guess, j, layer, e, slack, better, options, err);
  //@ ghost Above:;
  //@ assert same_lower: unchanged{Along, Here}(&c->lower[0]) && c->vector.data == \at(c->vector.data, Along);
  if (status == ATTCERT_OK) certify_ends_lower_upper(c, upper);
  return status;
}
