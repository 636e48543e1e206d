/* The Gram matrix of an explicit Jacobian and its certified largest eigenvalue, in integers: nothing from BLAS or
 * LAPACK.
 *
 * A is the matrix of the Jacobian's midpoints or its transpose, whichever has fewer rows; A~ = A - D is A rounded to
 * multiples of one power of two 2^e. G~ = A~ A~^T has integer entries in units of 2^(2e) and is computed exactly
 * (integer_gram.h); so are the Cholesky factor of tau^2 I - G~ and its remainder (integer_cholesky.h). What was rounded
 * is D: with c entries off by at most 2^(e-1),
 *   ||D||_F <= 2^(e-1) sqrt(c),   ||G~ - A A^T||_2 <= (2 ||A||_F + ||D||_F) ||D||_F      (gram_rounding.h).
 * The bits are chosen from the size: with 2^(x-1) <= max |a_ij| < 2^x and A m x k,
 *   e <= x - 2 - p - log2(m sqrt(k))  gives  ||D||_F <= 2^(-2-p) ||A||_2 / sqrt(m) and an error below 2^-p ||A||_2^2,
 * as ||A||_F <= sqrt(m) ||A||_2 and 2^(x-1) <= ||A||_2. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_GRAM_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_GRAM_H

#include "certify/explicit/explicit_gram_guess.h"
#include "certify/explicit/explicit_jacobian.h"
#include "linalg/exact/fixed_matrix.h"
#include "linalg/exact/integer_gram.h"

#ifdef __FRAMAC__
#include "linalg/rounding/sum_upward.h"

#include "integer/gram_eigenvalue_lemmas.acsl"
#include "integer/rounded_matrix_lemmas.acsl"
#endif

enum { EXPLICIT_GRAM_PRECISION = 64 /* p: below what the 53 bits of a certificate's ends can show */ };

/* ||G~ - A A^T||_2 <= error. Entry (i, j), j <= i, is integer (explicit_gram_index(i, j), 0) of g. */
typedef struct {
  int n;
  fixed_matrix g; /* an even number of digits: half of them hold A~, and L */
  mpfr_t error;   /* 64 bits */
} explicit_gram;

/*@ requires position: 0 <= j && 0 <= i <= 0x40000000;
    terminates \true;
    assigns \nothing;
    ensures index: \result == lower_index(i, j); */
static inline size_t explicit_gram_index(int i, int j) {
  return (size_t)i * ((size_t)i + 1) / 2 + (size_t)j;
}

/*@ predicate gram_ready{L}(explicit_gram *g) =
      1 <= g->n <= 0x40000000 && g->g.rows == lower_index(g->n, 0) && g->g.cols == 1 && g->g.digits <= 0x20000 &&
      -0x7fffffffffffffff <= g->g.exponent && initialised(&g->error[0]);

    predicate gram_source{L}(explicit_jacobian *j) =
      1 <= j->rows <= 0x40000000 && 1 <= j->cols <= 0x40000000 &&
      \valid_read(j->mid + (0 .. row(j->rows, j->cols) - 1)) && live_points(j->mid, row(j->rows, j->cols));

    // A has gram_side rows and gram_width columns.
    logic integer gram_side{L}(explicit_jacobian *j) = j->cols < j->rows ? j->cols : j->rows;
    logic integer gram_width{L}(explicit_jacobian *j) = j->cols < j->rows ? j->rows : j->cols;
    predicate integers_multiplied{L}(explicit_gram *g, explicit_jacobian *j, real b, integer e) =
      2 * e == g->g.exponent && g->n == gram_side(j) && gram_rows(g->g.model_integers, b, 0, g->n, gram_width(j));
    predicate rounding_bounded{L}(mpfr_srcptr error, explicit_jacobian *j, rvec r, real b, integer e) =
      \forall real d;
        d == rounding_sum(r, j->cols, j->cols < j->rows ? 1 : 0, b, power_of_two(e), gram_width(j), gram_side(j)) ==>
        nan(error) || at_least(error, prod(2.0 * rroot(squares_from(0.0, r, row(j->rows, j->cols))) + rroot(d),
                                           rroot(d)));

    // The integers b are A~ in units of 2^e, g holds their Gram matrix, and error bounds what was rounded away.
    predicate gram_of{L1, L2}(explicit_gram *g, explicit_jacobian *j, real b, integer e) =
      integers_multiplied{L2}(g, j, b, e) && \forall rvec r;
        points_are{L1}(\at(j->mid, L1), r, \at(row(j->rows, j->cols), L1)) ==>
        rounding_bounded{L2}(\at(&g->error[0], L2), j, r, b, e); */

/* Bytes of the Gram matrix and of A~; the factor comes when A~ is gone, and is no larger. */
uint64_t explicit_gram_bytes(const attcert_layer *layer, int n);

/* error <= 2^-p ||A||_2^2. Errors: ATTCERT_RESOURCE; ATTCERT_FAULT when an entry is not what it can be. */
/*@ requires valid: \valid(g) && \valid_read(j) && gram_source(j) && \valid_read(options) &&
      (err == \null || \valid(err));
    requires separated: \separated(g, j, j->mid + (0 .. row(j->rows, j->cols) - 1), err, options);
    terminates \true;
    assigns *g, *err, mpfr_lives, mpz_lives;
    ensures lives: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> initialised{Pre}(x) ==> x != &g->error[0] ==>
      same_life{Pre, Post}(x);
    ensures integers: same_mpz_lives{Pre, Post};
    ensures ready: \result == ATTCERT_OK ==> gram_ready(g) && owned(&g->error[0]);
    ensures gram: \result == ATTCERT_OK ==> \exists real b, integer e; gram_of{Pre, Post}(g, j, b, e); */
attcert_status explicit_gram_init(explicit_gram *g, const explicit_jacobian *j, const attcert_options *options,
                                  attcert_error *err);
/*@ requires valid: \valid(g) && owned(&g->error[0]);
    terminates \true;
    assigns *g, mpfr_lives;
    ensures cleared: !initialised(&g->error[0]) && other_lives{Pre, Post}(&g->error[0]); */
void explicit_gram_clear(explicit_gram *g);

/* upper >= lambda_max(A A^T), error included. guess: an estimate from below (its lower bound, say); slack: the first
 * relative distance of tau^2 from it. While tau^2 I - G~ has no Cholesky factor, a better guess (NULL: none) is taken a
 * few times, then the slack raised. guess may be upper. With t = ceil(tau^2 / 2^(2e)) and
 * the remainder R = t I - 2^(-2e) G~ - L L^T,
 *   lambda_max <= tau^2 + 2^(2e) + 2^(2e) ||R||_F + error      (Coq: `factored_eigenvalue`, `rounded_gram`). */
/*@ requires valid: \valid(upper) && \valid_read(g) && gram_ready(g) && \valid_read(guess) &&
      (better == \null || \valid_read(better)) && \valid_read(options) && (err == \null || \valid(err));
    requires live: initialised(upper) && initialised(guess);
    requires separated: \separated(upper, g, err, options) && \separated(guess, err);
    terminates \true;
    assigns upper->model_value, upper->model_kind, *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures bound: \result == ATTCERT_OK ==> \forall real x; at_least{Pre}(&g->error[0], x) ==>
      eigenvalue_bounded(upper, g->g.model_integers, g->n, g->g.exponent, x);
    ensures nothing: \result == ATTCERT_OK ==> nan{Pre}(&g->error[0]) ==> nan(upper); */
attcert_status explicit_gram_upper(mpfr_t upper, const explicit_gram *g, mpfr_srcptr guess, double slack,
                                   const explicit_gram_guess *better, const attcert_options *options,
                                   attcert_error *err);

/* a (n x n, row-major, full) := 2^-*exponent G~ in double, entries at most 1 in magnitude;
 * *error >= || a - 2^-*exponent A A^T ||_2. */
void explicit_gram_to_double(double *a, long *exponent, double *error, const explicit_gram *g);

#endif
