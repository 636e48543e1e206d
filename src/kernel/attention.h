/* Self-attention in plain double, the reference implementation: the map of attcert_layer,
 *
 *   f(X)_i = W_O [y_i^1; ...; y_i^H] + b_O,  y_i^h = sum_j P_ij^h v_j^h,
 *   P_i^h = softmax_{j in N(i)}(q_i^h . k_j^h / sqrt(k)),
 *
 * with N(i) = {0 .. n-1}, or {0 .. i} under the causal mask, and its Jacobian J = (I_n (x) W_O) [J^1; ...; J^H].
 * Nothing here allocates: the caller brings the storage and the scratch. Every operation rounds once to nearest; nothing
 * is certified here, the interval layer is. Arrays handed to one call do not overlap. */
#ifndef ATTCERT_ATTENTION_H
#define ATTCERT_ATTENTION_H

#include "attcert.h"
#include "kernel/attention_head.h"

/* Doubles of scratch that attention_forward needs for n tokens. */
size_t attention_forward_scratch(const attcert_layer *layer, int n);

/* out (n x out_dim) = f(x), x is n x dim. */
void attention_forward(double *out, const attcert_layer *layer, const double *x, int n, double *scratch);

/* The forward pass of all heads at one X, kept for the Jacobian. */
typedef struct {
  const attcert_layer *layer;
  int n;
  double *storage; /* attention_state_size doubles */
} attention_state;

size_t attention_state_size(const attcert_layer *layer, int n);

/* Evaluates the layer at x (n x dim); layer and storage must outlive the state. */
void attention_state_init(attention_state *state, const attcert_layer *layer, const double *x, int n, double *storage);
attention_head attention_state_head(const attention_state *state, int h);

/* The explicit Jacobian at X, (n out_dim) x (n dim): entry (i out_dim + r, l dim + c) is d f(X)_ir / d x_lc. */
size_t attention_jacobian_scratch(const attention_state *state);
void attention_jacobian(double *jacobian, const attention_state *state, double *scratch);

/* Doubles of scratch that attention_jvp and attention_vjp need. */
size_t attention_product_scratch(const attention_state *state);

/* dy (n x out_dim) = J dx, dx is n x dim. */
void attention_jvp(double *dy, const attention_state *state, const double *dx, double *scratch);

/* dx (n x dim) = J^T c, c is n x out_dim. */
void attention_vjp(double *dx, const attention_state *state, const double *c, double *scratch);

#endif
