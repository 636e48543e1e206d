#include "linalg/exact/exact_rows.h"

#include "base/dyadic.h"
#include "linalg/exact/exact_rows_memory.h"

#include <limits.h>

#ifdef __FRAMAC__
#include "arithmetic/scaled_product_lemmas.acsl"
#include "integer/exact_dot_lemmas.acsl"
#include "matrix/finite_entries_lemmas.acsl"
#endif

/*@ logic integer shift_of{L}(long *shift, integer j) = shift == \null ? 0 : shift[j];

    // x 2^by is a multiple of 2^place and below 2^(place + bits).
    predicate spans(real x, integer by, integer place, integer bits) = vanishes(x) ||
      (place <= dyadic_place(x) + by && dyadic_end(x) + by <= place + bits);
    predicate row_spans{L}(double *x, long *shift, integer n, integer place, integer bits) =
      \forall integer j; 0 <= j < n ==> spans(x[j], shift_of(shift, j), place, bits);
    // From the last place of any entry to the end of any there are at most so many bits.
    predicate row_fits{L}(double *x, long *shift, integer n, integer bits) =
      \forall integer j, k; 0 <= j < n ==> 0 <= k < n ==> vanishes(x[j]) || vanishes(x[k]) ||
        dyadic_end(x[j]) + shift_of(shift, j) <= dyadic_place(x[k]) + shift_of(shift, k) + bits;
    predicate begins_at{L}(double *x, long *shift, integer j, integer place) =
      !vanishes(x[j]) && place == dyadic_place(x[j]) + shift_of(shift, j);
    predicate zero_entries{L}(double *x, integer n) = \forall integer j; 0 <= j < n ==> vanishes(x[j]);
    predicate row_begins{L}(double *x, long *shift, integer n, integer place) =
      zero_entries(x, n) || \exists integer j; 0 <= j < n && begins_at(x, shift, j, place);
    predicate usable_shifts{L}(long *shift, integer n) =
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
    requires shifts: usable_shifts(shift, cols);
    terminates \true;
    assigns \nothing;
    ensures spans: row_spans(x, shift, cols, \result.place, \result.bits);
    ensures begins: row_begins(x, shift, cols, \result.place);
    ensures place: exact_exponent(\result.place);
    ensures bits: \result.bits <= 0x1000000000000000; */
static extent extent_of(const double *x, size_t cols, const long *shift) {
  long last = LONG_MAX, top = LONG_MIN;
  //@ ghost size_t first = 0;
  /*@ loop invariant range: 0 <= j <= cols;
      loop invariant zeros: last == LONG_MAX ==> top == LONG_MIN && \forall integer c; 0 <= c < j ==> vanishes(x[c]);
      loop invariant begins: last != LONG_MAX ==> 0 <= first < j && begins_at(x, shift, first, last);
      loop invariant places: \forall integer c; 0 <= c < j ==> vanishes(x[c]) ||
        (last <= dyadic_place(x[c]) + shift_of(shift, c) && dyadic_end(x[c]) + shift_of(shift, c) <= top);
      loop invariant ends: last != LONG_MAX ==>
        -0x400000000000000 - 1074 <= last < top <= 0x400000000000000 + 1024;
      loop assigns j, last, top, first;
      loop variant cols - j; */
  for (size_t j = 0; j < cols; j++) {
    const dyadic d = dyadic_of(x[j]);
    if (d.significand == 0) continue;
    const long by = shift_by(shift, j), place = d.place + by, end = d.end + by;
    //@ assert by: -0x400000000000000 <= by <= 0x400000000000000;
    //@ assert begins: begins_at(x, shift, j, place);
    //@ assert between: by - 1074 <= place < end <= by + 1024;
    //@ ghost if (place < last) first = j;
    last = place < last ? place : last;
    top = end > top ? end : top;
  }
  return last == LONG_MAX ? (extent){0, 0} : (extent){last, (size_t)(top - last)};
}

/*@ predicate rows_fit{L}(double *x, long *shift, integer rows, integer cols, integer bits) =
      \forall integer i; 0 <= i < rows ==> row_fits(x + row(i, cols), shift, cols, bits); */

/*@ requires valid: \valid_read(x + (0 .. row(rows, cols) - 1));
    requires countable: row(rows, cols) <= SIZE_MAX;
    requires finite: finite_entries(x, row(rows, cols));
    requires shifts: usable_shifts(shift, cols);
    terminates \true;
    assigns \nothing;
    ensures least: 1 <= \result;
    ensures fit: rows_fit(x, shift, rows, cols, FIXED_DIGIT_BITS * \result); */
static size_t digits_of(const double *x, size_t rows, size_t cols, const long *shift) {
  size_t most = 1;
  /*@ loop invariant range: 0 <= i <= rows;
      loop invariant most: 1 <= most <= 0x1000000000000000;
      loop invariant fit: rows_fit(x, shift, i, cols, most);
      loop assigns i, most;
      loop variant rows - i; */
  for (size_t i = 0; i < rows; i++) {
    //@ assert place: i * cols == row(i, cols) && 0 <= row(i, cols) && row(i, cols) + cols <= row(rows, cols);
    //@ assert finite: finite_entries(x + row(i, cols), cols);
    const size_t bits = extent_of(x + i * cols, cols, shift).bits;
    //@ assert fits: row_fits(x + row(i, cols), shift, cols, bits);
    most = bits > most ? bits : most;
    //@ assert larger: row_fits(x + row(i, cols), shift, cols, most);
  }
  return (most + FIXED_DIGIT_BITS - 1) / FIXED_DIGIT_BITS;
}

size_t exact_rows_digits(const double *x, size_t rows, size_t cols) {
  return digits_of(x, rows, cols, NULL);
}

/* Integer (i, j), which is 0 so far, := x 2^by in units of 2^place. */
/*@ requires valid: \valid(m);
    requires position: i < m->rows && j < m->cols;
    requires unset: vanishes(integer_at(m->model_integers, i, j));
    requires finite: finite_double(x);
    requires exponents: exact_exponent(place) && exact_exponent(by);
    requires spans: spans(x, by, place, FIXED_DIGIT_BITS * m->digits);
    terminates \true;
    assigns m->model_integers;
    ensures entry: prod(integer_at(m->model_integers, i, j), power_of_two(place)) == prod(x, power_of_two(by));
    ensures others: other_integers(\old(m->model_integers), m->model_integers, i, j); */
static void put_entry(fixed_matrix *m, size_t i, size_t j, double x, long by, long place) {
  const dyadic d = dyadic_of(x);
  if (d.significand == 0) {
    //@ assert none: vanishes(prod(integer_at(m->model_integers, i, j), power_of_two(place)));
    //@ assert nothing: vanishes(prod(x, power_of_two(by)));
    return;
  }
  const size_t shift = (size_t)(d.place + by - place);
  //@ assert shift: shift == d.place + (by - place);
  //@ assert parts: power_of_two(shift) == prod(power_of_two(d.place), power_of_two(by - place));
  //@ assert integer: prod(d.significand, power_of_two(shift)) == prod(x, power_of_two(by - place));
  //@ assert end: power_of_two(d.end + (by - place)) == prod(power_of_two(d.end), power_of_two(by - place));
  //@ assert below: \abs(prod(x, power_of_two(by - place))) < power_of_two(d.end + (by - place));
  //@ assert room: power_of_two(d.end + (by - place)) <= power_of_two(FIXED_DIGIT_BITS * m->digits);
  fixed_matrix_set_shifted(m, i, j, d.significand, shift);
  //@ assert back: power_of_two((by - place) + place) == prod(power_of_two(by - place), power_of_two(place));
  //@ assert set: integer_at(m->model_integers, i, j) == prod(x, power_of_two(by - place));
  //@ assert scaled: prod(prod(x, power_of_two(by - place)), power_of_two(place)) == prod(x, power_of_two(by));
}

/*@ predicate shifted_row{L}(real m, integer i, real u, double *x, long *shift, integer n) =
      \forall integer c; 0 <= c < n ==> prod(integer_at(m, i, c), u) == prod(x[c], power_of_two(shift_of(shift, c)));
    predicate no_integers_from(real m, integer i, integer j) =
      \forall integer c; j <= c ==> vanishes(integer_at(m, i, c)); */

/* Row i, whose integers are 0 so far, := x. */
/*@ requires valid: \valid(a) && \valid_read(x + (0 .. a->integers.cols - 1));
    requires position: i < a->integers.rows;
    requires unset: no_integers_from(a->integers.model_integers, i, 0);
    requires finite: finite_entries(x, a->integers.cols);
    requires shifts: usable_shifts(shift, a->integers.cols);
    requires fits: row_fits(x, shift, a->integers.cols, FIXED_DIGIT_BITS * a->integers.digits);
    requires separated: \separated(a, x + (0 .. a->integers.cols - 1));
    requires separated_shifts: shift == \null || \separated(a, shift + (0 .. a->integers.cols - 1));
    terminates \true;
    assigns a->integers.model_integers, a->model_exponents;
    ensures exponent: exact_exponent(exponent_at(a->model_exponents, i));
    ensures row: shifted_row{Pre}(\at(a->integers.model_integers, Post), i, row_unit{Post}(a, i), x, shift,
                                  a->integers.cols);
    ensures others: other_rows(\old(a->integers.model_integers), a->integers.model_integers, i) &&
      other_exponents(\old(a->model_exponents), a->model_exponents, i); */
static void put_row(exact_rows *a, size_t i, const double *x, const long *shift) {
  const size_t cols = a->integers.cols;
  const long place = extent_of(x, cols, shift).place;
  //@ assert spans: row_spans{Pre}(x, shift, cols, place, FIXED_DIGIT_BITS * a->integers.digits);
  exact_rows_set_exponent(a, i, place);
  /*@ loop invariant range: 0 <= j <= cols;
      loop invariant row: shifted_row{Pre}(\at(a->integers.model_integers, Here), i, power_of_two(place), x, shift, j);
      loop invariant rest: no_integers_from(a->integers.model_integers, i, j);
      loop invariant others: other_rows(\at(a->integers.model_integers, Pre), a->integers.model_integers, i);
      loop assigns j, a->integers.model_integers;
      loop variant cols - j; */
  for (size_t j = 0; j < cols; j++) {
    /*@ assert entry: \forall integer c; 0 <= c < cols ==> x[c] == \at(x[c], Pre) &&
          shift_of(shift, c) == shift_of{Pre}(shift, c); */
    put_entry(&a->integers, i, j, x[j], shift_by(shift, j), place);
  }
}

bool exact_rows_init(exact_rows *a, const double *x, size_t rows, size_t cols, const long *shift) {
  const size_t digits = digits_of(x, rows, cols, shift);
  const bool exponents = exact_rows_exponents_init(a, rows);
  if (!fixed_matrix_init(&a->integers, rows, cols, digits, 0) || !exponents) return false;
  /*@ assert shifts: shift != \null ==> \forall integer c; 0 <= c < cols ==> shift[c] == \at(shift[c], Pre); */
  /*@ loop invariant range: 0 <= i <= rows;
      loop invariant sides: a->integers.rows == rows && a->integers.cols == cols && a->integers.digits == digits;
      loop invariant exponents: exact_exponents(a->model_exponents, i);
      loop invariant rows: \forall integer k; 0 <= k < i ==> shifted_row{Pre}(\at(a->integers.model_integers, Here), k,
        row_unit{Here}(a, k), x + row(k, cols), shift, cols);
      loop invariant rest: \forall integer k; i <= k ==> no_integers_from(a->integers.model_integers, k, 0);
      loop assigns i, a->integers.model_integers, a->model_exponents;
      loop variant rows - i; */
  for (size_t i = 0; i < rows; i++) {
    //@ assert place: i * cols == row(i, cols) && 0 <= row(i, cols) && row(i, cols) + cols <= row(rows, cols);
    //@ ghost Before:;
    //@ assert finite: finite_entries(x + row(i, cols), cols);
    /*@ assert entries: \forall integer k, c; 0 <= k < rows ==> 0 <= c < cols ==>
          x[row(k, cols) + c] == \at(x[row(k, cols) + c], Pre) && shift_of(shift, c) == shift_of{Pre}(shift, c); */
    put_row(a, i, x + i * cols, shift);
    /*@ assert put: shifted_row{Before}(\at(a->integers.model_integers, Here), i, row_unit{Here}(a, i), x + row(i,
      cols),
          shift, cols); */
    /*@ assert row: shifted_row{Pre}(\at(a->integers.model_integers, Here), i, row_unit{Here}(a, i), x + row(i, cols),
          shift, cols); */
    /*@ assert earlier: \forall integer k; 0 <= k < i ==> shifted_row{Pre}(\at(a->integers.model_integers, Here), k,
          row_unit{Here}(a, k), x + row(k, cols), shift, cols); */
  }
  /*@ assert entries: \forall integer k, c; 0 <= k < rows ==> 0 <= c < cols ==>
        x[row(k, cols) + c] == \at(x[row(k, cols) + c], Pre) && shift_of(shift, c) == shift_of{Pre}(shift, c); */
  /*@ assert rows: \forall integer k; 0 <= k < rows ==> shifted_row(a->integers.model_integers, k, row_unit(a, k),
        x + row(k, cols), shift, cols); */
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
