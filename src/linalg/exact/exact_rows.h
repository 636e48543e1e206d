/* Rows of doubles as integers, so that their inner products are sums of integers, without any rounding.
 *
 * x_ij = m_ij 2^exponent[i], with 2^exponent[i] the last binary place that row i has: m_ij is an integer, of some 80
 * bits where the entries are of one size and of at most 2098 whatever doubles they are. */
#ifndef ATTCERT_LINALG_EXACT_EXACT_ROWS_H
#define ATTCERT_LINALG_EXACT_EXACT_ROWS_H

#include "interval/interval.h"
#include "linalg/exact/fixed_matrix.h"

typedef struct {
  fixed_matrix integers;
  long *exponent; /* [rows] */
#ifdef __FRAMAC__
  double model_exponents; /* stands for the exponents */
#endif
} exact_rows;

#ifdef __FRAMAC__
#include "integer/exact_rows.acsl"
#endif

/* The rows of finite doubles x, rows x cols, column j times 2^shift[j]; shift may be NULL, else |shift[j]| <= 2^58. All
 * have as many digits (fixed_matrix.h) as the longest takes. False when memory runs out; exact_rows_clear may follow
 * either way. */
/*@ requires valid: \valid(a) && \valid_read(x + (0 .. row(rows, cols) - 1));
    requires countable: row(rows, cols) <= SIZE_MAX;
    requires finite: finite_entries(x, row(rows, cols));
    requires shifts: shift == \null || (\valid_read(shift + (0 .. cols - 1)) && exact_shifts(shift, cols));
    requires separated: \separated(a, x + (0 .. row(rows, cols) - 1));
    requires separated_shifts: shift == \null || \separated(a, shift + (0 .. cols - 1));
    terminates \true;
    assigns *a;
    ensures sides: \result ==> a->integers.rows == rows && a->integers.cols == cols;
    ensures exponents: \result ==> exact_exponents(a->model_exponents, rows);
    ensures rows: \result ==> shift == \null ==>
      \forall integer i; 0 <= i < rows ==> holds_row(a, i, x + row(i, cols), cols);
    ensures shifted_rows: \result ==> shift != \null ==>
      \forall integer i; 0 <= i < rows ==> holds_shifted_row(a, i, x + row(i, cols), shift, cols); */
bool exact_rows_init(exact_rows *a, const double *x, size_t rows, size_t cols, const long *shift);

/*@ requires valid: \valid(a);
    terminates \true;
    assigns *a; */
void exact_rows_clear(exact_rows *a);

/* How many digits those are without shifts; at least 1. */
/*@ requires valid: \valid_read(x + (0 .. row(rows, cols) - 1));
    requires countable: row(rows, cols) <= SIZE_MAX;
    requires finite: finite_entries(x, row(rows, cols));
    terminates \true;
    assigns \nothing;
    ensures least: 1 <= \result; */
size_t exact_rows_digits(const double *x, size_t rows, size_t cols);

/* product := the least interval of its precision around the sum of a_ik b_jk over k; sum: scratch. */
/*@ requires valid: \valid(product) && \valid_read(a) && \valid_read(b) && \valid(sum);
    requires live: live(product) && mpz_initialised(sum);
    requires position: i < a->integers.rows && j < b->integers.rows && a->integers.cols == b->integers.cols;
    requires exponents: exact_exponent(exponent_at(a->model_exponents, i)) &&
      exact_exponent(exponent_at(b->model_exponents, j));
    requires separated: \separated(product, sum, a) && \separated(product, sum, b);
    terminates \true;
    assigns *product, sum->model_value;
    ensures integers: in(product, rows_product(a->integers.model_integers, a->model_exponents, i,
      b->integers.model_integers, b->model_exponents, j, a->integers.cols));
    ensures contains: \forall double *x, *y; holds_row{Pre}(a, i, x, a->integers.cols) ==>
      holds_row{Pre}(b, j, y, a->integers.cols) ==> in(product, dot{Pre}(x, y, a->integers.cols)); */
void exact_rows_dot(interval *product, const exact_rows *a, size_t i, const exact_rows *b, size_t j, mpz_ptr sum);

#endif
