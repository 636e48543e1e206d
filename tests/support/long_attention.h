/* Attention and LayerNorm written a second time from their definitions, entry by entry in long double, without any code
 * of the library: what the kernel is compared with. */
#ifndef ATTCERT_TESTS_SUPPORT_LONG_ATTENTION_H
#define ATTCERT_TESTS_SUPPORT_LONG_ATTENTION_H

#include "attcert.h"

/* P_ij of head h, 0 outside N(i); x is n x dim. */
long double long_attention_weight(const attcert_layer *layer, const long double *x, int n, int h, int i, int j);

/* out (n x out_dim) = f(x). */
void long_attention(long double *out, const attcert_layer *layer, const long double *x, int n);

/* out = LN(x) for one token of dimension d. */
void long_layernorm(long double *out, const long double *x, const double *gamma, const double *beta, double eps, int d);

#endif
