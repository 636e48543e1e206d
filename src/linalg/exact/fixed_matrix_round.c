#include "linalg/exact/fixed_matrix_round.h"

/* Away from 0, so that what underflows is no smaller than it was: if it rounds to 0, so does x. */
/*@ requires valid: \valid(m) && \valid_read(x) && initialised(x) && \valid(scaled) && initialised(scaled) &&
      \valid(nearest) && mpz_initialised(nearest) && \separated(m, x, scaled, nearest);
    requires position: i < m->rows && j < m->cols;
    requires exponent: -0x7fffffffffffffff <= m->exponent;
    terminates \true;
    assigns m->model_integers, *scaled, *nearest;
    ensures kept: \result == FIXED_TOO_LONG ==> m->model_integers == \old(m->model_integers);
    ensures others: other_integers(\old(m->model_integers), m->model_integers, i, j);
    ensures number: \result != FIXED_TOO_LONG ==> number(x);
    ensures exact: \result == FIXED_EXACT ==>
      value(x) == prod(integer_at(m->model_integers, i, j), power_of_two(m->exponent));
    ensures near: \result != FIXED_TOO_LONG ==>
      2.0 * \abs(value(x) - prod(integer_at(m->model_integers, i, j), power_of_two(m->exponent))) <=
        power_of_two(m->exponent); */
static fixed_rounding round_scaled(fixed_matrix *m, size_t i, size_t j, mpfr_srcptr x, mpfr_ptr scaled,
                                   mpz_ptr nearest) {
  if (!mpfr_number_p(x)) return FIXED_TOO_LONG;
  const bool shifted = mpfr_mul_2si(scaled, x, -m->exponent, MPFR_RNDA) == 0;
  if (!mpfr_number_p(scaled)) return FIXED_TOO_LONG;
  const bool whole = mpfr_get_z(nearest, scaled, MPFR_RNDN) == 0;
  if ((!shifted && mpz_sgn(nearest) != 0) || !fixed_matrix_fits(m, nearest)) return FIXED_TOO_LONG;
  /*@ assert near: -1.0 <= 2.0 * (mpz_value(nearest) - prod(value(x), power_of_two(-m->exponent))) <= 1.0; */
  fixed_matrix_set(m, i, j, nearest);
  return shifted && whole ? FIXED_EXACT : FIXED_ROUNDED;
}

fixed_rounding fixed_matrix_round(fixed_matrix *m, size_t i, size_t j, mpfr_srcptr x) {
  mpfr_t scaled;
  mpz_t nearest;
  mpfr_init2(scaled, mpfr_get_prec(x));
  mpz_init(nearest);
  const fixed_rounding rounding = round_scaled(m, i, j, x, scaled, nearest);
  mpz_clear(nearest);
  mpfr_clear(scaled);
  return rounding;
}

bool fixed_matrix_round_row(fixed_matrix *m, size_t i, const point *x, size_t stride, size_t *inexact) {
  *inexact = 0;
  size_t at = 0, count = 0;
  /*@ loop invariant range: 0 <= k <= m->cols;
      loop invariant place: at == row(k, stride);
      loop invariant counted: 0 <= count <= k;
      loop invariant lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
      loop invariant others: other_rows(\at(m->model_integers, Pre), m->model_integers, i);
      loop invariant numbers: \forall integer c; 0 <= c < k ==> number{Pre}(&(x + row(c, stride))->v[0]);
      loop invariant near: \forall rvec r; strided_points_are{Pre}(x, stride, r, k) ==>
        4.0 * rounding_squares(r, m->model_integers, i, power_of_two(m->exponent), k) <=
          prod(count, prod(power_of_two(m->exponent), power_of_two(m->exponent)));
      loop assigns k, at, m->model_integers, count, mpfr_lives, mpz_lives;
      loop variant m->cols - k; */
  for (size_t k = 0; k < m->cols; k++, at += stride) {
    const fixed_rounding rounding = fixed_matrix_round(m, i, k, x[at].v);
    if (rounding == FIXED_TOO_LONG) return false;
    /*@ assert earlier: \forall rvec r;
          rounding_squares(r, m->model_integers, i, power_of_two(m->exponent), k) ==
          rounding_squares(r, \at(m->model_integers, LoopCurrent), i, power_of_two(m->exponent), k); */
    /*@ assert next: \forall rvec r;
          rounding_squares(r, m->model_integers, i, power_of_two(m->exponent), k + 1) ==
          rounding_squares(r, m->model_integers, i, power_of_two(m->exponent), k) +
          rounding_square(r, m->model_integers, i, power_of_two(m->exponent), k); */
    /*@ assert none: rounding == FIXED_EXACT ==> \forall rvec r; strided_points_are{Pre}(x, stride, r, k + 1) ==>
          vanishes(rounding_square(r, m->model_integers, i, power_of_two(m->exponent), k)); */
    /*@ assert some: \forall rvec r; strided_points_are{Pre}(x, stride, r, k + 1) ==>
          4.0 * rounding_square(r, m->model_integers, i, power_of_two(m->exponent), k) <=
            prod(power_of_two(m->exponent), power_of_two(m->exponent)); */
    /*@ assert unchanged_sum: rounding == FIXED_EXACT ==> \forall rvec r;
          strided_points_are{Pre}(x, stride, r, k + 1) ==>
          4.0 * rounding_squares(r, m->model_integers, i, power_of_two(m->exponent), k + 1) <=
            prod(count, prod(power_of_two(m->exponent), power_of_two(m->exponent))); */
    /*@ assert larger_sum: \forall rvec r; strided_points_are{Pre}(x, stride, r, k + 1) ==>
          4.0 * rounding_squares(r, m->model_integers, i, power_of_two(m->exponent), k + 1) <=
            prod(count + 1, prod(power_of_two(m->exponent), power_of_two(m->exponent))); */
    if (rounding != FIXED_EXACT) count++;
  }
  *inexact = count;
  return true;
}
