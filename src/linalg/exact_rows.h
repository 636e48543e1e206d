/* Rows of doubles as integers, so that their inner products are sums of integers, without any rounding.
 *
 * x_ij = m_ij 2^exponent[i], with 2^exponent[i] the last binary place that row i has: m_ij is an integer, of some 80
 * bits where the entries are of one size and of at most 2098 whatever doubles they are. */
#ifndef ATTCERT_EXACT_ROWS_H
#define ATTCERT_EXACT_ROWS_H

#include "interval/interval.h"
#include "linalg/fixed_matrix.h"

typedef struct {
  fixed_matrix integers;
  long *exponent; /* [rows] */
} exact_rows;

/* The rows of finite doubles x, rows x cols, column j times 2^shift[j]; shift may be NULL. All have as many digits
 * (fixed_matrix.h) as the longest takes. False when memory runs out; exact_rows_clear may follow either way. */
bool exact_rows_init(exact_rows *a, const double *x, size_t rows, size_t cols, const long *shift);
void exact_rows_clear(exact_rows *a);

/* How many digits those are without shifts; at least 1. */
size_t exact_rows_digits(const double *x, size_t rows, size_t cols);

/* product := the least interval of its precision around the sum of a_ik b_jk over k; sum: scratch. */
void exact_rows_dot(interval *product, const exact_rows *a, size_t i, const exact_rows *b, size_t j, mpz_ptr sum);

#endif
