/* The attention layer in MPFR intervals: every quantity of the forward pass at X, enclosed.
 *
 *   q_i = Q x_i + b_Q,  k_j = K x_j + b_K,  v_j = V x_j  (b_V cancels in the Jacobian),
 *   s_ij = q_i . k_j / sqrt(k),  P_i = softmax(s_i) over N(i),  y_i = sum_j P_ij v_j.
 *
 * The softmax row is shifted by its maximum, so nothing overflows; MPFR's exponent range keeps exp(-1e9) a number. */
#ifndef ATTCERT_LAYER_ENCLOSURE_H
#define ATTCERT_LAYER_ENCLOSURE_H

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
#include "interval/interval_vec.h"

#include "interval/interval_layer.acsl"
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
void layer_enclosure_deviation(interval *deviation, const layer_enclosure *e, int h, int i, int j, size_t r);

/* Bytes that layer_enclosure_init will take. */
uint64_t layer_enclosure_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

/* Evaluates the layer at x on `threads` threads. Errors: ATTCERT_RESOURCE when memory runs out. */
attcert_status layer_enclosure_init(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                    mpfr_prec_t precision, int threads, attcert_error *err);
void layer_enclosure_clear(layer_enclosure *e);

#endif
