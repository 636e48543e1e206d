/* Cholesky factorisation in integers, with its remainder: for a symmetric matrix G and a shift t,
 *   t I - G = L L^T + R,  exactly.
 * Column by column (Golub, Van Loan, Matrix Computations, 4th ed., section 4.2); the entries: integer_cholesky_row.h.
 * The sums of the elimination are those of the residual, which costs nothing more. As L L^T is positive semidefinite,
 *   lambda_max(G) <= t + ||R||_2 <= t + ||R||_F      (Coq: `factored_eigenvalue`, in the numbers kept here). */
#ifndef ATTCERT_LINALG_INTEGER_CHOLESKY_H
#define ATTCERT_LINALG_INTEGER_CHOLESKY_H

#include "linalg/integer_cholesky_row.h"

#ifdef __FRAMAC__
#include "integer/remainder_norm_lemmas.acsl"
#endif

typedef struct {
  fixed_matrix l;  /* n x n, lower triangle */
  mpfr_t *squares; /* [n]: squares of row i of R's lower triangle, twice beside the diagonal, upward */
  size_t failed;   /* the column whose pivot is not positive; n: none, or another failure */
} integer_cholesky;

/*@ predicate factor_memory{L}(integer_cholesky *f, fixed_matrix *g, mpz_srcptr t, integer n) =
      \valid(f) && \valid_read(g) && \valid_read(t) && mpz_initialised(t) && n == f->l.rows &&
      \valid(f->squares + (0 .. n - 1)) && live_numbers(f->squares, n) &&
      \separated(f, g, t, f->squares + (0 .. n - 1)) && cholesky_room(&f->l, g); */

/* residual >= ||R||_F for G with the lower triangle g: (i, j), j <= i, is integer (i (i + 1) / 2 + j, 0).
 * Returns false when a pivot is not positive or an entry of L has more digits than there is room for: t I - G is
 * then not known to be positive. */
/*@ requires memory: factor_memory(f, g, t, f->l.rows);
    requires residual: \valid(residual) && initialised(residual) &&
      \separated(residual, f, g, t, f->squares + (0 .. f->l.rows - 1));
    terminates \true;
    assigns f->l.model_integers, f->failed, f->squares[0 .. f->l.rows - 1][0], *residual, mpfr_lives, mpz_lives;
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
