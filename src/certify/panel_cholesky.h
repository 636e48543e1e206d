/* Cholesky factorisation of a matrix in panels that measures its own residual on the way.
 *
 * Right-looking: a panel is factored when the products of all earlier ones are subtracted from it. What the panel then holds,
 * C_ij = fl(M_ij - L_i1 L_j1^T - ... - L_i,j-1 L_j,j-1^T), is also what the residual of M - L L^T needs: R_ij = C_ij - L_ij L_jj^T
 * is one small product away, so that factor and residual together cost the N^3 / 3 flops of the factor alone. Nothing is assumed
 * of LAPACK's square factor L_jj or of the triangular solve: R is what it is for the L that they left. */
#ifndef ATTCERT_PANEL_CHOLESKY_H
#define ATTCERT_PANEL_CHOLESKY_H

#include "certify/panels.h"

/* M -> L in place, zeros above the diagonal of the squares; adds to row_sum[n] the row sums of |R~|, R~ computed with one rounding
 * a panel beyond those of the products, mirrored from its lower triangle. False when a square is not positive definite: row_sum
 * and the panels then hold nothing of use. Errors: ATTCERT_RESOURCE. */
attcert_status panel_cholesky(bool *factored, panels *a, double *row_sum, const attcert_options *options,
                              attcert_error *err);

#endif
