/* The Gram matrix J~ J~^T of a factored Jacobian from its block structure: the explicit J~ (N^2 d / k numbers, N^2 n d
 * flops) is never formed. Block (i, i') of heads h, h' is, by expanding sum_l J~_il J~'_i'l^T,
 *     (P_i . P'_i') V V'^T + (V g'_i') (sum_l P_il w'_i'l)^T + (sum_l w_il P'_i'l) (V' g_i)^T
 *     + (g_i . g'_i') sum_l w_il w'_i'l^T + P_ii' V F'_i'^T + w_ii' (F'_i' g_i)^T + P'_i'i F_i V'^T
 *     + (F_i g'_i') w'_i'i^T + delta_ii' F_i F'_i^T,
 * F_i = C_i Q' multiplied from the right: (V Q'^T) C'^T, C' (Q' g), C (Q Q'^T) C'^T. That is
 * O(n^3 (H k)^2 + n H^2 k^3 + (n^2 H + H k^2 + n H k) H d) flops in all, then W' on both sides.
 *
 * Blocks are computed in tiles of a few token rows and columns, always the same: a tile costs nothing when its rows are
 * not wanted, and is the same to the last bit whichever others are. */
#ifndef ATTCERT_CERTIFY_JACOBIAN_BLOCK_GRAM_H
#define ATTCERT_CERTIFY_JACOBIAN_BLOCK_GRAM_H

#include "base/process_group.h"
#include "certify/jacobian/block_gram_tile.h"
#include "linalg/panel/panels.h"

/* Side of the Gram matrix: n out_dim. */
int block_gram_side(const factored_jacobian *m);

/* Bytes of scratch beside the matrix itself. */
uint64_t block_gram_bytes(const attcert_layer *layer, int n);

/* m must outlive it. Errors: ATTCERT_RESOURCE. */
attcert_status block_gram_init(block_gram *t, const factored_jacobian *m, attcert_error *err);
void block_gram_clear(block_gram *t);

/* Computes the wanted blocks, and remembers their norms. Errors: ATTCERT_RESOURCE. */
attcert_status block_gram_blocks(block_gram *t, const gram_blocks *blocks, const attcert_options *options,
                                 attcert_error *err);

/* The blocks that reach into the panels in memory, of a matrix of side block_gram_side. */
attcert_status block_gram_fill(block_gram *t, const panels *lower, const attcert_options *options, attcert_error *err);

/* Puts together the norms of blocks that processes computed for the panels they own: collective. */
void block_gram_share(block_gram *t, const attcert_process_group *group);

/* *error >= ||G~ - J~ J~^T||_2, once every block has been computed. absolute: that of jacobian_errors.h.
 *
 * Rounding errors, E denoting each computed minus exact. The concatenated heads' block B_ii' sums products of inner
 * products of length n and d, with one or two of length k behind those of F: |E| <= gamma_{n+d+2k+12} J^ J^^T
 * entrywise, J^ >= |J~| (structured_jacobian.h). The two products with W', of inner length w = H k, add at most gamma_w
 * |B| |W'|^T, then gamma_w |W'| |fl(B W'^T)|, where fl(B W'^T) is B W'^T and that first error: block (i, i') of both
 * together has a Frobenius norm of at most
 *     gamma_w ||W'||_F ||B_ii'||_F (2 ||W'||_2 + gamma_w ||W'||_F)      (Coq: `output_products`).
 * A diagonal block is made symmetric, one more rounding. All that is below 2 gamma_{2w+2} ||W'||_F ||W'||_2 ||B_ii'||_F
 * as long as gamma_w ||W'||_F <= ||W'||_2 / 2, which gamma_w w^{1/2} <= 1/2 implies: for w < 2^34 (Coq:
 * `output_constant`). A symmetric matrix's norm is at most that of the matrix of its blocks' norms, so
 *   error = gamma_{n+d+2k+12} ||W'||_2^2 ||J^||_2^2 + 2 gamma_{2w+2} ||W'||_F ||W'||_2 || ( ||B_ii'||_F )_ii' ||_2. */
attcert_status block_gram_error(double *error, block_gram *t, double absolute, attcert_error *err);

/* All of it at once: each block goes its way (all must be wanted), then the error. Errors: ATTCERT_RESOURCE. */
attcert_status block_gram_once(double *error, const gram_blocks *blocks, const factored_jacobian *m, double absolute,
                               const attcert_options *options, attcert_error *err);

#endif
