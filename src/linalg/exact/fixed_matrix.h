/* Matrices in fixed point, integers times one power of two: their inner products are sums of
 * integers, without any rounding.
 *
 * An integer is held in radix 2^56 with digits of its own sign, x = sum_t x_t 2^(56 t), |x_t| < 2^56. A product of two
 * digits is below 2^112, so that a signed 128-bit integer has room for a sum of 2^14 of them:
 *   x . y = sum_{s,t} 2^(56 (s + t)) sum_k x_ks y_kt. */
#ifndef ATTCERT_LINALG_EXACT_FIXED_MATRIX_H
#define ATTCERT_LINALG_EXACT_FIXED_MATRIX_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __FRAMAC__
#include "integer/fixed_matrix.acsl"
#endif

enum { FIXED_DIGIT_BITS = 56, FIXED_CHUNK = 1 << 14 /* products in one 128-bit sum */ };

typedef struct {
  size_t rows, cols, digits;
  long exponent;  /* an entry is its integer times 2^exponent */
  int64_t *digit; /* [rows][digits][cols], least significant digit first */
#ifdef __FRAMAC__
  double model_integers; /* stands for the integers that the digits make up */
#endif
} fixed_matrix;

/* Bytes that fixed_matrix_init will take; UINT64_MAX when they cannot be counted. */
/*@ terminates \true;
    assigns \result \from rows, cols, digits; */
uint64_t fixed_matrix_bytes(size_t rows, size_t cols, size_t digits);

/* Zeros; false when memory runs out. fixed_matrix_clear may follow either way. */
/*@ requires valid: \valid(m);
    terminates \true;
    assigns *m, \result \from rows, cols, digits, exponent;
    ensures sides: m->rows == rows && m->cols == cols && m->digits == digits && m->exponent == exponent;
    ensures zeros: \result ==> no_integers(m->model_integers); */
bool fixed_matrix_init(fixed_matrix *m, size_t rows, size_t cols, size_t digits, long exponent);
/*@ requires valid: \valid(m);
    terminates \true;
    assigns m->digit \from \nothing; */
void fixed_matrix_clear(fixed_matrix *m);

/* |x| < 2^(56 digits). */
/*@ requires valid: \valid_read(m) && \valid_read(x) && mpz_initialised(x);
    terminates \true;
    assigns \result \from *m, *x;
    ensures fits: \result <==> \abs(mpz_value(x)) < power_of_two(FIXED_DIGIT_BITS * m->digits); */
bool fixed_matrix_fits(const fixed_matrix *m, mpz_srcptr x);

/* Integer (i, j) := x, which fits, and back. */
/*@ requires valid: \valid(m) && \valid_read(x) && mpz_initialised(x);
    requires position: i < m->rows && j < m->cols;
    requires fits: \abs(mpz_value(x)) < power_of_two(FIXED_DIGIT_BITS * m->digits);
    terminates \true;
    assigns m->model_integers \from m->model_integers, i, j, *x;
    ensures set: integer_at(m->model_integers, i, j) == mpz_value(x);
    ensures others: other_integers(\old(m->model_integers), m->model_integers, i, j); */
void fixed_matrix_set(fixed_matrix *m, size_t i, size_t j, mpz_srcptr x);
/*@ requires valid: \valid(x) && \valid_read(m) && mpz_initialised(x);
    requires position: i < m->rows && j < m->cols;
    terminates \true;
    assigns x->model_value \from *m, i, j;
    ensures equal: mpz_value(x) == integer_at(m->model_integers, i, j); */
void fixed_matrix_get(mpz_ptr x, const fixed_matrix *m, size_t i, size_t j);

/* Integer (i, j), which is 0 so far, := x 2^shift, which fits; 0 < |x| < 2^56. */
/*@ requires valid: \valid(m);
    requires position: i < m->rows && j < m->cols;
    requires unset: vanishes(integer_at(m->model_integers, i, j));
    requires size: x != 0 && -0x100000000000000 < x < 0x100000000000000;
    requires fits: \abs(prod(x, power_of_two(shift))) < power_of_two(FIXED_DIGIT_BITS * m->digits);
    terminates \true;
    assigns m->model_integers \from m->model_integers, i, j, x, shift;
    ensures set: integer_at(m->model_integers, i, j) == prod(x, power_of_two(shift));
    ensures others: other_integers(\old(m->model_integers), m->model_integers, i, j); */
void fixed_matrix_set_shifted(fixed_matrix *m, size_t i, size_t j, int64_t x, size_t shift);

/* sum := the sum of a_ik b_jk over k < n in integers, exactly: a multiple of 2^(a->exponent + b->exponent). */
/*@ requires valid: \valid(sum) && \valid_read(a) && \valid_read(b) && mpz_initialised(sum);
    requires position: i < a->rows && j < b->rows && n <= a->cols && n <= b->cols;
    terminates \true;
    assigns sum->model_value \from *a, i, *b, j, n;
    ensures sum: mpz_value(sum) == integer_dot(a->model_integers, i, b->model_integers, j, n); */
void fixed_matrix_dot(mpz_ptr sum, const fixed_matrix *a, size_t i, const fixed_matrix *b, size_t j, size_t n);

#endif
