/* The Gram matrix J~ J~^T of a midpoint layer from its block structure: the explicit J~ (N^2 d / k numbers, N^2 n d flops) is
 * never formed. Block (i, i') of heads h, h' is, by expanding sum_l J~_il J~'_i'l^T,
 *     (P_i . P'_i') V V'^T + (V g'_i') (sum_l P_il w'_i'l)^T + (sum_l w_il P'_i'l) (V' g_i)^T + (g_i . g'_i') sum_l w_il w'_i'l^T
 *     + P_ii' V F'_i'^T + w_ii' (F'_i' g_i)^T + P'_i'i F_i V'^T + (F_i g'_i') w'_i'i^T + delta_ii' F_i F'_i^T,
 * O(n^3 (H k)^2 + n (H k)^2 d) flops in all, then W' on both sides. */
#ifndef ATTCERT_STRUCTURED_GRAM_H
#define ATTCERT_STRUCTURED_GRAM_H

#include "certify/midpoint_layer.h"
#include "certify/panels.h"

/* Side of the Gram matrix: n out_dim. */
int structured_gram_side(const midpoint_layer *m);

/* Bytes of scratch beside the matrix itself. */
uint64_t structured_gram_bytes(const attcert_layer *layer, int n);

/* What becomes of the blocks of G~: block (row, column), row <= column, of out_dim x out_dim doubles, is computed where `place`
 * says, in rows *stride apart; then `take` hears of it. Blocks come column by column, rows from 0. */
typedef struct {
  double *(*place)(void *context, int row, int column, int *stride);
  void (*take)(void *context, int row, int column, const double *block, int stride);
  void *context;
} gram_blocks;

/* G~ block by block, and *error >= ||G~ - J~ J~^T||_2. Needs midpoint_layer_diagonal.
 *
 * Rounding errors, E denoting each computed minus exact. The concatenated heads' block C_ii' sums products of inner products
 * of length n and d: |E| <= gamma_{n+d+12} J^ J^^T entrywise, J^ >= |J~| (structured_jacobian.h). The two products with W',
 * of inner length w = H k, add at most gamma_w |C| |W'|^T, then gamma_w |W'| |fl(C W'^T)|; block (i, i') of both together has
 * a Frobenius norm of at most 2 gamma_{2w+2} ||W'||_F ||W'||_2 ||C_ii'||_F (a diagonal block is made symmetric, one more
 * rounding). A symmetric matrix's norm is at most that of the matrix of its blocks' norms, so
 *   error = gamma_{n+d+12} ||W'||_2^2 ||J^||_2^2 + 2 gamma_{2w+2} ||W'||_F ||W'||_2 || ( ||C_ii'||_F )_ii' ||_2. */
attcert_status structured_gram_blocks(const gram_blocks *blocks, double *error, const midpoint_layer *m,
                                      const attcert_options *options, attcert_error *err);

/* The same, into the panels of a matrix of side structured_gram_side. */
attcert_status structured_gram(const panels *lower, double *error, const midpoint_layer *m,
                               const attcert_options *options, attcert_error *err);

#endif
