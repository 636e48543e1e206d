#include "certify/enclosure/layer_enclosure.h"

#include "certify/enclosure/layer_enclosure_memory.h"
#include "certify/enclosure/layer_enclosure_projections.h"
#include "certify/enclosure/layer_enclosure_rows.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "kernel/row/attended_keys.h"

#ifdef __FRAMAC__
#include "interval/interval_life_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"
#include "projection/interval_projection_same_lemmas.acsl"
#endif

/* Token i of head h, among the tokens of all heads. */
/*@ requires valid: \valid_read(e) && enclosure_sides(e);
    requires token: 0 <= h < e->heads && 0 <= i < e->n;
    terminates \true;
    assigns \nothing;
    ensures result: \result == token_index(e, h, i);
    ensures range: 0 <= \result < all_tokens(e) <= DIM_MAX * DIM_MAX; */
static size_t token_of_head(const layer_enclosure *e, int h, int i) {
  //@ assert head: row(h, e->n) == h * e->n && row(e->heads, e->n) == e->heads * e->n;
  //@ assert inside: 0 <= row(h, e->n) && row(h, e->n) + e->n <= row(e->heads, e->n);
  //@ assert bound: e->heads * e->n <= DIM_MAX * DIM_MAX;
  return (size_t)h * (size_t)e->n + (size_t)i;
}

size_t layer_enclosure_vec(const layer_enclosure *e, int h, int i) {
  const size_t token = token_of_head(e, h, i);
  //@ assert inside: row(token, e->head_dim) + e->head_dim <= row(all_tokens(e), e->head_dim);
  //@ assert rows: row(token, e->head_dim) == token * e->head_dim && 0 <= token * e->head_dim;
  //@ assert all: row(all_tokens(e), e->head_dim) == all_tokens(e) * e->head_dim;
  //@ assert bound: all_tokens(e) * e->head_dim <= DIM_MAX * DIM_MAX * DIM_MAX;
  return token * (size_t)e->head_dim;
}

size_t layer_enclosure_row(const layer_enclosure *e, int h, int i) {
  const size_t token = token_of_head(e, h, i);
  //@ assert inside: row(token, e->n) + e->n <= row(all_tokens(e), e->n);
  //@ assert rows: row(token, e->n) == token * e->n && 0 <= token * e->n;
  //@ assert all: row(all_tokens(e), e->n) == all_tokens(e) * e->n;
  //@ assert bound: all_tokens(e) * e->n <= DIM_MAX * DIM_MAX * DIM_MAX;
  return token * (size_t)e->n;
}

void layer_enclosure_root(interval *root, const layer_enclosure *e) {
  interval_set_si(root, e->head_dim);
  interval_sqrt(root, root);
}

void layer_enclosure_deviation(interval *deviation, const layer_enclosure *e, int h, int i, int j, size_t r) {
  const int attended = attended_keys(e->mask, i, e->n);
  const interval *const value = &e->v[layer_enclosure_vec(e, h, j) + r], *const mean =
                                                                             &e->y[layer_enclosure_vec(e, h, i) + r];
  /*@ assert single: attended == 1 ==> \forall rvec s, v;
        entry(real_mean(real_weights(s, 1), head_of(v, e, h), e->head_dim, 1), r) ==
        entry(v, row(row(h, e->n), e->head_dim) + r); */
  //@ assert first: attended == 1 ==> token_index(e, h, j) == row(h, e->n);
  /*@ assert alone: attended == 1 ==> \forall rvec q, k, v; entry(row_mean(e, q, k, v, h, i), r) ==
        entry(v, row(token_index(e, h, j), e->head_dim) + r); */
  //@ assert value: value == e->v + (row(token_index(e, h, j), e->head_dim) + r) && live(value);
  //@ assert mean: mean == e->y + (row(token_index(e, h, i), e->head_dim) + r) && live(mean);
  //@ assert inside: 0 <= row(token_index(e, h, j), e->head_dim) + r < vectors_size(e);
  /*@ assert values: \forall rvec v; in_vec(e->v, v, 0, vectors_size(e)) ==>
        in(value, entry(v, row(token_index(e, h, j), e->head_dim) + r)); */
  /*@ assert mean_row: \forall rvec m; in_vec(e->y + row(token_index(e, h, i), e->head_dim), m, 0, e->head_dim) ==>
        in(mean, entry(m, r)); */
  /*@ assert means: \forall rvec q, k, v; row_encloses(e, q, k, v, h, i) ==>
        in(mean, entry(row_mean(e, q, k, v, h, i), r)); */
  if (attended == 1)
    interval_set_zero(deviation);
  else
    interval_sub(deviation, value, mean);
  //@ assert kept_n: e->n == \at(e->n, Pre);
  //@ assert kept_heads: e->heads == \at(e->heads, Pre);
  //@ assert kept_head_dim: e->head_dim == \at(e->head_dim, Pre);
  //@ assert kept_dim: e->dim == \at(e->dim, Pre);
  //@ assert kept_mask: e->mask == \at(e->mask, Pre);
  //@ assert kept_precision: e->precision == \at(e->precision, Pre);
  //@ assert arrays: same_arrays{Pre, Here}(e);
  /*@ assert difference: \forall real v, y; in{Pre}(value, v) ==> in{Pre}(mean, y) ==>
        (attended == 1 ==> vanishes(v - y)) ==> in(deviation, v - y); */
}

/* The layer, in arrays that are there. */
/*@ requires valid: \valid_read(e) && enclosure_sides(e) && enclosure_writable(e);
    requires given: input_given(layer, x) && (err == \null || \valid(err));
    requires shape: shape_of(e, layer, x, e->precision);
    requires apart: \separated(e, layer, x, err);
    requires outside: input_outside(e, layer, x, err);
    requires room: arrays_outside(e, layer, x, err);
    terminates \true;
    assigns e->q[0 .. vectors_size(e) - 1], e->k[0 .. vectors_size(e) - 1], e->v[0 .. vectors_size(e) - 1], *err,
      e->p[0 .. rows_size(e) - 1], e->y[0 .. vectors_size(e) - 1], mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures shape: same_shape{Pre, Post}(e) && same_arrays{Pre, Post}(e);
    ensures writable: enclosure_writable(e);
    ensures encloses: \result == ATTCERT_OK ==> layer_encloses(e);
    ensures query: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->query_weight, layer->query_bias, layer, x) ==>
      in_vec(e->q, y, 0, vectors_size(e));
    ensures key: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->key_weight, layer->key_bias, layer, x) ==>
      in_vec(e->k, y, 0, vectors_size(e));
    ensures value: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->value_weight, \null, layer, x) ==> in_vec(e->v, y, 0, vectors_size(e)); */
static attcert_status evaluate(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x, int threads,
                               attcert_error *err) {
  const attcert_status status = layer_enclosure_project(e, layer, x, threads, err);
  //@ assert shape: same_shape{Pre, Here}(e) && same_arrays{Pre, Here}(e);
  //@ assert sizes: vectors_size(e) == vectors_size{Pre}(e) && rows_size(e) == rows_size{Pre}(e);
  //@ assert lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert live_q: live_vec(e->q, vectors_size(e));
  //@ assert live_k: live_vec(e->k, vectors_size(e));
  //@ assert live_v: live_vec(e->v, vectors_size(e));
  //@ assert live_y: live_vec(e->y, vectors_size(e));
  //@ assert live_p: live_vec(e->p, rows_size(e));
  //@ assert writable: enclosure_writable(e);
  if (status == ATTCERT_OK) layer_enclosure_rows(e, threads);
  return status;
}

attcert_status layer_enclosure_init(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                    mpfr_prec_t precision, int threads, attcert_error *err) {
  //@ assert given: input_given(layer, x);
  attcert_status status = layer_enclosure_allocate(e, layer, x, precision, err);
  if (status != ATTCERT_OK) return status;
  //@ ghost Allocated:;
  //@ assert allocated: has_shape{Pre, Here}(e, layer, x, precision);
  //@ assert rows: row(width(layer), layer->dim) == \at(row(width(layer), layer->dim), Pre);
  //@ assert sides: enclosure_sides(e);
  /*@ assert same_query: \forall rvec y;
        is_layer_projection{Pre}(y, layer->query_weight, layer->query_bias, layer, x) ==>
        is_layer_projection(y, layer->query_weight, layer->query_bias, layer, x); */
  /*@ assert same_key: \forall rvec y;
        is_layer_projection{Pre}(y, layer->key_weight, layer->key_bias, layer, x) ==>
        is_layer_projection(y, layer->key_weight, layer->key_bias, layer, x); */
  /*@ assert same_value: \forall rvec y;
        is_layer_projection{Pre}(y, layer->value_weight, \null, layer, x) ==>
        is_layer_projection(y, layer->value_weight, \null, layer, x); */
  status = evaluate(e, layer, x, threads, err);
  //@ assert lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert shape: status == ATTCERT_OK ==> same_shape{Allocated, Here}(e);
  if (status != ATTCERT_OK) layer_enclosure_clear(e);
  return status;
}
