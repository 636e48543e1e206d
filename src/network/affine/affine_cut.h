/* Numbers cut into integers of at most 2^beta, so that sums of products of them are exact in double. */
#ifndef ATTCERT_NETWORK_AFFINE_AFFINE_CUT_H
#define ATTCERT_NETWORK_AFFINE_AFFINE_CUT_H

#include "network/step_enclosure.h"

/* Of a block of rows of x: digit l of entry (i, a) at [l, i, a]. */
typedef struct {
  int rows, inner, digits, beta;
  long *exponent; /* [rows]: f, more than that of any entry */
  double *digit;  /* [digits, rows, inner]: z_l */
  double *missed; /* [rows, inner]: a bound of |tau|; +inf: the entry has none */
} affine_inputs;

/* From row `first` on; the arrays are there. */
void affine_cut_inputs(affine_inputs *to, const step_enclosure *x, int first);

/* Of a block of rows of W. A row whose largest number is beyond 2^+-900 is not cut: all of it is left. */
typedef struct {
  int cols, inner, beta;
  int *exponent; /* [cols]: e, that of the row's largest number */
  double *rest;  /* [cols, inner]: what is left of the weights */
  double *slice; /* [cols, inner]: the last slice, s_k */
  size_t *left;  /* [cols]: how many numbers of the row are not 0 yet */
} affine_weights_cut;

/* Starts with rest = weight. */
void affine_cut_begin(affine_weights_cut *to, const double *weight);

/* The k-th slice, taken off the rest, exactly. Returns how many numbers are not 0 yet. */
size_t affine_cut_next(affine_weights_cut *to, int k);

/* slice := 2^-e |w - rest|, but for what underflows. */
void affine_cut_taken(affine_weights_cut *to, const double *weight);

#endif
