/* Attention and its Jacobian in plain double through BLAS: what the search for the worst input evaluates
 * thousands of times. Nothing here is certified; the kernel is the reference that it is tested against. For
 * one head, with U a direction,
 *
 *   S = Q K^T / sqrt(k),  P = softmax(S),  dQ = U W_Q^T (dK, dV alike),  dS = (dQ K^T + Q dK^T) / sqrt(k),
 *   J U = P dV + dP V,    dP_ij = P_ij (dS_ij - sum_m P_im dS_im),
 *
 * where W_Q is the layer's query weight. Matrices are row-major; the heads of one token lie side by
 * side, as in attcert_layer. */
#ifndef ATTCERT_SEARCH_WORST_ATTENTION_H
#define ATTCERT_SEARCH_WORST_ATTENTION_H

#include "attcert.h"
#include "linalg/operator/linear_operator.h"

/* Something for every query, key and value: n x H k each. */
typedef struct {
  double *query, *key, *value;
} worst_projections;

typedef struct {
  const attcert_layer *layer;
  int n;
  double root;                 /* sqrt(k) */
  worst_projections at;        /* Q, K, V at X, without b_K and b_V, which nothing below depends on */
  double *weights;             /* [H][n][n]: P, 0 outside N(i) */
  worst_projections along;     /* scratch: dQ, dK, dV along a direction, or cotangents of them */
  worst_projections cotangent; /* scratch of worst_gradient */
  double *channels;            /* scratch: n x H k, outputs of the heads or their cotangents */
  double *square[3];           /* scratch: n x n each */
  double scale;                /* the operator is J / scale; 1 unless the caller sets a power of two */
} worst_attention;

/* Bytes that worst_attention_init allocates. */
uint64_t worst_attention_bytes(const attcert_layer *layer, int n);

/* For inputs of n tokens; the layer must outlive it. Errors: ATTCERT_RESOURCE. */
attcert_status worst_attention_init(worst_attention *a, const attcert_layer *layer, int n, attcert_error *err);
void worst_attention_clear(worst_attention *a);

/* Evaluates the layer at x (n x d). Numbers beyond double leave NaN in what follows. */
void worst_attention_evaluate(worst_attention *a, const double *x);

/* J / scale at the last x evaluated, R^{n d} -> R^{n out_dim}. Its products use a's scratch. */
linear_operator worst_attention_jacobian(const worst_attention *a);

#endif
