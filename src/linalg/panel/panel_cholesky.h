/* Cholesky factorisation of a matrix in panels that measures its own residual on the way.
 *
 * A panel is factored when the products of all earlier ones are subtracted from it. What the panel then holds,
 * C_ij = fl(M_ij - L_i1 L_j1^T - ... - L_i,j-1 L_j,j-1^T), is also what the residual of M - L L^T needs:
 * R_ij = C_ij - L_ij L_jj^T is one small product away, so that factor and residual together cost the N^3 / 3
 * flops of the factor alone. Nothing is assumed of LAPACK's square factor L_jj or of the triangular solve: R is
 * what it is for the L that they left.
 *
 * Right-looking within a window of panels, left-looking across windows: each entry undergoes the same operations in
 * the same order whatever the windows and however many processes share the panels, so L and R~ are the same to the
 * last bit. ScaLAPACK's factorisation would not give R~. Its two-dimensional distribution saves messages; here a
 * process receives every panel once, N^2 / 2 numbers against N^3 / (3 processes) flops, a share of 3
 * processes / (2 N) numbers a flop. */
#ifndef ATTCERT_LINALG_PANEL_PANEL_CHOLESKY_H
#define ATTCERT_LINALG_PANEL_PANEL_CHOLESKY_H

#include "linalg/panel/panel_store.h"

/* Bytes of the tiles that a factorisation on so many threads works on, with its sums. */
uint64_t panel_cholesky_bytes(const panels *shape, int threads);

/* How far a factorisation is, in multiply-adds of this process. */
typedef struct {
  double done, total;
} panel_progress;

panel_progress panel_cholesky_progress_start(const panels *a);

enum { PANEL_CHOLESKY_DONE = -1 };

/* The panels of the store's window: M -> L in place, zeros above the diagonal of the squares; the panels before it
 * are factored. Adds to row_sum[n] what the window gives to the row sums of |R~|, R~ computed with one rounding a
 * panel beyond those of the products, mirrored from its lower triangle; every process gets all of it. *failed:
 * PANEL_CHOLESKY_DONE, or the column of a square that is not positive definite; row_sum and what comes after that
 * column then hold nothing of use. Errors: ATTCERT_RESOURCE; all processes return the same. */
attcert_status panel_cholesky(int *failed, const panel_store *s, double *row_sum, panel_progress *progress,
                              const attcert_options *options, attcert_error *err);

/* After a failure at `column` = c: w[n] with w^T M w = m_cc - l_c^T l_c, the pivot that is not positive, as far as
 * LAPACK and the roundings go: w = (-L^-T l_c, 1, 0), L the rows before c and l_c^T row c. Uncertified. Collective.
 * Errors: ATTCERT_RESOURCE. */
attcert_status panel_cholesky_curvature(double *w, const panel_store *s, int column, attcert_error *err);

#endif
