/* Certified spectral norm of a product of two matrices of doubles. */
#ifndef ATTCERT_THEORY_PRODUCT_NORM_H
#define ATTCERT_THEORY_PRODUCT_NORM_H

#include "attcert.h"
#include "interval/interval.h"

/* norm contains ||A||_2; A: rows x cols, row-major, finite. */
attcert_status product_norm_plain(interval *norm, const double *a, int rows, int cols, attcert_error *err);

/* norm contains ||A B||_2, A: rows x inner, B: inner x cols. Either may be stored transposed (row-major in any case),
 * as K^T Q is from K and Q. Errors: ATTCERT_RESOURCE. */
typedef struct {
  const double *data;
  bool transposed;
} product_factor;

attcert_status product_norm(interval *norm, product_factor a, product_factor b, int rows, int inner, int cols,
                            attcert_error *err);

#endif
