/* Cholesky factorisation in integers, with its remainder: for a symmetric matrix G and a shift t,
 *   t I - G = L L^T + R,  exactly.
 * Column by column (Golub, Van Loan, Matrix Computations, 4th ed., section 4.2); the entries: integer_cholesky_row.h.
 * The sums of the elimination are those of the residual, which costs nothing more. As L L^T is positive semidefinite,
 *   lambda_max(G) <= t + ||R||_2 <= t + ||R||_F      (Coq: `factored_eigenvalue`, in the numbers kept here). */
#ifndef ATTCERT_LINALG_EXACT_INTEGER_CHOLESKY_H
#define ATTCERT_LINALG_EXACT_INTEGER_CHOLESKY_H

#include "attcert.h"
#include "linalg/exact/integer_cholesky_row.h"

#ifdef __FRAMAC__
#include "integer/remainder_norm_lemmas.acsl"
#endif

typedef struct {
  fixed_matrix l;       /* n x n, lower triangle */
  fixed_matrix squares; /* n x 1: squares of row i of R's lower triangle, twice beside the diagonal, upward */
  size_t failed;        /* the column whose pivot is not positive; n: none, or another failure */
} integer_cholesky;

/*@ predicate factor_sides{L}(integer_cholesky *f, integer n) =
      f->l.rows == n && f->l.cols == n && f->squares.rows == n && f->squares.cols == 1;
    predicate factor_memory{L}(integer_cholesky *f, fixed_matrix *g, mpz_srcptr t, integer n) =
      \valid(f) && \valid_read(g) && \valid_read(t) && mpz_initialised(t) && factor_sides(f, n) &&
      \separated(f, g, t) && cholesky_room(&f->l, g); */

/* Room for a factor of side n whose entries have `digits` digits. Errors: ATTCERT_RESOURCE. integer_cholesky_clear is
 * due either way. */
/*@ requires valid: \valid(f) && (err == \null || \valid(err)) && \separated(f, err);
    requires digits: digits <= SIZE_MAX / 2;
    terminates \true;
    assigns *f, *err, \result;
    ensures sides: \result == ATTCERT_OK ==> factor_sides(f, n); */
attcert_status integer_cholesky_init(integer_cholesky *f, size_t n, size_t digits, attcert_error *err);

/*@ requires valid: \valid(f);
    terminates \true;
    assigns f->l.digit, f->squares.digit; */
void integer_cholesky_clear(integer_cholesky *f);

/* residual >= ||R||_F for G with the lower triangle g: (i, j), j <= i, is integer (i (i + 1) / 2 + j, 0).
 * Returns false when a pivot is not positive or an entry of L has more digits than there is room for: t I - G is
 * then not known to be positive. */
/*@ requires memory: factor_memory(f, g, t, f->l.rows);
    requires residual: \valid(residual) && initialised(residual) &&
      \separated(residual, f, g, t);
    terminates \true;
    assigns f->l.model_integers, f->squares.model_integers, f->failed, *residual, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures column: f->failed <= f->l.rows;
    ensures identity: \forall integer i, j; 0 <= j <= i < f->l.rows ==>
      shifted_entry(g->model_integers, mpz_value(t), i, j) ==
        integer_dot(f->l.model_integers, i, f->l.model_integers, j, j + 1) +
        cholesky_rest(f->l.model_integers, g->model_integers, mpz_value(t), i, j);
    ensures counted: \forall integer i, j; 0 <= j <= i < f->l.rows ==>
      counted_square(f->l.model_integers, g->model_integers, mpz_value(t), i, j) ==
        (j < i ? 2.0 : 1.0) * rest_square(f->l.model_integers, g->model_integers, mpz_value(t), i, j);
    ensures residual: \result ==> \forall rvec r;
      remainder_rows(r, f->l.model_integers, g->model_integers, mpz_value(t), f->l.rows) ==>
      at_least(residual, rroot(sum_from(0.0, r, f->l.rows))); */
bool integer_cholesky_residual(mpfr_ptr residual, integer_cholesky *f, const fixed_matrix *g, mpz_srcptr t,
                               int threads);

#endif
