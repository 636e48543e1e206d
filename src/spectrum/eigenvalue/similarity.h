/* A certified similarity. For an exact X (k x k) and a Z near X^-1,
 *   G = I - Z X with max_i sum_j |G_ij| = g < 1   makes X nonsingular (Neumann), X^-1 = (I - G)^-1 Z, so that
 *   S = X^-1 M X = (I - G)^-1 C,  C = Z M X,  |S - C|_ij <= sum_(m >= 1) (|G|^m |C|)_ij <= g_i / (1 - g) max_l |C_lj|
 * with g_i the sum of row i of |G| (S. Miyajima, Numer. Algorithms 67 (2014), has bounds of this kind). S has exactly
 * the eigenvalues of M, whatever X: a good one makes S nearly diagonal.
 *
 * X is real: a column each for a proposed real eigenvector, and the real and imaginary parts u, v of one of each pair
 * of conjugate ones. With T = [1 1; i -i] on the columns of such a pair, T^-1 S T is the matrix in the eigenvectors
 * themselves, u + iv and u - iv; it is what is enclosed. */
#ifndef ATTCERT_SPECTRUM_EIGENVALUE_SIMILARITY_H
#define ATTCERT_SPECTRUM_EIGENVALUE_SIMILARITY_H

#include "attcert.h"
#include "interval/interval_vec.h"

typedef struct {
  size_t size;                /* k */
  interval *matrix;           /* M, k x k */
  point *basis;               /* X^T: row j is column j of X */
  point *inverse;             /* Z */
  point *work, *saved;        /* k x k numbers of scratch; a basis to return to */
  interval *image;            /* (M X)^T */
  interval *real, *imaginary; /* T^-1 S T */
  mpfr_ptr row, column;       /* g_i, max_l |C_lj| */
  size_t *order;              /* scratch of k indices */
  bool *first;                /* columns j and j + 1 of X are the parts of a pair's eigenvector */
} spectrum_similarity;

/* Zeros, but for M = matrix (k x k, row-major), which is copied. Errors: ATTCERT_RESOURCE. */
attcert_status spectrum_similarity_init(spectrum_similarity *s, const interval *matrix, size_t size,
                                        attcert_error *err);
void spectrum_similarity_clear(spectrum_similarity *s);

/* Computes Z of the basis, and encloses T^-1 S T. False, and nothing is claimed, where X is singular or Z not near
 * enough to X^-1 (g < 1/2). */
bool spectrum_similarity_enclose(spectrum_similarity *s);

/* Keeps a copy of the basis; takes it back. */
void spectrum_similarity_save(spectrum_similarity *s);
void spectrum_similarity_restore(spectrum_similarity *s);

#endif
