#include "linalg/exact/integer_cholesky_row.h"

/*@ requires range: j <= i < 0x7fffffff;
    terminates \true;
    assigns \nothing;
    ensures index: \result == lower_index(i, j); */
static size_t lower_triangle(size_t i, size_t j) {
  return i * (i + 1) / 2 + j;
}

/* c := c_ij. */
/*@ requires memory: \valid_read(s.l) && \valid_read(s.g) && \valid_read(s.t) && \valid(z) && mpz_initialised(s.t) &&
      cholesky_scratch_ready(z) && \separated(z, s.l, s.g, s.t);
    requires room: cholesky_room(s.l, s.g);
    requires position: j <= i < s.l->rows;
    terminates \true;
    assigns z->c->model_value, z->entry->model_value;
    ensures c: mpz_value(&z->c[0]) == shifted_entry(s.g->model_integers, mpz_value(s.t), i, j) -
      integer_dot(s.l->model_integers, i, s.l->model_integers, j, j); */
static void eliminate(cholesky_scratch *z, cholesky_system s, size_t i, size_t j) {
  fixed_matrix_dot(z->c, s.l, i, s.l, j, j);
  fixed_matrix_get(z->entry, s.g, lower_triangle(i, j), 0);
  mpz_add(z->c, z->c, z->entry);
  if (i == j)
    mpz_sub(z->c, s.t, z->c);
  else
    mpz_neg(z->c, z->c);
}

/* quotient := c / pivot to nearest, remainder := what is left: floor((c + half) / pivot), half = floor(pivot / 2). */
/*@ requires memory: \valid(z) && cholesky_scratch_ready(z);
    requires pivot: 1.0 <= mpz_value(&z->entry[0]);
    terminates \true;
    assigns z->c->model_value, z->half->model_value, z->quotient->model_value, z->remainder->model_value;
    ensures exact: mpz_value{Pre}(&z->c[0]) ==
      prod(mpz_value(&z->quotient[0]), mpz_value{Pre}(&z->entry[0])) + mpz_value(&z->remainder[0]);
    ensures nearest: 2.0 * \abs(mpz_value(&z->remainder[0])) <= mpz_value{Pre}(&z->entry[0]); */
static void divide_by_pivot(cholesky_scratch *z) {
  mpz_fdiv_q_2exp(z->half, z->entry, 1);
  mpz_add(z->c, z->c, z->half);
  mpz_fdiv_qr(z->quotient, z->remainder, z->c, z->entry);
  mpz_sub(z->remainder, z->remainder, z->half);
}

/* quotient := l_ij, remainder := r_ij; false when there is no such entry. */
/*@ requires memory: \valid_read(s.l) && \valid_read(s.g) && \valid_read(s.t) && \valid(z) && mpz_initialised(s.t) &&
      cholesky_scratch_ready(z) && \separated(z, s.l, s.g, s.t);
    requires room: cholesky_room(s.l, s.g);
    requires position: j <= i < s.l->rows;
    requires pivot: j < i ==> 1.0 <= integer_at(s.l->model_integers, j, j);
    terminates \true;
    assigns z->c->model_value, z->entry->model_value, z->half->model_value, z->quotient->model_value,
      z->remainder->model_value;
    ensures divided: \result ==> shifted_entry(s.g->model_integers, mpz_value(s.t), i, j) -
        integer_dot(s.l->model_integers, i, s.l->model_integers, j, j) ==
      prod(mpz_value(&z->quotient[0]), i == j ? mpz_value(&z->quotient[0]) : integer_at(s.l->model_integers, j, j)) +
        mpz_value(&z->remainder[0]);
    ensures root: \result ==> i == j ==> 1.0 <= mpz_value(&z->quotient[0]) &&
      0.0 <= mpz_value(&z->remainder[0]) <= 2.0 * mpz_value(&z->quotient[0]);
    ensures nearest: j < i ==> 2.0 * \abs(mpz_value(&z->remainder[0])) <= integer_at(s.l->model_integers, j, j); */
static bool divide_entry(cholesky_scratch *z, cholesky_system s, size_t i, size_t j) {
  eliminate(z, s, i, j);
  if (i > j) {
    fixed_matrix_get(z->entry, s.l, j, j);
    divide_by_pivot(z);
    return true;
  }
  if (mpz_sgn(z->c) <= 0) return false;
  mpz_sqrtrem(z->quotient, z->remainder, z->c);
  return true;
}

/* squares += remainder^2, twice beside the diagonal: both triangles of R are counted in the lower one. */
/*@ requires memory: \valid(squares) && initialised(squares) && \valid(z) && cholesky_scratch_ready(z) &&
      \separated(squares, z);
    terminates \true;
    assigns *squares, *z;
    ensures upper: \forall real x; at_least{Pre}(squares, x) ==>
      at_least(squares, x + prod(mpz_value{Pre}(&z->remainder[0]), mpz_value{Pre}(&z->remainder[0])) +
        (beside ? prod(mpz_value{Pre}(&z->remainder[0]), mpz_value{Pre}(&z->remainder[0])) : 0.0)); */
static void add_remainder(mpfr_ptr squares, cholesky_scratch *z, bool beside) {
  mpfr_set_z(z->r, z->remainder, MPFR_RNDA); /* no smaller in magnitude */
  /*@ assert magnitude: prod(\abs(value(&z->r[0])), \abs(value(&z->r[0]))) == prod(value(&z->r[0]), value(&z->r[0])); */
  /*@ assert farther: prod(mpz_value(&z->remainder[0]), mpz_value(&z->remainder[0])) <=
        prod(value(&z->r[0]), value(&z->r[0])); */
  sum_upward_square(squares, z->r, z->square);
  /*@ assert once: \forall real x; at_least{Pre}(squares, x) ==>
        at_least(squares, x + prod(mpz_value(&z->remainder[0]), mpz_value(&z->remainder[0]))); */
  if (beside) sum_upward_square(squares, z->r, z->square);
}

/* l_ij := quotient; then the remainder is r_ij. */
/*@ requires memory: \valid(s.l) && \valid_read(s.g) && \valid_read(s.t) && \valid_read(z) &&
      cholesky_scratch_ready(z) && \separated(z, s.l, s.g, s.t);
    requires room: cholesky_room(s.l, s.g);
    requires position: j <= i < s.l->rows;
    requires fits: \abs(mpz_value(&z->quotient[0])) < power_of_two(FIXED_DIGIT_BITS * s.l->digits);
    requires divided: shifted_entry(s.g->model_integers, mpz_value(s.t), i, j) -
        integer_dot(s.l->model_integers, i, s.l->model_integers, j, j) ==
      prod(mpz_value(&z->quotient[0]), i == j ? mpz_value(&z->quotient[0]) : integer_at(s.l->model_integers, j, j)) +
        mpz_value(&z->remainder[0]);
    terminates \true;
    assigns s.l->model_integers;
    ensures others: other_integers(\old(s.l->model_integers), s.l->model_integers, i, j);
    ensures entry: integer_at(s.l->model_integers, i, j) == mpz_value(&z->quotient[0]);
    ensures rest: cholesky_rest(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i, j) ==
      mpz_value(&z->remainder[0]); */
static void put_quotient(cholesky_system s, size_t i, size_t j, const cholesky_scratch *z) {
  fixed_matrix_set(s.l, i, j, z->quotient);
  /*@ assert dot: integer_dot(s.l->model_integers, i, s.l->model_integers, j, j) ==
        integer_dot(\at(s.l->model_integers, Pre), i, \at(s.l->model_integers, Pre), j, j); */
  /*@ assert pivot: integer_at(s.l->model_integers, j, j) ==
        (i == j ? mpz_value(&z->quotient[0]) : integer_at(\at(s.l->model_integers, Pre), j, j)); */
  /*@ assert last: integer_dot(s.l->model_integers, i, s.l->model_integers, j, j + 1) ==
        integer_dot(s.l->model_integers, i, s.l->model_integers, j, j) +
        prod(integer_at(s.l->model_integers, i, j), integer_at(s.l->model_integers, j, j)); */
}

cholesky_outcome integer_cholesky_entry(cholesky_system s, mpfr_ptr squares, size_t i, size_t j, cholesky_scratch *z) {
  if (!divide_entry(z, s, i, j)) return CHOLESKY_NOT_POSITIVE;
  if (!fixed_matrix_fits(s.l, z->quotient)) return CHOLESKY_TOO_LONG;
  put_quotient(s, i, j, z);
  /*@ assert squares: \forall real x; at_least{Pre}(squares, x) ==> at_least(squares, x); */
  //@ ghost Put:;
  add_remainder(squares, z, i > j);
  /*@ assert factor: s.l->model_integers == \at(s.l->model_integers, Put); */
  /*@ assert matrix: s.g->model_integers == \at(s.g->model_integers, Pre) &&
        s.g->model_integers == \at(s.g->model_integers, Put); */
  /*@ assert shift: mpz_value(s.t) == mpz_value{Pre}(s.t) && mpz_value(s.t) == mpz_value{Put}(s.t); */
  /*@ assert rest: cholesky_rest(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i, j) ==
        mpz_value{Put}(&z->remainder[0]); */
  return CHOLESKY_DONE;
}

cholesky_outcome integer_cholesky_row(cholesky_system s, mpfr_ptr squares, size_t i, size_t first, size_t end,
                                      cholesky_scratch *z) {
  /*@ loop invariant range: first <= j <= end && (j <= i + 1 || j == first);
      loop invariant rows: other_rows(\at(s.l->model_integers, Pre), s.l->model_integers, i);
      loop invariant columns: same_integers(\at(s.l->model_integers, Pre), s.l->model_integers, i, first);
      loop invariant pivot: i < j ==> 1.0 <= integer_at(s.l->model_integers, i, i);
      loop invariant matrix: s.g->model_integers == \at(s.g->model_integers, Pre);
      loop invariant shift: mpz_value(s.t) == mpz_value{Pre}(s.t);
      loop invariant squares:
        at_least{Pre}(squares, cholesky_squares(\at(s.l->model_integers, Pre), s.g->model_integers, mpz_value(s.t), i,
                                                first)) ==>
        at_least(squares, cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i, j));
      loop assigns j, s.l->model_integers, *squares, *z;
      loop variant end - j; */
  for (size_t j = first; j < end && j <= i; j++) {
    const cholesky_outcome outcome = integer_cholesky_entry(s, squares, i, j, z);
    if (outcome != CHOLESKY_DONE) return outcome;
    /*@ assert earlier: cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i, j) ==
          cholesky_squares(\at(s.l->model_integers, LoopCurrent), s.g->model_integers, mpz_value(s.t), i, j); */
    /*@ assert sum: cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i, j + 1) ==
          cholesky_squares(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i, j) +
          counted_square(s.l->model_integers, s.g->model_integers, mpz_value(s.t), i, j); */
  }
  return CHOLESKY_DONE;
}
