/* The part of <mpfr.h> about the integers of GMP. An integer has fewer than 2^38 binary digits (GMP counts limbs in an
 * int), far less than MPFR's greatest exponent, so that none becomes infinite. */
#ifndef ATTCERT_SPEC_MPFR_MODEL_MPFR_INTEGER_H
#define ATTCERT_SPEC_MPFR_MODEL_MPFR_INTEGER_H

#include <gmp.h>
#include <mpfr.h>

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && mpz_initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, r->model_precision, rnd;
    ensures number: number(r);
    ensures rounded: rounded(r, mpz_value(a), rnd);
    ensures away: rnd == MPFR_RNDA ==> \abs(mpz_value(a)) <= \abs(value(r));
    ensures exact: \result == 0 ==> value(r) == mpz_value(a); */
int mpfr_set_z(mpfr_ptr r, mpz_srcptr a, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: initialised(r) && mpz_initialised(a);
    terminates \true;
    assigns r->model_value, r->model_kind, \result \from *a, r->model_precision, e, rnd;
    ensures rounded: rounded(r, prod(mpz_value(a), power_of_two(e)), rnd);
    ensures exact: \result == 0 ==> number(r) && value(r) == prod(mpz_value(a), power_of_two(e)); */
int mpfr_set_z_2exp(mpfr_ptr r, mpz_srcptr a, mpfr_exp_t e, mpfr_rnd_t rnd);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: mpz_initialised(r) && initialised(a);
    requires number: number(a);
    terminates \true;
    assigns r->model_value, \result \from *a, rnd;
    ensures nearest: rnd == MPFR_RNDN ==> -1.0 <= 2.0 * (mpz_value(r) - value(a)) <= 1.0;
    ensures down: rnd == MPFR_RNDD ==> mpz_value(r) <= value(a) && value(a) < mpz_value(r) + 1.0;
    ensures up: rnd == MPFR_RNDU ==> value(a) <= mpz_value(r) && mpz_value(r) < value(a) + 1.0;
    ensures exact: \result == 0 <==> value(a) <= mpz_value(r) <= value(a); */
int mpfr_get_z(mpz_ptr r, mpfr_srcptr a, mpfr_rnd_t rnd);

#endif
