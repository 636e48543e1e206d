/* Cross-attention: queries of tokens X (n x d), keys and values of the tokens Z of a context (m x d_z),
 *   f(X, Z)_i = W_O [y_i^1; ...; y_i^H] + b_O,   y_i^h = sum_j P_ij v_j,   P = softmax(q k^T / sqrt(divided_by)),
 *   q_i = Q x_i + b_Q,   k_j = K z_j + b_K,   v_j = V z_j + b_V,
 * and which of both its derivative is by: D_X f, D_Z f, or [D_X f, D_Z f] (A. Vaswani et al., Attention is all you
 * need, NeurIPS 2017, section 3.2.3). */
#ifndef ATTCERT_MODEL_CROSS_ATTENTION_H
#define ATTCERT_MODEL_CROSS_ATTENTION_H

#include "network/network.h"

typedef enum { CROSS_QUERIES, CROSS_CONTEXT, CROSS_BOTH, CROSS_WAYS } cross_by;

/* "queries", "context", "both"; NULL beyond the last one. */
extern const char *const cross_by_names[CROSS_WAYS + 1];

/* What the derivative is, as reports write its norm: "||D_X f||_2", ... */
extern const char *const cross_by_norms[CROSS_WAYS];

/* What it is by, in words: "the tokens X that ask", ... */
extern const char *const cross_by_texts[CROSS_WAYS];

typedef struct {
  attcert_layer layer; /* but for keys and values: their weights are [H k, context_dim]; no mask */
  int context_dim;
  double divided_by; /* > 0: k, or what else the scores are divided by the root of */
} cross_attention;

/* Zeros, whose scores are divided by sqrt(k); as attcert_layer_init, and cross_attention_clear is due. */
attcert_status cross_attention_init(cross_attention *c, int dim, int context_dim, int heads, int head_dim, int out_dim,
                                    bool biases, attcert_error *err);
void cross_attention_clear(cross_attention *c);

/* The steps from one input, *moving (cleared by the caller in every case): X, or Z, while the other one is constant, or
 * the rows of X, then those of Z, of max(d, d_z) entries, zeros behind their own, which nothing reads. The weights stay
 * c's. Errors: ATTCERT_INPUT (sides that do not fit, a number that is not finite), ATTCERT_RESOURCE. network_clear is
 * due in every case. */
attcert_status cross_attention_open(network_steps *network, attcert_matrix *moving, const cross_attention *c,
                                    cross_by by, const attcert_matrix *x, const attcert_matrix *context,
                                    attcert_error *err);

#endif
