/* The theorem about the factorisation in integers: t I - G = L L^T + R, and `residual` bounds the Frobenius norm of R.
 *
 * No program calls these functions: they are here to show what the contract of a row is good for. integer_cholesky.c
 * makes the same calls, a block of columns after the other, in it the block's rows one after the other and those below
 * on several threads. That these may run at once is trusted: such a row writes to itself and its sum of squares only
 * (`rows` of integer_cholesky_row), and reads itself and rows of the block.
 *
 * Then lambda_max(G) <= t + ||R||_F, since L L^T is positive semidefinite (Coq: `integer_cholesky`). */
#include "linalg/integer_cholesky_row.h"

#include "integer/remainder_norm_lemmas.acsl"

/*@ predicate factored{L}(fixed_matrix *l, fixed_matrix *g, mpz_srcptr t, mpfr_t *squares, integer n, integer columns) =
      pivots(l->model_integers, columns) &&
      \forall integer i; 0 <= i < n ==>
        at_least(&squares[i][0], cholesky_squares(l->model_integers, g->model_integers, mpz_value(t), i,
                                                  i < columns ? i + 1 : columns));

    predicate theorem_memory{L}(cholesky_system s, mpfr_t *squares, integer n, cholesky_scratch *z) =
      \valid(s.l) && \valid_read(s.g) && \valid_read(s.t) && mpz_initialised(s.t) && \valid(squares + (0 .. n - 1)) &&
      live_numbers(squares, n) && \valid(z) && cholesky_scratch_ready(z) &&
      \separated(s.l, s.g, s.t, squares + (0 .. n - 1), z) && n == s.l->rows && cholesky_room(s.l, s.g); */

/* In the columns first .. end - 1 the rows before i are there. */
/*@ predicate block_begun{L}(fixed_matrix *l, fixed_matrix *g, mpz_srcptr t, mpfr_t *squares, integer n, integer first,
                             integer end, integer i) =
      pivots(l->model_integers, i < end ? i : end) &&
      \forall integer k; 0 <= k < n ==>
        at_least(&squares[k][0], cholesky_squares(l->model_integers, g->model_integers, mpz_value(t), k,
                                                  i <= k ? first : k < end ? k + 1 : end)); */

/*@ requires memory: theorem_memory(s, squares, n, z);
    requires position: first <= i < n && first < end <= n;
    requires before: block_begun(s.l, s.g, s.t, squares, n, first, end, i);
    terminates \true;
    assigns s.l->model_integers, squares[i][0], *z;
    ensures after: \result ==> block_begun(s.l, s.g, s.t, squares, n, first, end, i + 1); */
static bool row_theorem(cholesky_system s, mpfr_t *squares, size_t n, size_t i, size_t first, size_t end,
                        cholesky_scratch *z) {
  const cholesky_outcome outcome = integer_cholesky_row(s, squares[i], i, first, end, z);
  /*@ assert matrix: s.g->model_integers == \at(s.g->model_integers, Pre); */
  /*@ assert shift: mpz_value(s.t) == mpz_value{Pre}(s.t); */
  /*@ assert elsewhere: \forall integer k; 0 <= k < n ==> k != i ==> unchanged{Pre, Here}(&squares[k][0]); */
  /*@ assert rows: \forall integer k, c; k != i ==> c <= i ==>
        cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), k, c) ==
        cholesky_squares(\at(s.l->model_integers, Pre), s.g->model_integers, mpz_value(s.t), k, c); */
  /*@ assert others: \forall integer k; 0 <= k < n ==> k != i ==>
        at_least(&squares[k][0], cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), k,
                                                  i <= k ? first : k < end ? k + 1 : end)); */
  /*@ assert own: outcome == CHOLESKY_DONE ==>
        at_least(&squares[i][0], cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i,
                                                  i < end ? i + 1 : end)); */
  /*@ assert pivots: outcome == CHOLESKY_DONE ==> pivots(s.l->model_integers, i + 1 < end ? i + 1 : end); */
  return outcome == CHOLESKY_DONE;
}

/* The columns first .. end - 1 of all rows. */
/*@ requires memory: theorem_memory(s, squares, n, z);
    requires columns: first < end <= n;
    requires before: factored(s.l, s.g, s.t, squares, n, first);
    terminates \true;
    assigns s.l->model_integers, squares[0 .. n - 1][0], *z;
    ensures after: \result ==> factored(s.l, s.g, s.t, squares, n, end); */
static bool block_theorem(cholesky_system s, mpfr_t *squares, size_t n, size_t first, size_t end, cholesky_scratch *z) {
  /*@ loop invariant range: first <= i <= n;
      loop invariant begun: block_begun(s.l, s.g, s.t, squares, n, first, end, i);
      loop assigns i, s.l->model_integers, squares[0 .. n - 1][0], *z;
      loop variant n - i; */
  for (size_t i = first; i < n; i++) {
    if (!row_theorem(s, squares, n, i, first, end, z)) return false;
  }
  return true;
}

/*@ requires memory: \valid(squares + (0 .. n - 1)) && live_numbers(squares, n);
    terminates \true;
    assigns squares[0 .. n - 1][0];
    ensures zero: \forall integer k; 0 <= k < n ==> at_least(&squares[k][0], 0.0); */
static void squares_to_zero(mpfr_t *squares, size_t n) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant zero: \forall integer k; 0 <= k < i ==> at_least(&squares[k][0], 0.0);
      loop assigns i, squares[0 .. n - 1][0];
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) mpfr_set_zero(squares[i], 1);
}

/*@ requires memory: theorem_memory(s, squares, n, z);
    requires width: 1 <= width;
    requires residual: \valid(residual) && initialised(residual) &&
      \separated(residual, s.l, s.g, s.t, squares + (0 .. n - 1), z);
    terminates \true;
    assigns s.l->model_integers, squares[0 .. n - 1][0], *z, *residual;
    ensures identity: \forall integer i, j; 0 <= j <= i < n ==>
      shifted_entry(s.g->model_integers, mpz_value(s.t), i, j) ==
        integer_dot(s.l->model_integers, i, s.l->model_integers, j, j + 1) +
        cholesky_rest(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i, j);
    ensures counted: \forall integer i, j; 0 <= j <= i < n ==>
      counted_square(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i, j) ==
        (j < i ? 2.0 : 1.0) * rest_square(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i, j);
    ensures residual: \result ==> \forall rvec r;
      remainder_rows(r, s.l->model_integers, s.g->model_integers, mpz_value(s.t), n) ==>
      at_least(residual, rroot(sum_from(0.0, r, n))); */
bool integer_cholesky_theorem(mpfr_ptr residual, cholesky_system s, mpfr_t *squares, size_t n, size_t width,
                              cholesky_scratch *z) {
  squares_to_zero(squares, n);
  /*@ assert none: factored(s.l, s.g, s.t, squares, n, 0); */
  size_t first = 0;
  /*@ loop invariant range: 0 <= first <= n;
      loop invariant factored: factored(s.l, s.g, s.t, squares, n, first);
      loop assigns first, s.l->model_integers, squares[0 .. n - 1][0], *z;
      loop variant n - first; */
  while (first < n) {
    const size_t end = width < n - first ? first + width : n;
    if (!block_theorem(s, squares, n, first, end, z)) return false;
    first = end;
  }
  /*@ assert bounds: \forall rvec r;
        remainder_rows(r, s.l->model_integers, s.g->model_integers, mpz_value(s.t), n) ==> bounds_vec(squares, r, n); */
  //@ ghost Factored:;
  sum_upward_root(residual, squares, (int)n);
  /*@ assert kept: s.l->model_integers == \at(s.l->model_integers, Factored) &&
        s.g->model_integers == \at(s.g->model_integers, Factored) && mpz_value(s.t) == mpz_value{Factored}(s.t); */
  return true;
}
