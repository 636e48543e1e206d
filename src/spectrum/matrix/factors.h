/* A head's W = Q^T K as a product of two narrow matrices of exact numbers.
 *
 * W (d x d) has rank at most s = min(k, d). With L and R of s rows, B = L R^T is
 *   k <= d:  L = K, R = Q, B = K Q^T (k x k);   tr(W^j) = tr(B^j) for j >= 1, as tr(A C) = tr(C A), and
 *            det(z I_d - Q^T K) = z^(d - k) det(z I_k - K Q^T) (Sylvester's determinant theorem): B has W's
 *            eigenvalues with their multiplicities, but for d - k times 0;
 *   k > d:   L = Q^T, R = K^T, B = W itself. */
#ifndef ATTCERT_SPECTRUM_MATRIX_FACTORS_H
#define ATTCERT_SPECTRUM_MATRIX_FACTORS_H

#include "attcert.h"
#include "interval/interval_vec.h"

typedef struct {
  int side, length, dim; /* s; d where k <= d, else k; d */
  bool thin;             /* k <= d */
  point *left, *right;   /* L and R, s x length */
} spectrum_factors;

/* Head h of the layer. gain (d numbers; NULL: none): of a LayerNorm before the layer, folded into W,
 * diag(gain) Q^T K diag(gain). Errors: ATTCERT_RESOURCE. */
attcert_status spectrum_factors_init(spectrum_factors *f, const attcert_layer *layer, int h, const double *gain,
                                     attcert_error *err);
void spectrum_factors_clear(spectrum_factors *f);

/* product[i][j], s x s, contains row i of a times row j of b, factors of s x length; at the product's precision. */
void spectrum_factors_product(interval *product, const spectrum_factors *f, const point *a, const point *b);

#endif
