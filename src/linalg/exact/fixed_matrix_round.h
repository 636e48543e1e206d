/* Numbers of MPFR, rounded to entries of a matrix in fixed point. */
#ifndef ATTCERT_LINALG_EXACT_FIXED_MATRIX_ROUND_H
#define ATTCERT_LINALG_EXACT_FIXED_MATRIX_ROUND_H

#include "interval/point_vec.h"
#include "linalg/exact/fixed_matrix.h"

#ifdef __FRAMAC__
#include "arithmetic/power_of_two_inverse_lemmas.acsl"
#include "integer/rounded_row_lemmas.acsl"
#endif

/* FIXED_TOO_LONG: x is no number, or has more digits than there is room for; nothing is written. */
typedef enum { FIXED_EXACT, FIXED_ROUNDED, FIXED_TOO_LONG } fixed_rounding;

/* Entry (i, j) := x rounded to the nearest multiple of 2^exponent, off by at most half of that. */
/*@ requires valid: \valid(m) && \valid_read(x) && initialised(x) && \separated(m, x);
    requires position: i < m->rows && j < m->cols;
    requires exponent: -0x7fffffffffffffff <= m->exponent;
    terminates \true;
    assigns m->model_integers, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures kept: \result == FIXED_TOO_LONG ==> m->model_integers == \old(m->model_integers);
    ensures others: other_integers(\old(m->model_integers), m->model_integers, i, j);
    ensures number: \result != FIXED_TOO_LONG ==> number(x);
    ensures exact: \result == FIXED_EXACT ==>
      value(x) == prod(integer_at(m->model_integers, i, j), power_of_two(m->exponent));
    ensures near: \result != FIXED_TOO_LONG ==>
      2.0 * \abs(value(x) - prod(integer_at(m->model_integers, i, j), power_of_two(m->exponent))) <=
        power_of_two(m->exponent); */
fixed_rounding fixed_matrix_round(fixed_matrix *m, size_t i, size_t j, mpfr_srcptr x);

/* Row i := numbers rounded so, x[k stride] to column k; *inexact counts those that were no multiple of 2^exponent.
 * Returns false when one is FIXED_TOO_LONG. */
/*@ requires valid: \valid(m) && \valid(inexact) && \separated(m, inexact);
    requires numbers: \forall integer k; 0 <= k < m->cols ==> \valid_read(x + row(k, stride)) &&
      live_point(x + row(k, stride)) && \separated(m, inexact, x + row(k, stride));
    requires position: i < m->rows;
    requires exponent: -0x7fffffffffffffff <= m->exponent;
    requires counted: row(m->cols, stride) <= SIZE_MAX;
    terminates \true;
    assigns m->model_integers, *inexact, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures others: other_rows(\old(m->model_integers), m->model_integers, i);
    ensures counted: *inexact <= m->cols;
    ensures numbers: \result ==> \forall integer k; 0 <= k < m->cols ==> number{Pre}(&(x + row(k, stride))->v[0]);
    ensures near: \result ==> \forall rvec r; strided_points_are{Pre}(x, stride, r, m->cols) ==>
      4.0 * rounding_squares(r, m->model_integers, i, power_of_two(m->exponent), m->cols) <=
        prod(*inexact, prod(power_of_two(m->exponent), power_of_two(m->exponent))); */
bool fixed_matrix_round_row(fixed_matrix *m, size_t i, const point *x, size_t stride, size_t *inexact);

#endif
