/* The norm of an explicit Jacobian, from the largest eigenvalue of its Gram matrix in integers. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_NORM_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_NORM_H

#include "certify/explicit/explicit_gram.h"

#ifdef __FRAMAC__
#include "explicit_rows/enclosed.acsl"
#include "theorems/explicit_norm_lemmas.acsl"
#endif

/* upper >= ||A||_2 for every matrix A within j->radius of j's midpoints in the Frobenius norm; NaN claims nothing.
 * guess: an estimate of ||mid||_2^2, of any quality; slack, better: as for explicit_gram_upper. Errors: those of
 * explicit_gram_init and explicit_gram_upper. (Coq: `integer_norm`, `integer_norm_transposed`.) */
/*@ requires valid: \valid(upper) && \valid_read(j) && gram_source(j) && \valid_read(guess) &&
      (better == \null || \valid_read(better)) && \valid_read(options) && (err == \null || \valid(err));
    requires live: initialised(upper) && initialised(guess) && initialised(&j->radius[0]);
    requires separated: \separated(upper, j, j->mid + (0 .. row(j->rows, j->cols) - 1), err, options) &&
      \separated(guess, upper, err);
    terminates \true;
    assigns *upper, *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures norm: \result == ATTCERT_OK ==> \forall rvec a; enclosed_by{Pre}(j, a) ==>
      norm_above(upper, a, j->rows, j->cols); */
attcert_status explicit_norm_upper(mpfr_ptr upper, const explicit_jacobian *j, mpfr_srcptr guess, double slack,
                                   const explicit_gram_guess *better, const attcert_options *options,
                                   attcert_error *err);

#endif
