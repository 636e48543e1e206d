#include "certify/enclosure/layer_enclosure_projections.h"

#include "certify/enclosure/projection.h"

#ifdef __FRAMAC__
#include "interval/interval_life_lemmas.acsl"
#include "interval/interval_projection_lemmas.acsl"
#endif

/*@ predicate shape_given{L}(projection_shape s, attcert_layer *layer, attcert_matrix *x) =
      s.n == x->rows && s.dim == layer->dim && s.heads == layer->heads && s.head_dim == layer->head_dim &&
      1 <= s.precision <= MPFR_PREC_MAX;
    predicate same_sizes{L}(projection_shape s, layer_enclosure *e, attcert_layer *layer, attcert_matrix *x) =
      projection_outputs(s) == vectors_size(e) && projection_weights(s) == row(width(layer), layer->dim) &&
      row(s.n, s.dim) == row(x->rows, x->cols) && row(s.heads, s.head_dim) == width(layer);
    predicate outside_shape{L}(interval *out, integer n, projection_shape *shape) =
      \separated(out + (0 .. n - 1), shape);
    predicate stack_outside_shape{L}(attcert_layer *layer, double *w, projection_shape *shape) =
      \separated(w + (0 .. row(width(layer), layer->dim) - 1), shape); */

/* The same with the shape that all three have. */
/*@ requires room_shape: \valid_read(shape) && shape_given(*shape, layer, x) && \separated(shape, err, e, layer, x);
    requires apart_shape: outside_shape(e->q, vectors_size(e), shape) && outside_shape(e->k, vectors_size(e), shape) &&
      outside_shape(e->v, vectors_size(e), shape);
    requires apart_numbers: stack_outside_shape(layer, layer->query_weight, shape) &&
      stack_outside_shape(layer, layer->key_weight, shape) && stack_outside_shape(layer, layer->value_weight, shape);
    requires valid: \valid_read(e) && enclosure_sides(e) && enclosure_writable(e);
    requires given: input_given(layer, x) && (err == \null || \valid(err));
    requires shape: shape_of(e, layer, x, e->precision);
    requires apart: \separated(e, layer, x, err);
    requires outside: input_outside(e, layer, x, err);
    requires room: outside_given(e->q, vectors_size(e), layer, x, err) &&
      outside_given(e->k, vectors_size(e), layer, x, err) && outside_given(e->v, vectors_size(e), layer, x, err);
    terminates \true;
    assigns e->q[0 .. vectors_size(e) - 1], e->k[0 .. vectors_size(e) - 1], e->v[0 .. vectors_size(e) - 1], *err,
      mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures shape: same_shape{Pre, Post}(e) && same_arrays{Pre, Post}(e);
    ensures query: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->query_weight, layer->query_bias, layer, x) ==>
      in_vec(e->q, y, 0, vectors_size(e));
    ensures key: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->key_weight, layer->key_bias, layer, x) ==>
      in_vec(e->k, y, 0, vectors_size(e));
    ensures value: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->value_weight, \null, layer, x) ==> in_vec(e->v, y, 0, vectors_size(e)); */
static attcert_status project_all(const layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                  const projection_shape *shape, attcert_error *err) {
  //@ assert sizes: same_sizes(*shape, e, layer, x);
  /*@ assert channel: \forall integer h, r; 0 <= h < layer->heads ==> 0 <= r < layer->head_dim ==>
        0 <= row(h, layer->head_dim) + r < width(layer); */
  //@ assert inputs_query: projection_inputs(layer->query_weight, layer->query_bias, x->data, *shape);
  //@ assert live_q: live_vec(e->q, vectors_size(e));
  attcert_status status = projection_enclosure(e->q, layer->query_weight, layer->query_bias, x->data, shape, err);
  if (status != ATTCERT_OK) return status;
  //@ ghost Queries:;
  //@ assert shape_queries: same_shape{Pre, Here}(e) && same_arrays{Pre, Here}(e);
  //@ assert lives_queries: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  /*@ assert layer_queries: layer->dim == \at(layer->dim, Pre) && layer->heads == \at(layer->heads, Pre) &&
        layer->head_dim == \at(layer->head_dim, Pre); */
  //@ assert tokens_queries: x->rows == \at(x->rows, Pre) && x->cols == \at(x->cols, Pre);
  //@ assert given_queries: shape_given(*shape, layer, x);
  //@ assert sizes_queries: same_sizes(*shape, e, layer, x) && vectors_size(e) == vectors_size{Pre}(e);
  //@ assert width_queries: width(layer) == width{Pre}(layer);
  /*@ assert query: \forall rvec y; is_layer_projection{Pre}(y, layer->query_weight, layer->query_bias, layer, x) ==>
        in_vec(e->q, y, 0, vectors_size(e)); */
  //@ assert same_key_tokens: entries_same{Pre, Here}(x->data, row(x->rows, x->cols));
  //@ assert same_key_weight: entries_same{Pre, Here}(layer->key_weight, row(width(layer), layer->dim));
  //@ assert same_key_bias: layer->key_bias == \null || entries_same{Pre, Here}(layer->key_bias, width(layer));
  /*@ assert same_key_affine: \forall integer i, m; 0 <= i < x->rows ==> 0 <= m < width(layer) ==>
        affine{Pre}(layer->key_weight, layer->key_bias, x->data + row(i, layer->dim), layer->dim, m) ==
        affine(layer->key_weight, layer->key_bias, x->data + row(i, layer->dim), layer->dim, m); */
  /*@ assert same_key: \forall rvec y; is_layer_projection{Pre}(y, layer->key_weight, layer->key_bias, layer, x) ==>
        is_layer_projection(y, layer->key_weight, layer->key_bias, layer, x); */
  //@ assert inputs_key: projection_inputs(layer->key_weight, layer->key_bias, x->data, *shape);
  //@ assert live_k: live_vec(e->k, vectors_size(e));
  status = projection_enclosure(e->k, layer->key_weight, layer->key_bias, x->data, shape, err);
  if (status != ATTCERT_OK) return status;
  //@ ghost Keys:;
  //@ assert shape_keys: same_shape{Pre, Here}(e) && same_arrays{Pre, Here}(e);
  //@ assert lives_keys: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  /*@ assert layer_keys: layer->dim == \at(layer->dim, Pre) && layer->heads == \at(layer->heads, Pre) &&
        layer->head_dim == \at(layer->head_dim, Pre); */
  //@ assert tokens_keys: x->rows == \at(x->rows, Pre) && x->cols == \at(x->cols, Pre);
  //@ assert given_keys: shape_given(*shape, layer, x);
  //@ assert sizes_keys: same_sizes(*shape, e, layer, x) && vectors_size(e) == vectors_size{Pre}(e);
  //@ assert width_keys: width(layer) == width{Pre}(layer);
  //@ assert kept_queries: kept{Queries, Here}(e->q, 0, vectors_size(e));
  /*@ assert query_still: \forall rvec y; is_layer_projection{Pre}(y, layer->query_weight, layer->query_bias, layer, x) ==>
        in_vec(e->q, y, 0, vectors_size(e)); */
  /*@ assert key: \forall rvec y; is_layer_projection{Pre}(y, layer->key_weight, layer->key_bias, layer, x) ==>
        in_vec(e->k, y, 0, vectors_size(e)); */
  //@ assert same_value_tokens: entries_same{Pre, Here}(x->data, row(x->rows, x->cols));
  //@ assert same_value_weight: entries_same{Pre, Here}(layer->value_weight, row(width(layer), layer->dim));
  /*@ assert same_value_affine: \forall integer i, m; 0 <= i < x->rows ==> 0 <= m < width(layer) ==>
        affine{Pre}(layer->value_weight, \null, x->data + row(i, layer->dim), layer->dim, m) ==
        affine(layer->value_weight, \null, x->data + row(i, layer->dim), layer->dim, m); */
  /*@ assert same_value: \forall rvec y; is_layer_projection{Pre}(y, layer->value_weight, \null, layer, x) ==>
        is_layer_projection(y, layer->value_weight, \null, layer, x); */
  //@ assert inputs_value: projection_inputs(layer->value_weight, \null, x->data, *shape);
  //@ assert live_v: live_vec(e->v, vectors_size(e));
  status = projection_enclosure(e->v, layer->value_weight, NULL, x->data, shape, err);
  //@ assert shape_values: same_shape{Pre, Here}(e) && same_arrays{Pre, Here}(e);
  //@ assert lives_values: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert kept_first: kept{Keys, Here}(e->q, 0, vectors_size(e));
  //@ assert kept_keys: kept{Keys, Here}(e->k, 0, vectors_size(e));
  return status;
}

attcert_status layer_enclosure_project(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                       int threads, attcert_error *err) {
  const projection_shape shape = {e->n, e->dim, e->heads, e->head_dim, e->precision, threads};
  return project_all(e, layer, x, &shape, err);
}
