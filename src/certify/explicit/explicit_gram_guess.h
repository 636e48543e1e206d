/* Where to try a factor of tau^2 I - G~ next. Guesses, which may be of any quality: a bound rests on none. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_GRAM_GUESS_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_GRAM_GUESS_H

#include "attcert.h"
#include "linalg/exact/integer_cholesky.h"

/* Makes an estimate of lambda_max(A A^T), of any quality, from w[n], not 0, with w^T G~ w >= tau^2 w^T w as far as
 * roundings go: tau^2 I - G~ has no Cholesky factor. w is NULL for the first estimate, before there is a G~. Errors:
 * ATTCERT_RESOURCE, ATTCERT_CANCELLED. */
typedef struct {
  attcert_status (*improve)(void *context, mpfr_ptr guess, const double *w, attcert_error *err);
  void *context;
} explicit_gram_guess;

/* Where guess is not positive: guess := upper / (2 n), as lambda_max >= trace / n. */
/*@ requires valid: \valid(guess) && \valid_read(upper) && initialised(guess) && initialised(upper) && 1 <= n;
    terminates \true;
    assigns guess->model_value, guess->model_kind; */
void explicit_gram_first_guess(mpfr_ptr guess, mpfr_srcptr upper, int n);

/* A better guess where the pivot that failed gives one, beyond what double precision could not tell from the old one:
 * whatever the first slack, all attempts then go on from about the same guess. The callback of `better` writes to its
 * own context and err only. */
/*@ requires valid: \valid(guess) && initialised(guess) && \valid(improved) && \valid_read(f) &&
      (better == \null || \valid_read(better));
    terminates \true;
    assigns guess->model_value, guess->model_kind, *improved, *err, mpfr_lives, mpz_lives, \result;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post}; */
attcert_status explicit_gram_improve_guess(mpfr_ptr guess, bool *improved, const integer_cholesky *f,
                                           const explicit_gram_guess *better, attcert_error *err);

#endif
