/* <gmp.h> as the proofs see it: an integer is its value, and a function is its contract. Frama-C finds this file in
 * place of GMP's own; the compiler never does. Every clause is a trusted statement about GMP (proofs/TRUST.md) and is
 * compared with the library on random operands (tests/property/test_gmp_contracts.c). Only what `--engine mpfr` uses is
 * stated.
 *
 * floor(x / y) is stated as what integers make of it: y q + r == x with 0 <= r <= y - 1. */
#ifndef ATTCERT_SPEC_GMP_MODEL_GMP_H
#define ATTCERT_SPEC_GMP_MODEL_GMP_H

#include <stddef.h>

typedef struct {
  double model_value;
} __mpz_struct;
typedef __mpz_struct mpz_t[1];
typedef __mpz_struct *mpz_ptr;
typedef const __mpz_struct *mpz_srcptr;
typedef unsigned long mp_bitcnt_t;

#include "arithmetic/power_of_two_lemmas.acsl"
#include "arithmetic/product_lemmas.acsl"
#include "integer/mpz.acsl"
#include "integer/mpz_life.acsl"

/* ---- life ---- */

/*@ requires \valid(x);
    terminates \true;
    assigns *x, mpz_lives \from \nothing;
    ensures zero: mpz_value(x) == 0.0;
    ensures initialised: mpz_initialised(x);
    ensures others: other_mpz_lives{Pre, Post}(x); */
void mpz_init(mpz_ptr x);

/*@ requires \valid(x);
    requires initialised: mpz_initialised(x);
    terminates \true;
    assigns *x, mpz_lives \from \nothing;
    ensures cleared: !mpz_initialised(x);
    ensures others: other_mpz_lives{Pre, Post}(x); */
void mpz_clear(mpz_ptr x);

/* ---- giving an integer its value ---- */

/*@ requires \valid(r);
    requires initialised: mpz_initialised(r);
    terminates \true;
    assigns r->model_value \from x;
    ensures equal: mpz_value(r) == x; */
void mpz_set_ui(mpz_ptr r, unsigned long x);

/* ---- arithmetic: the operands may be the result ---- */

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: mpz_initialised(r) && mpz_initialised(a);
    terminates \true;
    assigns r->model_value \from *a;
    ensures negative: mpz_value(r) == -mpz_value{Pre}(a); */
void mpz_neg(mpz_ptr r, mpz_srcptr a);

/*@ requires \valid(r) && \valid_read(a) && \valid_read(b);
    requires initialised: mpz_initialised(r) && mpz_initialised(a) && mpz_initialised(b);
    terminates \true;
    assigns r->model_value \from *a, *b;
    ensures sum: mpz_value(r) == mpz_value{Pre}(a) + mpz_value{Pre}(b); */
void mpz_add(mpz_ptr r, mpz_srcptr a, mpz_srcptr b);

/*@ requires \valid(r) && \valid_read(a) && \valid_read(b);
    requires initialised: mpz_initialised(r) && mpz_initialised(a) && mpz_initialised(b);
    terminates \true;
    assigns r->model_value \from *a, *b;
    ensures difference: mpz_value(r) == mpz_value{Pre}(a) - mpz_value{Pre}(b); */
void mpz_sub(mpz_ptr r, mpz_srcptr a, mpz_srcptr b);

/*@ requires \valid(r) && \valid_read(a);
    requires initialised: mpz_initialised(r) && mpz_initialised(a);
    terminates \true;
    assigns r->model_value \from *a, bits;
    ensures product: mpz_value(r) == prod(mpz_value{Pre}(a), power_of_two(bits)); */
void mpz_mul_2exp(mpz_ptr r, mpz_srcptr a, mp_bitcnt_t bits);

/* q = floor(a / 2^bits). */
/*@ requires \valid(q) && \valid_read(a);
    requires initialised: mpz_initialised(q) && mpz_initialised(a);
    terminates \true;
    assigns q->model_value \from *a, bits;
    ensures least: prod(mpz_value(q), power_of_two(bits)) <= mpz_value{Pre}(a);
    ensures most: mpz_value{Pre}(a) - prod(mpz_value(q), power_of_two(bits)) <= power_of_two(bits) - 1.0; */
void mpz_fdiv_q_2exp(mpz_ptr q, mpz_srcptr a, mp_bitcnt_t bits);

/* q = floor(a / d), r = a - q d. */
/*@ requires \valid(q) && \valid(r) && \valid_read(a) && \valid_read(d) && \separated(q, r);
    requires initialised: mpz_initialised(q) && mpz_initialised(r) && mpz_initialised(a) && mpz_initialised(d);
    requires positive: 1.0 <= mpz_value(d);
    terminates \true;
    assigns q->model_value, r->model_value \from *a, *d;
    ensures exact: mpz_value{Pre}(a) == prod(mpz_value(q), mpz_value{Pre}(d)) + mpz_value(r);
    ensures least: 0.0 <= mpz_value(r);
    ensures most: mpz_value(r) <= mpz_value{Pre}(d) - 1.0; */
void mpz_fdiv_qr(mpz_ptr q, mpz_ptr r, mpz_srcptr a, mpz_srcptr d);

/* root = floor(sqrt(a)), r = a - root^2. */
/*@ requires \valid(root) && \valid(r) && \valid_read(a) && \separated(root, r);
    requires initialised: mpz_initialised(root) && mpz_initialised(r) && mpz_initialised(a);
    requires not_negative: 0.0 <= mpz_value(a);
    terminates \true;
    assigns root->model_value, r->model_value \from *a;
    ensures exact: mpz_value{Pre}(a) == prod(mpz_value(root), mpz_value(root)) + mpz_value(r);
    ensures least: 0.0 <= mpz_value(r);
    ensures most: mpz_value(r) <= 2.0 * mpz_value(root);
    ensures positive: 1.0 <= mpz_value{Pre}(a) ==> 1.0 <= mpz_value(root); */
void mpz_sqrtrem(mpz_ptr root, mpz_ptr r, mpz_srcptr a);

/* ---- questions ---- */

/*@ requires \valid_read(a);
    requires initialised: mpz_initialised(a);
    terminates \true;
    assigns \result \from *a;
    ensures positive: 0 < \result <==> 1.0 <= mpz_value(a);
    ensures negative: \result < 0 <==> mpz_value(a) <= -1.0;
    ensures zero: \result == 0 <==> 0.0 <= mpz_value(a) <= 0.0; */
int mpz_sgn(mpz_srcptr a);

/* The number of binary digits of |a|; 1 for 0. */
/*@ requires \valid_read(a);
    requires initialised: mpz_initialised(a);
    requires binary: base == 2;
    terminates \true;
    assigns \result \from *a, base;
    ensures least: 1 <= \result;
    ensures room: \abs(mpz_value(a)) <= power_of_two(\result) - 1.0;
    ensures needed: 1 < \result ==> power_of_two(\result - 1) <= \abs(mpz_value(a)); */
size_t mpz_sizeinbase(mpz_srcptr a, int base);

#ifdef ATTCERT_SPEC_MPFR_MODEL_MPFR_H /* else mpfr.h includes it */
#include "mpfr_integer.h"
#endif

#endif
