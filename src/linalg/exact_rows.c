#include "linalg/exact_rows.h"

#include "linalg/dyadic.h"
#include "linalg/exact_rows_memory.h"

#include <limits.h>

#ifdef __FRAMAC__
#include "integer/exact_dot_lemmas.acsl"
#endif

/*@ logic integer shift_of{L}(long *shift, integer j) = shift == \null ? 0 : shift[j];

    // x 2^by is a multiple of 2^place, and below 2^(place + bits).
    predicate spans(real x, integer by, integer place, integer bits) = vanishes(x) ||
      (place <= dyadic_place(x) + by && dyadic_end(x) + by <= place + bits);
    predicate row_spans{L}(double *x, long *shift, integer n, integer place, integer bits) =
      \forall integer j; 0 <= j < n ==> spans(x[j], shift_of(shift, j), place, bits);
    predicate readable_shifts{L}(long *shift, integer n) =
      shift == \null || (\valid_read(shift + (0 .. n - 1)) && exact_shifts(shift, n)); */

/*@ requires valid: shift == \null || \valid_read(shift + j);
    terminates \true;
    assigns \nothing;
    ensures shift: \result == shift_of(shift, j); */
static long shift_by(const long *shift, size_t j) {
  return shift != NULL ? shift[j] : 0;
}

/* The last place of a row, and the bits from there to its largest entry; 0 and 0 for zeros. */
typedef struct {
  long place;
  size_t bits;
} extent;

/*@ requires valid: \valid_read(x + (0 .. cols - 1));
    requires finite: finite_entries(x, cols);
    requires shifts: readable_shifts(shift, cols);
    terminates \true;
    assigns \nothing;
    ensures spans: row_spans(x, shift, cols, \result.place, \result.bits);
    ensures place: exact_exponent(\result.place);
    ensures bits: \result.bits <= 0x1000000000000000; */
static extent extent_of(const double *x, size_t cols, const long *shift) {
  long last = LONG_MAX, top = LONG_MIN;
  /*@ loop invariant range: 0 <= j <= cols;
      loop invariant zeros: last == LONG_MAX ==> \forall integer c; 0 <= c < j ==> vanishes(x[c]);
      loop invariant places: \forall integer c; 0 <= c < j ==> vanishes(x[c]) ||
        (last <= dyadic_place(x[c]) + shift_of(shift, c) && dyadic_end(x[c]) + shift_of(shift, c) <= top);
      loop invariant ends: last != LONG_MAX ==>
        -0x400000000000000 - 1074 <= last < top <= 0x400000000000000 + 1024;
      loop assigns j, last, top;
      loop variant cols - j; */
  for (size_t j = 0; j < cols; j++) {
    const dyadic d = dyadic_of(x[j]);
    if (d.significand == 0) continue;
    const long by = shift_by(shift, j), place = d.place + by, end = d.end + by;
    last = place < last ? place : last;
    top = end > top ? end : top;
  }
  return last == LONG_MAX ? (extent){0, 0} : (extent){last, (size_t)(top - last)};
}

/*@ requires valid: \valid_read(x + (0 .. row(rows, cols) - 1));
    requires countable: row(rows, cols) <= SIZE_MAX;
    requires finite: finite_entries(x, row(rows, cols));
    requires shifts: readable_shifts(shift, cols);
    terminates \true;
    assigns \nothing;
    ensures least: 1 <= \result;
    ensures room: FIXED_DIGIT_BITS * \result <= SIZE_MAX; */
static size_t digits_of(const double *x, size_t rows, size_t cols, const long *shift) {
  size_t most = 1;
  for (size_t i = 0; i < rows; i++) {
    const size_t bits = extent_of(x + i * cols, cols, shift).bits;
    most = bits > most ? bits : most;
  }
  return (most + FIXED_DIGIT_BITS - 1) / FIXED_DIGIT_BITS;
}

size_t exact_rows_digits(const double *x, size_t rows, size_t cols) {
  return digits_of(x, rows, cols, NULL);
}

bool exact_rows_init(exact_rows *a, const double *x, size_t rows, size_t cols, const long *shift) {
  const bool exponents = exact_rows_exponents_init(a, rows);
  if (!fixed_matrix_init(&a->integers, rows, cols, digits_of(x, rows, cols, shift), 0) || !exponents) return false;
  for (size_t i = 0; i < rows; i++) {
    const long exponent = extent_of(x + i * cols, cols, shift).place;
    exact_rows_set_exponent(a, i, exponent);
    for (size_t j = 0; j < cols; j++) {
      const dyadic d = dyadic_of(x[i * cols + j]);
      const long place = d.place + shift_by(shift, j);
      if (d.significand != 0) fixed_matrix_set_shifted(&a->integers, i, j, d.significand, (size_t)(place - exponent));
    }
  }
  return true;
}

void exact_rows_clear(exact_rows *a) {
  fixed_matrix_clear(&a->integers);
  exact_rows_exponents_clear(a);
}

void exact_rows_dot(interval *product, const exact_rows *a, size_t i, const exact_rows *b, size_t j, mpz_ptr sum) {
  const long exponent = exact_rows_exponent(a, i) + exact_rows_exponent(b, j);
  fixed_matrix_dot(sum, &a->integers, i, &b->integers, j, a->integers.cols);
  //@ assert unit: power_of_two(exponent) == prod(row_unit{Pre}(a, i), row_unit{Pre}(b, j));
  /*@ assert product: \forall double *x, *y; holds_row{Pre}(a, i, x, a->integers.cols) ==>
        holds_row{Pre}(b, j, y, a->integers.cols) ==>
        prod(integer_dot(a->integers.model_integers, i, b->integers.model_integers, j, a->integers.cols),
             prod(row_unit{Pre}(a, i), row_unit{Pre}(b, j))) == dot{Pre}(x, y, a->integers.cols); */
  /*@ assert sum: \forall double *x, *y; holds_row{Pre}(a, i, x, a->integers.cols) ==>
        holds_row{Pre}(b, j, y, a->integers.cols) ==>
        prod(mpz_value(sum), power_of_two(exponent)) == dot{Pre}(x, y, a->integers.cols); */
  mpfr_set_z_2exp(product->lo, sum, exponent, MPFR_RNDD);
  mpfr_set_z_2exp(product->hi, sum, exponent, MPFR_RNDU);
}
