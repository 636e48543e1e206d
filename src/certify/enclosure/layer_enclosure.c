#include "certify/enclosure/layer_enclosure.h"

#include "certify/enclosure/layer_enclosure_memory.h"
#include "certify/enclosure/layer_enclosure_projections.h"
#include "certify/enclosure/layer_enclosure_rows.h"
#include "certify/enclosure/token_block.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "kernel/row/attended_keys.h"

#ifdef __FRAMAC__
#include "interval/interval_life_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"
#include "projection/interval_projection_same_lemmas.acsl"
#endif

size_t layer_enclosure_vec(const layer_enclosure *e, int h, int i) {
  return token_block(h, i, e->head_dim, e->heads, e->n);
}

size_t layer_enclosure_row(const layer_enclosure *e, int h, int i) {
  return token_block(h, i, e->n, e->heads, e->n);
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
  status = layer_enclosure_project(e, layer, x, threads, err);
  //@ assert shape_projected: same_shape{Allocated, Here}(e) && same_arrays{Allocated, Here}(e);
  //@ assert sizes: vectors_size(e) == vectors_size{Allocated}(e) && rows_size(e) == rows_size{Allocated}(e);
  //@ assert lives_projected: same_lives{Allocated, Here} && same_mpz_lives{Allocated, Here};
  //@ assert live_q: live_vec(e->q, vectors_size(e));
  //@ assert live_k: live_vec(e->k, vectors_size(e));
  //@ assert live_v: live_vec(e->v, vectors_size(e));
  //@ assert live_y: live_vec(e->y, vectors_size(e));
  //@ assert live_p: live_vec(e->p, rows_size(e));
  //@ assert writable: enclosure_writable(e);
  if (status == ATTCERT_OK) layer_enclosure_rows(e, threads);
  //@ assert room: in_layer_room{Pre, Here}(e);
  //@ assert lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert shape: status == ATTCERT_OK ==> same_shape{Allocated, Here}(e);
  if (status != ATTCERT_OK) layer_enclosure_clear(e);
  return status;
}
