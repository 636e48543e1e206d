/* A row of a Cholesky factor in integers, and the squares of what is left of it: the arithmetic of integer_cholesky.h,
 * without its threads. Column by column, with c_ij = (t I - G)_ij - sum_{k<j} l_ik l_jk:
 *   l_jj = floor(sqrt(c_jj)),       r_jj = c_jj - l_jj^2 <= 2 l_jj;
 *   l_ij = c_ij / l_jj to nearest,  r_ij = c_ij - l_ij l_jj, at most l_jj / 2 in magnitude. */
#ifndef ATTCERT_LINALG_EXACT_INTEGER_CHOLESKY_ROW_H
#define ATTCERT_LINALG_EXACT_INTEGER_CHOLESKY_ROW_H

#include "linalg/exact/fixed_matrix.h"
#include "linalg/rounding/sum_upward.h"

#ifdef __FRAMAC__
#include "integer/cholesky_lemmas.acsl"
#endif

/* t I - G = L L^T + R. */
typedef struct {
  fixed_matrix *l;       /* n x n, lower triangle */
  const fixed_matrix *g; /* lower triangle: (i, j), j <= i, is integer (i (i + 1) / 2 + j, 0) */
  mpz_srcptr t;
} cholesky_system;

/* What an entry is computed in. */
typedef struct {
  mpz_t c, entry, half, quotient, remainder;
  mpfr_t r, square;
} cholesky_scratch;

typedef enum { CHOLESKY_DONE, CHOLESKY_NOT_POSITIVE, CHOLESKY_TOO_LONG } cholesky_outcome;

/*@ predicate cholesky_scratch_ready{L}(cholesky_scratch *z) =
      mpz_initialised(&z->c[0]) && mpz_initialised(&z->entry[0]) && mpz_initialised(&z->half[0]) &&
      mpz_initialised(&z->quotient[0]) && mpz_initialised(&z->remainder[0]) && initialised(&z->r[0]) &&
      initialised(&z->square[0]);

    predicate cholesky_room{L}(fixed_matrix *l, fixed_matrix *g) =
      l->rows == l->cols <= 0x7fffffff && 1 <= g->cols &&
      (\forall integer i, j; 0 <= j <= i < l->rows ==> lower_index(i, j) < g->rows);

    predicate cholesky_memory{L}(fixed_matrix *l, fixed_matrix *g, mpz_srcptr t, mpfr_ptr squares,
                                 cholesky_scratch *z) =
      \valid(l) && \valid_read(g) && \valid_read(t) && mpz_initialised(t) && \valid(squares) &&
      initialised(squares) && \valid(z) && cholesky_scratch_ready(z) && \separated(l, g, t, squares, z); */

/* l_ij, j <= i, from the entries before it in the rows i and j; squares += r_ij^2, twice beside the diagonal, upward.
 * CHOLESKY_NOT_POSITIVE: the pivot c_ii is not; CHOLESKY_TOO_LONG: l_ij has more digits than there is room for. */
/*@ requires memory: cholesky_memory(s.l, s.g, s.t, squares, z);
    requires room: cholesky_room(s.l, s.g);
    requires position: j <= i < s.l->rows;
    requires pivot: j < i ==> 1.0 <= integer_at(s.l->model_integers, j, j);
    terminates \true;
    assigns s.l->model_integers, *squares, *z;
    ensures done: \result == CHOLESKY_DONE ==>
      other_integers(\old(s.l->model_integers), s.l->model_integers, i, j);
    ensures kept: \result != CHOLESKY_DONE ==> s.l->model_integers == \old(s.l->model_integers);
    ensures pivot: \result == CHOLESKY_DONE ==> i == j ==> 1.0 <= integer_at(s.l->model_integers, i, i);
    ensures least: \result == CHOLESKY_DONE ==> i == j ==>
      0.0 <= cholesky_rest(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i, i);
    ensures root: \result == CHOLESKY_DONE ==> i == j ==>
      cholesky_rest(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i, i) <=
        2.0 * integer_at(s.l->model_integers, i, i);
    ensures nearest: \result == CHOLESKY_DONE ==> j < i ==>
      2.0 * \abs(cholesky_rest(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i, j)) <=
        integer_at(s.l->model_integers, j, j);
    ensures squares: \result == CHOLESKY_DONE ==> \forall real x; at_least{Pre}(squares, x) ==>
      at_least(squares, x + counted_square(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i, j)); */
cholesky_outcome integer_cholesky_entry(cholesky_system s, mpfr_ptr squares, size_t i, size_t j, cholesky_scratch *z);

/* Row i in the columns first <= j < end, j <= i, for the rows before it and the columns before them. */
/*@ requires memory: cholesky_memory(s.l, s.g, s.t, squares, z);
    requires room: cholesky_room(s.l, s.g);
    requires position: first <= i < s.l->rows && first <= end;
    requires pivots: pivots(s.l->model_integers, end < i ? end : i);
    terminates \true;
    assigns s.l->model_integers, *squares, *z;
    ensures rows: other_rows(\old(s.l->model_integers), s.l->model_integers, i);
    ensures columns: same_integers(\old(s.l->model_integers), s.l->model_integers, i, first);
    ensures pivot: \result == CHOLESKY_DONE ==> first <= i < end ==> 1.0 <= integer_at(s.l->model_integers, i, i);
    ensures squares: \result == CHOLESKY_DONE ==>
      at_least{Pre}(squares, cholesky_squares(\old(s.l->model_integers), s.g->model_integers, mpz_value(s.t), i,
                                              first)) ==>
      at_least(squares, cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i,
                                         end <= i ? end : i + 1)); */
cholesky_outcome integer_cholesky_row(cholesky_system s, mpfr_ptr squares, size_t i, size_t first, size_t end,
                                      cholesky_scratch *z);

#endif
