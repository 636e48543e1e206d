/* Self-attention in plain double, the reference implementation: the map of attcert_layer,
 *
 *   f(X)_i = W_O [y_i^1; ...; y_i^H] + b_O,   y_i^h = sum_j P_ij^h v_j^h,   P_i^h = softmax_{j in N(i)}(q_i^h . k_j^h / sqrt(k)),
 *
 * with N(i) = {0 .. n-1}, or {0 .. i} under the causal mask. Nothing here allocates: the caller brings the scratch. Every
 * operation rounds once to nearest; nothing is certified here, the interval layer is. */
#ifndef ATTCERT_ATTENTION_H
#define ATTCERT_ATTENTION_H

#include "attcert.h"

/* Doubles of scratch that attention_forward needs for n tokens. */
size_t attention_forward_scratch(const attcert_layer *layer, int n);

/* out (n x out_dim) = f(x), x is n x dim. out, x and scratch do not overlap. */
void attention_forward(double *out, const attcert_layer *layer, const double *x, int n, double *scratch);

#endif
