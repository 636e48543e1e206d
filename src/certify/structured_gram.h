/* The Gram matrix J~ J~^T of a midpoint layer from its block structure: the explicit J~ (N^2 d / k numbers, N^2 n d flops) is
 * never formed. Block (i, i') of heads h, h' is, by expanding sum_l J~_il J~'_i'l^T,
 *     (P_i . P'_i') V V'^T + (V g'_i') (sum_l P_il w'_i'l)^T + (sum_l w_il P'_i'l) (V' g_i)^T + (g_i . g'_i') sum_l w_il w'_i'l^T
 *     + P_ii' V F'_i'^T + w_ii' (F'_i' g_i)^T + P'_i'i F_i V'^T + (F_i g'_i') w'_i'i^T + delta_ii' F_i F'_i^T,
 * O(n^3 (H k)^2 + n (H k)^2 d) flops in all, then W' on both sides. */
#ifndef ATTCERT_STRUCTURED_GRAM_H
#define ATTCERT_STRUCTURED_GRAM_H

#include "certify/midpoint_layer.h"

/* Side of the Gram matrix: n out_dim. */
int structured_gram_side(const midpoint_layer *m);

/* Bytes of scratch beside the matrix itself. */
uint64_t structured_gram_bytes(const attcert_layer *layer, int n);

/* Upper triangle (j >= i) of g (side x side, row-major) := G~. Needs midpoint_layer_diagonal. */
attcert_status structured_gram(double *g, const midpoint_layer *m, const attcert_options *options, attcert_error *err);

/* *bound >= ||G~ - J~ J~^T||_2 for what structured_gram computes. Every entry is a sum of products whose factors are inner
 * products of length n, d or H k: with m roundings on the longest path,
 *     |G~ - G| <= gamma_m (I (x) |W'|) J^ J^^T (I (x) |W'|^T),   J^ >= |J~| entrywise (structured_jacobian.h). */
attcert_status structured_gram_error(double *bound, const midpoint_layer *m, attcert_error *err);

#endif
