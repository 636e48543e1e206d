#include "certify/enclosure/layer_enclosure_projections.h"

#include "certify/enclosure/projection.h"

#ifdef __FRAMAC__
#include "interval/interval_life_lemmas.acsl"
#include "projection/interval_projection_same_lemmas.acsl"
#endif

/*@ predicate shape_given{L}(projection_shape s, attcert_layer *layer, attcert_matrix *x) =
      s.n == x->rows && s.dim == layer->dim && s.heads == layer->heads && s.head_dim == layer->head_dim &&
      1 <= s.precision <= MPFR_PREC_MAX;
    predicate same_sizes{L}(projection_shape s, layer_enclosure *e, attcert_layer *layer, attcert_matrix *x) =
      projection_outputs(s) == vectors_size(e) && projection_weights(s) == row(width(layer), layer->dim) &&
      row(s.n, s.dim) == row(x->rows, x->cols) && row(s.heads, s.head_dim) == width(layer);
    predicate sides_given{L}(layer_enclosure *e, attcert_layer *layer, attcert_matrix *x) =
      enclosure_sides(e) && layer_sides(layer) && side(x->rows) && 1 <= x->rows && x->cols == layer->dim;
    predicate room_given{L}(interval *out, integer n) = \valid(out + (0 .. n - 1)) && live_vec(out, n);
    predicate outside_shape{L}(interval *out, integer n, projection_shape *shape) =
      \separated(out + (0 .. n - 1), shape);
    predicate stack_outside_shape{L}(attcert_layer *layer, double *w, projection_shape *shape) =
      \separated(w + (0 .. row(width(layer), layer->dim) - 1), shape);

    // What all projections ask.
    predicate array_apart{L}(interval *out, layer_enclosure *e, attcert_error *err, projection_shape *shape) =
      \separated(out + (0 .. vectors_size(e) - 1), err) && \separated(out + (0 .. vectors_size(e) - 1), e, shape);
    predicate projections_given{L}(layer_enclosure *e, attcert_layer *layer, attcert_matrix *x,
                                   projection_shape *shape, attcert_error *err) =
      \valid_read(e) && \valid_read(layer) && \valid_read(x) && \valid_read(shape) &&
      (err == \null || \valid(err)) && sides_given(e, layer, x) && shape_given(*shape, layer, x) &&
      shape_of(e, layer, x, e->precision) && tokens_given(x);
    predicate projections_apart{L}(layer_enclosure *e, attcert_layer *layer, attcert_matrix *x,
                                   projection_shape *shape, attcert_error *err) =
      \separated(e, layer, x, err, shape) &&
      \separated(e->q + (0 .. vectors_size(e) - 1), e->k + (0 .. vectors_size(e) - 1),
                 e->v + (0 .. vectors_size(e) - 1)) &&
      input_outside(e, layer, x, err) && array_apart(e->q, e, err, shape) && array_apart(e->k, e, err, shape) &&
      array_apart(e->v, e, err, shape) && stack_outside_shape(layer, layer->query_weight, shape) &&
      stack_outside_shape(layer, layer->key_weight, shape) && stack_outside_shape(layer, layer->value_weight, shape);
    // And what each asks of its own array.
    predicate array_given{L}(interval *out, layer_enclosure *e, attcert_layer *layer, attcert_matrix *x) =
      room_given(out, vectors_size(e)) && \separated(out + (0 .. vectors_size(e) - 1), layer) &&
      \separated(out + (0 .. vectors_size(e) - 1), x) &&
      \separated(out + (0 .. vectors_size(e) - 1), x->data + (0 .. row(x->rows, x->cols) - 1));
    predicate values_given{L}(layer_enclosure *e, attcert_layer *layer, attcert_matrix *x) =
      stack_given(layer, layer->value_weight) && array_given(e->v, e, layer, x) &&
      outside_stack(e->v, vectors_size(e), layer, layer->value_weight);
    predicate keys_given{L}(layer_enclosure *e, attcert_layer *layer, attcert_matrix *x) =
      stack_given(layer, layer->key_weight) && biases_given(layer, layer->key_bias) &&
      array_given(e->k, e, layer, x) && outside_stack(e->k, vectors_size(e), layer, layer->key_weight) &&
      outside_biases(e->k, vectors_size(e), layer, layer->key_bias) &&
      outside_stack(e->k, vectors_size(e), layer, layer->value_weight);
    predicate queries_given{L}(layer_enclosure *e, attcert_layer *layer, attcert_matrix *x) =
      stack_given(layer, layer->query_weight) && biases_given(layer, layer->query_bias) &&
      array_given(e->q, e, layer, x) && outside_stack(e->q, vectors_size(e), layer, layer->query_weight) &&
      outside_biases(e->q, vectors_size(e), layer, layer->query_bias) &&
      outside_stack(e->q, vectors_size(e), layer, layer->key_weight) &&
      outside_biases(e->q, vectors_size(e), layer, layer->key_bias) &&
      outside_stack(e->q, vectors_size(e), layer, layer->value_weight); */

/* The values; what the queries and the keys contained, they still contain. */
/*@ requires given: projections_given(e, layer, x, shape, err);
    requires apart: projections_apart(e, layer, x, shape, err);
    requires values: values_given(e, layer, x);
    terminates \true;
    assigns e->v[0 .. vectors_size(e) - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures shape: same_shape{Pre, Post}(e) && same_arrays{Pre, Post}(e);
    ensures blocks: \forall char *b; outside_projections{Pre}(b, e, err) ==> block_same{Pre, Post}(b);
    ensures kept_query: kept{Pre, Post}(e->q, 0, vectors_size{Pre}(e));
    ensures kept_key: kept{Pre, Post}(e->k, 0, vectors_size{Pre}(e));
    ensures value: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->value_weight, \null, layer, x) ==> in_vec(e->v, y, 0, vectors_size{Pre}(e)); */
static attcert_status project_values(const layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                     const projection_shape *shape, attcert_error *err) {
  //@ assert sizes: same_sizes(*shape, e, layer, x);
  //@ assert inputs: projection_inputs(layer->value_weight, \null, x->data, *shape);
  const attcert_status status = projection_enclosure(e->v, layer->value_weight, NULL, x->data, shape, err);
  //@ assert outputs: projection_outputs(\at(*shape, Pre)) == vectors_size{Pre}(e);
  /*@ assert others: \forall mpfr_srcptr n; \separated(n, e->v + (0 .. vectors_size{Pre}(e) - 1)) ==>
        \separated(n, err) ==> unchanged{Pre, Here}(n); */
  //@ assert low_q: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> unchanged{Pre, Here}(&(e->q + t)->lo[0]);
  //@ assert high_q: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> unchanged{Pre, Here}(&(e->q + t)->hi[0]);
  //@ assert low_k: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> unchanged{Pre, Here}(&(e->k + t)->lo[0]);
  //@ assert high_k: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> unchanged{Pre, Here}(&(e->k + t)->hi[0]);
  /*@ assert values: status == ATTCERT_OK ==> \forall rvec y;
        is_layer_projection{Pre}(y, layer->value_weight, \null, layer, x) ==>
        in_vec(e->v, y, 0, vectors_size{Pre}(e)); */
  return status;
}

/* The keys, then the values. */
/*@ requires given: projections_given(e, layer, x, shape, err);
    requires apart: projections_apart(e, layer, x, shape, err);
    requires keys: keys_given(e, layer, x);
    requires values: values_given(e, layer, x);
    terminates \true;
    assigns e->k[0 .. vectors_size(e) - 1], e->v[0 .. vectors_size(e) - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures shape: same_shape{Pre, Post}(e) && same_arrays{Pre, Post}(e);
    ensures blocks: \forall char *b; outside_projections{Pre}(b, e, err) ==> block_same{Pre, Post}(b);
    ensures kept_query: kept{Pre, Post}(e->q, 0, vectors_size{Pre}(e));
    ensures key: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->key_weight, layer->key_bias, layer, x) ==>
      in_vec(e->k, y, 0, vectors_size{Pre}(e));
    ensures value: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->value_weight, \null, layer, x) ==> in_vec(e->v, y, 0, vectors_size{Pre}(e)); */
static attcert_status project_keys(const layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                   const projection_shape *shape, attcert_error *err) {
  //@ assert sizes: same_sizes(*shape, e, layer, x);
  //@ assert inputs: projection_inputs(layer->key_weight, layer->key_bias, x->data, *shape);
  const attcert_status status = projection_enclosure(e->k, layer->key_weight, layer->key_bias, x->data, shape, err);
  /*@ assert others: \forall mpfr_srcptr n; \separated(n, e->k + (0 .. vectors_size{Pre}(e) - 1)) ==>
        \separated(n, err) ==> unchanged{Pre, Here}(n); */
  //@ assert low: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> unchanged{Pre, Here}(&(e->q + t)->lo[0]);
  //@ assert high: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> unchanged{Pre, Here}(&(e->q + t)->hi[0]);
  //@ assert still_queries: kept{Pre, Here}(e->q, 0, vectors_size{Pre}(e));
  //@ assert blocks_early: \forall char *b; outside_projections{Pre}(b, e, err) ==> block_same{Pre, Here}(b);
  //@ assert lives_early: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert shape_early: same_shape{Pre, Here}(e) && same_arrays{Pre, Here}(e);
  if (status != ATTCERT_OK) return status;
  /*@ assert layer: layer->dim == \at(layer->dim, Pre) && layer->heads == \at(layer->heads, Pre) &&
        layer->head_dim == \at(layer->head_dim, Pre) && layer->out_dim == \at(layer->out_dim, Pre); */
  //@ assert input: x->rows == \at(x->rows, Pre) && x->cols == \at(x->cols, Pre);
  //@ assert given: shape_given(*shape, layer, x) && sides_given(e, layer, x);
  //@ assert size: vectors_size(e) == vectors_size{Pre}(e) && width(layer) == width{Pre}(layer);
  //@ assert tokens: entries_same{Pre, Here}(x->data, row(x->rows, x->cols));
  //@ assert finite: tokens_given(x);
  /*@ assert keys: \forall rvec y; is_layer_projection{Pre}(y, layer->key_weight, layer->key_bias, layer, x) ==>
        in_vec(e->k, y, 0, vectors_size{Pre}(e)); */
  //@ assert same_value: entries_same{Pre, Here}(layer->value_weight, row(width(layer), layer->dim));
  //@ assert finite_value: finite_entries(layer->value_weight, row(width(layer), layer->dim));
  //@ assert stack_value: stack_given(layer, layer->value_weight);
  /*@ assert projection_value: \forall rvec y;
        is_layer_projection{Pre}(y, layer->value_weight, \null, layer, x) ==>
        is_layer_projection(y, layer->value_weight, \null, layer, x); */
  //@ assert live_value: live_vec(e->v, vectors_size(e));
  const attcert_status rest = project_values(e, layer, x, shape, err);
  //@ assert blocks_end: \forall char *b; outside_projections{Pre}(b, e, err) ==> block_same{Pre, Here}(b);
  //@ assert lives_end: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert shape_end: same_shape{Pre, Here}(e) && same_arrays{Pre, Here}(e);
  return rest;
}

/* The queries, then the rest. */
/*@ requires given: projections_given(e, layer, x, shape, err);
    requires apart: projections_apart(e, layer, x, shape, err);
    requires queries: queries_given(e, layer, x);
    requires keys: keys_given(e, layer, x);
    requires values: values_given(e, layer, x);
    terminates \true;
    assigns e->q[0 .. vectors_size(e) - 1], e->k[0 .. vectors_size(e) - 1], e->v[0 .. vectors_size(e) - 1], *err,
      mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures shape: same_shape{Pre, Post}(e) && same_arrays{Pre, Post}(e);
    ensures blocks: \forall char *b; outside_projections{Pre}(b, e, err) ==> block_same{Pre, Post}(b);
    ensures query: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->query_weight, layer->query_bias, layer, x) ==>
      in_vec(e->q, y, 0, vectors_size{Pre}(e));
    ensures key: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->key_weight, layer->key_bias, layer, x) ==>
      in_vec(e->k, y, 0, vectors_size{Pre}(e));
    ensures value: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->value_weight, \null, layer, x) ==> in_vec(e->v, y, 0, vectors_size{Pre}(e)); */
static attcert_status project_all(const layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                  const projection_shape *shape, attcert_error *err) {
  //@ assert sizes: same_sizes(*shape, e, layer, x);
  //@ assert inputs: projection_inputs(layer->query_weight, layer->query_bias, x->data, *shape);
  const attcert_status status = projection_enclosure(e->q, layer->query_weight, layer->query_bias, x->data, shape, err);
  //@ assert blocks_early: \forall char *b; outside_projections{Pre}(b, e, err) ==> block_same{Pre, Here}(b);
  //@ assert lives_early: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert shape_early: same_shape{Pre, Here}(e) && same_arrays{Pre, Here}(e);
  if (status != ATTCERT_OK) return status;
  /*@ assert layer: layer->dim == \at(layer->dim, Pre) && layer->heads == \at(layer->heads, Pre) &&
        layer->head_dim == \at(layer->head_dim, Pre) && layer->out_dim == \at(layer->out_dim, Pre); */
  //@ assert input: x->rows == \at(x->rows, Pre) && x->cols == \at(x->cols, Pre);
  //@ assert given: shape_given(*shape, layer, x) && sides_given(e, layer, x);
  //@ assert size: vectors_size(e) == vectors_size{Pre}(e) && width(layer) == width{Pre}(layer);
  //@ assert tokens: entries_same{Pre, Here}(x->data, row(x->rows, x->cols));
  //@ assert finite: tokens_given(x);
  /*@ assert queries: \forall rvec y; is_layer_projection{Pre}(y, layer->query_weight, layer->query_bias, layer, x) ==>
        in_vec(e->q, y, 0, vectors_size{Pre}(e)); */
  //@ assert same_key: entries_same{Pre, Here}(layer->key_weight, row(width(layer), layer->dim));
  //@ assert finite_key: finite_entries(layer->key_weight, row(width(layer), layer->dim));
  //@ assert bias_key: layer->key_bias == \null || entries_same{Pre, Here}(layer->key_bias, width(layer));
  //@ assert biases_key: biases_given(layer, layer->key_bias);
  //@ assert stack_key: stack_given(layer, layer->key_weight);
  /*@ assert projection_key: \forall rvec y;
        is_layer_projection{Pre}(y, layer->key_weight, layer->key_bias, layer, x) ==>
        is_layer_projection(y, layer->key_weight, layer->key_bias, layer, x); */
  //@ assert live_key: live_vec(e->k, vectors_size(e));
  //@ assert same_value: entries_same{Pre, Here}(layer->value_weight, row(width(layer), layer->dim));
  //@ assert finite_value: finite_entries(layer->value_weight, row(width(layer), layer->dim));
  //@ assert stack_value: stack_given(layer, layer->value_weight);
  /*@ assert projection_value: \forall rvec y;
        is_layer_projection{Pre}(y, layer->value_weight, \null, layer, x) ==>
        is_layer_projection(y, layer->value_weight, \null, layer, x); */
  //@ assert live_value: live_vec(e->v, vectors_size(e));
  const attcert_status rest = project_keys(e, layer, x, shape, err);
  //@ assert blocks_end: \forall char *b; outside_projections{Pre}(b, e, err) ==> block_same{Pre, Here}(b);
  //@ assert lives_end: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert shape_end: same_shape{Pre, Here}(e) && same_arrays{Pre, Here}(e);
  return rest;
}

attcert_status layer_enclosure_project(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                       int threads, attcert_error *err) {
  const projection_shape shape = {e->n, e->dim, e->heads, e->head_dim, e->precision, threads};
  return project_all(e, layer, x, &shape, err);
}
