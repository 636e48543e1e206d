/* The theorem about the Gram matrix in integers: A, whose entries are MPFR numbers, is rounded to multiples of 2^e,
 * A~ = A - D; then g holds A~ A~^T in units of 2^(2e), exactly, and `error` is at least (2 ||A||_F + ||D||_F) ||D||_F.
 *
 * No program calls this function: explicit_gram.c makes the same calls, a row and a block of rows at a time on several
 * threads, for A or its transpose.
 *
 * Then no eigenvalue of A A^T is further than `error` above the largest one of g (Coq: `rounded_gram`). */
#include "linalg/fixed_matrix_round.h"
#include "linalg/gram_rounding.h"
#include "linalg/integer_gram.h"

#include "integer/rounded_matrix_lemmas.acsl"

/*@ predicate gram_sources{L}(fixed_matrix *a, point *x) =
      row(a->rows, a->cols) <= SIZE_MAX && \valid_read(x + (0 .. row(a->rows, a->cols) - 1)) &&
      live_points(x, row(a->rows, a->cols)); */

/* The row i of A~, and how many of its entries were rounded. */
/*@ requires memory: \valid(a) && \valid(count) && gram_sources(a, x) &&
      \separated(a, count, x + (0 .. row(a->rows, a->cols) - 1));
    requires exponent: -0x7fffffffffffffff <= a->exponent;
    requires position: i < a->rows && offset == row(i, a->cols);
    terminates \true;
    assigns a->model_integers, *count, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures others: other_rows(\old(a->model_integers), a->model_integers, i);
    ensures counted: *count <= a->cols;
    ensures near: \result ==> \forall rvec r; points_are{Pre}(x, r, row(a->rows, a->cols)) ==>
      4.0 * rounding_squares(matrix_row(r, a->cols, i), a->model_integers, i, power_of_two(a->exponent), a->cols) <=
        prod(*count, prod(power_of_two(a->exponent), power_of_two(a->exponent))); */
static bool row_theorem(fixed_matrix *a, const point *x, size_t i, size_t offset, size_t *count) {
  /*@ assert below: offset + a->cols <= row(a->rows, a->cols); */
  /*@ assert ones: row(a->cols, 1) == a->cols; */
  /*@ assert strided: \forall rvec r; points_are{Pre}(x, r, row(a->rows, a->cols)) ==>
        strided_points_are(x + offset, 1, matrix_row(r, a->cols, i), a->cols); */
  return fixed_matrix_round_row(a, i, x + offset, 1, count);
}

/* A~, and how many of its entries were rounded. */
/*@ requires memory: \valid(a) && \valid(total) && gram_sources(a, x) &&
      \separated(a, total, x + (0 .. row(a->rows, a->cols) - 1));
    requires exponent: -0x7fffffffffffffff <= a->exponent;
    terminates \true;
    assigns a->model_integers, *total, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures near: \result ==> \forall rvec r; points_are{Pre}(x, r, row(a->rows, a->cols)) ==>
      4.0 * rounding_sum(r, a->model_integers, power_of_two(a->exponent), a->cols, a->rows) <=
        prod(*total, prod(power_of_two(a->exponent), power_of_two(a->exponent))); */
static bool rows_theorem(fixed_matrix *a, const point *x, size_t *total) {
  size_t sum = 0, count = 0, offset = 0;
  /*@ assert each: \forall integer t; 0 <= t < row(a->rows, a->cols) ==> \valid_read{Pre}(&(x + t)->v[0]); */
  /*@ loop invariant range: 0 <= i <= a->rows;
      loop invariant place: offset == row(i, a->cols);
      loop invariant counted: 0 <= sum <= offset;
      loop invariant lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
      loop invariant sources: gram_sources(a, x);
      loop invariant near: \forall rvec r; points_are{Pre}(x, r, row(a->rows, a->cols)) ==>
        4.0 * rounding_sum(r, a->model_integers, power_of_two(a->exponent), a->cols, i) <=
          prod(sum, prod(power_of_two(a->exponent), power_of_two(a->exponent)));
      loop assigns i, sum, count, offset, a->model_integers, mpfr_lives, mpz_lives;
      loop variant a->rows - i; */
  for (size_t i = 0; i < a->rows; i++) {
    /*@ assert below: offset + a->cols <= row(a->rows, a->cols); */
    if (!row_theorem(a, x, i, offset, &count)) return false;
    /*@ assert live: \forall integer t; 0 <= t < row(a->rows, a->cols) ==> same_life{Pre, Here}(&(x + t)->v[0]); */
    /*@ assert earlier: \forall rvec r;
          rounding_sum(r, a->model_integers, power_of_two(a->exponent), a->cols, i) ==
          rounding_sum(r, \at(a->model_integers, LoopCurrent), power_of_two(a->exponent), a->cols, i); */
    /*@ assert next: \forall rvec r;
          rounding_sum(r, a->model_integers, power_of_two(a->exponent), a->cols, i + 1) ==
          rounding_sum(r, a->model_integers, power_of_two(a->exponent), a->cols, i) +
          rounding_squares(matrix_row(r, a->cols, i), a->model_integers, i, power_of_two(a->exponent), a->cols); */
    /*@ assert sum: \forall rvec r; points_are{Pre}(x, r, row(a->rows, a->cols)) ==>
          4.0 * rounding_sum(r, a->model_integers, power_of_two(a->exponent), a->cols, i + 1) <=
            prod(sum + count, prod(power_of_two(a->exponent), power_of_two(a->exponent))); */
    sum += count;
    offset += a->cols;
  }
  *total = sum;
  return true;
}

/*@ requires memory: gram_memory(g, a, sum) && \valid(a) && \valid(total) && \valid(error) && \valid(deviation) &&
      \valid(t) && gram_sources(a, x);
    requires live: initialised(error) && initialised(deviation) && initialised(t);
    requires separated: \separated(g, a, sum, total, error, deviation, t, x + (0 .. row(a->rows, a->cols) - 1));
    requires room: gram_room(g, a);
    requires exponent: -0x7fffffffffffffff <= a->exponent;
    terminates \true;
    assigns g->model_integers, a->model_integers, sum->model_value, *total, *error, *deviation, *t, mpfr_lives,
      mpz_lives;
    ensures product: \result ==> gram_rows(g->model_integers, a->model_integers, 0, a->rows, a->cols);
    ensures error: \result ==> \forall rvec r, real d; points_are{Pre}(x, r, row(a->rows, a->cols)) ==>
      d == rounding_sum(r, a->model_integers, power_of_two(a->exponent), a->cols, a->rows) ==>
      nan(error) || at_least(error, prod(2.0 * rroot(squares_from(0.0, r, row(a->rows, a->cols))) + rroot(d),
                                         rroot(d))); */
bool gram_theorem(fixed_matrix *g, fixed_matrix *a, const point *x, mpz_ptr sum, size_t *total, mpfr_ptr error,
                  mpfr_ptr deviation, mpfr_ptr t) {
  /*@ assert each: \forall integer t; 0 <= t < row(a->rows, a->cols) ==> \valid_read{Pre}(&(x + t)->v[0]); */
  if (!rows_theorem(a, x, total)) return false;
  /*@ assert same: \forall rvec r, integer n; points_are{Pre}(x, r, n) ==> n <= row(a->rows, a->cols) ==>
        points_are(x, r, n); */
  /*@ assert live: initialised(error) && initialised(deviation) && initialised(t) && mpz_initialised(sum); */
  /*@ assert lives: \forall integer t; 0 <= t < row(a->rows, a->cols) ==> same_life{Pre, Here}(&(x + t)->v[0]); */
  /*@ assert sources: gram_sources(a, x); */
  //@ ghost Rounded:;
  if (!integer_gram_rows(g, a, 0, a->rows, sum)) return false;
  /*@ assert matrix: a->model_integers == \at(a->model_integers, Rounded); */
  /*@ assert kept: \forall rvec r, integer n; points_are{Pre}(x, r, n) ==> n <= row(a->rows, a->cols) ==>
        points_are(x, r, n); */
  /*@ assert count: *total == \at(*total, Rounded); */
  const size_t entries = a->rows * a->cols, inexact = *total;
  const long exponent = a->exponent;
  /*@ assert entries: entries == row(a->rows, a->cols); */
  /*@ assert near: \forall rvec r; points_are{Pre}(x, r, row(a->rows, a->cols)) ==>
        4.0 * rounding_sum(r, a->model_integers, power_of_two(a->exponent), a->cols, a->rows) <=
          prod(*total, prod(power_of_two(a->exponent), power_of_two(a->exponent))); */
  //@ ghost Multiplied:;
  gram_rounding_error(error, x, entries, inexact, exponent, deviation, t);
  /*@ assert after: a->model_integers == \at(a->model_integers, Multiplied) &&
        g->model_integers == \at(g->model_integers, Multiplied); */
  /*@ assert matrices: exponent == a->exponent && a->rows == \at(a->rows, Multiplied) &&
        a->cols == \at(a->cols, Multiplied); */
  /*@ assert points: \forall rvec r; points_are{Pre}(x, r, entries) ==> points_are{Multiplied}(x, r, entries); */
  /*@ assert bound: \forall rvec r, real d; points_are{Pre}(x, r, entries) ==> 0.0 <= d ==>
        4.0 * d <= prod(inexact, prod(power_of_two(exponent), power_of_two(exponent))) ==>
        nan(error) || at_least(error, prod(2.0 * rroot(squares_from(0.0, r, entries)) + rroot(d), rroot(d))); */
  return true;
}
