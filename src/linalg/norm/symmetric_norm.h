/* Upper bound of the spectral norm of a symmetric double matrix by repeated squaring. */
#ifndef ATTCERT_LINALG_NORM_SYMMETRIC_NORM_H
#define ATTCERT_LINALG_NORM_SYMMETRIC_NORM_H

/* A double >= ||G||_2, G n x n; INFINITY where a number overflows or is NaN. G and scratch (n x n each) are
 * overwritten.
 *
 * ||G||_2^2 = ||G^2||_2 for symmetric G, and ||.||_2 <= ||.||_F ends the recursion after SQUARINGS steps: at most
 * n^(1 / 2^(SQUARINGS + 1)) times the norm. The computed square H of a double matrix G has
 * ||H - G^2||_F <= gamma_n ||G||_F^2, so ||G||_2^2 <= ||H||_2 + gamma_n ||G||_F^2 (Coq: `product_frobenius`,
 * `squared_norm`). */
double symmetric_norm_upper(double *g, double *scratch, int n);

#endif
