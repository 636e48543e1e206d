/* The attention layer in MPFR intervals: every quantity of the forward pass at X, enclosed.
 *
 *   q_i = Q x_i + b_Q,  k_j = K x_j + b_K,  v_j = V x_j  (b_V cancels in the Jacobian),
 *   s_ij = q_i . k_j / sqrt(k),  P_i = softmax(s_i) over N(i),  y_i = sum_j P_ij v_j.
 *
 * The softmax row is shifted by its maximum, so nothing overflows; MPFR's exponent range keeps exp(-1e9) a number. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_LAYER_ENCLOSURE_H
#define ATTCERT_CERTIFY_ENCLOSURE_LAYER_ENCLOSURE_H

#include "attcert.h"
#include "interval/interval.h"

typedef struct {
  int n, dim, heads, head_dim;
  attcert_mask mask;
  mpfr_prec_t precision;
  interval *q, *k, *v, *y; /* [H][n][k]: entry layer_enclosure_vec(e, h, i) + r */
  interval *p;             /* [H][n][n]: entry layer_enclosure_row(e, h, i) + j; [0, 0] outside N(i) */
} layer_enclosure;

#ifdef __FRAMAC__
#include <gmp.h>

#include "interval/interval_vec.h"

#include "interval/interval_layer.acsl"
#include "interval/interval_layer_input.acsl"
#include "layer/checked_layer.acsl"
#endif

/* Where token i of head h begins in q, k, v and y, and in p. */
/*@ requires valid: \valid_read(e) && enclosure_sides(e);
    requires token: 0 <= h < e->heads && 0 <= i < e->n;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(token_index(e, h, i), e->head_dim);
    ensures range: \result + e->head_dim <= vectors_size(e) <= SIZE_MAX; */
size_t layer_enclosure_vec(const layer_enclosure *e, int h, int i);

/*@ requires valid: \valid_read(e) && enclosure_sides(e);
    requires token: 0 <= h < e->heads && 0 <= i < e->n;
    terminates \true;
    assigns \nothing;
    ensures result: \result == row(token_index(e, h, i), e->n);
    ensures range: \result + e->n <= rows_size(e) <= SIZE_MAX; */
size_t layer_enclosure_row(const layer_enclosure *e, int h, int i);

/* root contains sqrt(k). */
/*@ requires valid: \valid(root) && \valid_read(e) && \separated(root, e);
    requires live: live(root);
    requires side: side(e->head_dim);
    terminates \true;
    assigns *root;
    ensures contains: in(root, rroot(e->head_dim)); */
void layer_enclosure_root(interval *root, const layer_enclosure *e);

/* deviation contains component r of v_j - y_i, for j in N(i): [0, 0] where i attends to itself alone, as y_i = v_i
 * then. */
/*@ requires valid: enclosure_sides(e) && enclosure_readable(e) && \valid(deviation) && live(deviation);
    requires token: 0 <= h < e->heads && 0 <= i < e->n && 0 <= j < attended_keys(e->mask, i, e->n);
    requires component: 0 <= r < e->head_dim;
    requires apart: \separated(deviation, e) && \separated(deviation, e->v + (0 .. vectors_size(e) - 1)) &&
      \separated(deviation, e->y + (0 .. vectors_size(e) - 1));
    terminates \true;
    assigns *deviation;
    ensures member: \forall real v, y; in{Pre}(\at(e->v + (row(token_index(e, h, j), e->head_dim) + r), Pre), v) ==>
      in{Pre}(\at(e->y + (row(token_index(e, h, i), e->head_dim) + r), Pre), y) ==>
      (\at(attended_keys(e->mask, i, e->n), Pre) == 1 ==> vanishes(v - y)) ==> in(deviation, v - y);
    ensures contains: \forall rvec q, k, v; projections_in{Pre}(e, q, k, v) ==> row_encloses{Pre}(e, q, k, v, h, i) ==>
      in(deviation, entry(v, \at(row(token_index(e, h, j), e->head_dim), Pre) + r) -
                    entry(row_mean{Pre}(e, q, k, v, h, i), r)); */
void layer_enclosure_deviation(interval *deviation, const layer_enclosure *e, int h, int i, int j, size_t r);

/* Bytes that layer_enclosure_init will take. */
uint64_t layer_enclosure_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

/* Evaluates the layer at x on `threads` threads; both as attcert_layer_check leaves them. Errors: ATTCERT_RESOURCE when
 * memory runs out. The arrays lie where layer_room says (certify/enclosure/layer_enclosure_memory.h). */
/*@ requires valid: \valid(e) && (err == \null || \valid(err)) && layer_given(layer, x);
    requires checked: checked_layer(layer, x);
    requires precision: 1 <= precision <= MPFR_PREC_MAX;
    requires apart: \separated(e, layer, x, err);
    requires outside: input_outside(e, layer, x, err);
    terminates \true;
    assigns *e, *err, mpfr_lives, mpz_lives, layer_room(0)[0 .. layer_vectors(layer, x) - 1],
      layer_room(1)[0 .. layer_vectors(layer, x) - 1], layer_room(2)[0 .. layer_vectors(layer, x) - 1],
      layer_room(3)[0 .. layer_vectors(layer, x) - 1], layer_room(4)[0 .. layer_rows(layer, x) - 1];
    ensures shape: \result == ATTCERT_OK ==> has_shape{Pre, Post}(e, layer, x, precision);
    ensures room: \result == ATTCERT_OK ==> in_layer_room{Pre, Post}(e);
    ensures sides: \result == ATTCERT_OK ==> enclosure_sides(e);
    ensures writable: \result == ATTCERT_OK ==> enclosure_writable(e);
    ensures lives: \result == ATTCERT_OK ==> same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures encloses: \result == ATTCERT_OK ==> layer_encloses(e);
    ensures query: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->query_weight, layer->query_bias, layer, x) ==>
      in_vec(e->q, y, 0, vectors_size(e));
    ensures key: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->key_weight, layer->key_bias, layer, x) ==>
      in_vec(e->k, y, 0, vectors_size(e));
    ensures value: \result == ATTCERT_OK ==> \forall rvec y;
      is_layer_projection{Pre}(y, layer->value_weight, \null, layer, x) ==> in_vec(e->v, y, 0, vectors_size(e)); */
attcert_status layer_enclosure_init(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                    mpfr_prec_t precision, int threads, attcert_error *err);

/* e: what layer_enclosure_init left, or zero. */
/*@ requires valid: \valid(e);
    terminates \true;
    assigns *e, mpfr_lives;
    ensures others: \forall mpfr_srcptr a; outside_blocks{Pre}(e, a) ==> same_life{Pre, Post}(a); */
void layer_enclosure_clear(layer_enclosure *e);

#endif
