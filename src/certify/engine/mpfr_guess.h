/* Where the engine mpfr tries first. */
#ifndef ATTCERT_CERTIFY_ENGINE_MPFR_GUESS_H
#define ATTCERT_CERTIFY_ENGINE_MPFR_GUESS_H

#include "certify/explicit/explicit_gram_guess.h"

/* An estimate of ||J||_2^2 from `better`, called without a direction (NULL). Of any quality: a bound rests on none. The
 * callback writes to its own context and err only. */
/*@ requires valid: \valid(guess) && initialised(guess) && \valid_read(better) && (err == \null || \valid(err));
    terminates \true;
    assigns guess->model_value, guess->model_kind, *err, mpfr_lives, mpz_lives, \result;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post}; */
attcert_status mpfr_guess(mpfr_ptr guess, const explicit_gram_guess *better, attcert_error *err);

#endif
