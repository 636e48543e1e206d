/* Cholesky factorisation in integers, with its remainder: for a symmetric matrix G and a shift t,
 *   t I - G = L L^T + R,  exactly.
 * Column by column (Golub, Van Loan, Matrix Computations, 4th ed., section 4.2); the entries: integer_cholesky_row.h.
 * The sums of the elimination are those of the residual, which costs nothing more. As L L^T is positive semidefinite,
 *   lambda_max(G) <= t + ||R||_2 <= t + ||R||_F      (Coq: `integer_cholesky`, in the numbers kept here). */
#ifndef ATTCERT_INTEGER_CHOLESKY_H
#define ATTCERT_INTEGER_CHOLESKY_H

#include "linalg/integer_cholesky_row.h"

typedef struct {
  fixed_matrix l;  /* n x n, lower triangle */
  mpfr_t *squares; /* [n]: squares of row i of R's lower triangle, twice beside the diagonal, upward */
  size_t failed;   /* the column whose pivot is not positive; n: none, or another failure */
} integer_cholesky;

/* Room for a factor of side n whose entries have `digits` digits; false when memory runs out. */
bool integer_cholesky_init(integer_cholesky *f, size_t n, size_t digits);
void integer_cholesky_clear(integer_cholesky *f);

/* residual >= ||R||_F for G with the lower triangle g: (i, j), j <= i, is integer (i (i + 1) / 2 + j, 0).
 * Returns false when a pivot is not positive or an entry of L has more digits than there is room for: t I - G is
 * then not known to be positive. */
bool integer_cholesky_residual(mpfr_ptr residual, integer_cholesky *f, const fixed_matrix *g, mpz_srcptr t,
                               int threads);

/* After a pivot that is not positive, in column c: w[n] with w^T (t I - G) w about that pivot, c_cc <= 0:
 * w = (-L^-T l_c, 1, 0), L the rows before c and l_c^T row c, in double. False where there was none. Uncertified. */
bool integer_cholesky_curvature(double *w, const integer_cholesky *f);

#endif
