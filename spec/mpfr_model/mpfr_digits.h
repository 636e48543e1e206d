/* The part of <mpfr.h> about digits and exponents, as far as writing a number as text needs it. A number other than
 * zero is m 2^e with 1/2 <= |m| < 1; MPFR's exponents are below 2^62 in magnitude, and so are those of the digits.
 * Included by the files that write text alone: no other proof needs to know what digits are. */
#ifndef ATTCERT_SPEC_MPFR_MODEL_MPFR_DIGITS_H
#define ATTCERT_SPEC_MPFR_MODEL_MPFR_DIGITS_H

#include "arithmetic/power_of_two.acsl"
#include "format/digit_string.acsl"
#include "format/hex_string.acsl"

/*@ predicate mpfr_exponent(integer e) = -0x4000000000000000 <= e <= 0x4000000000000000; */

/* The e with 2^(e - 1) <= |x| < 2^e, for |x| > 0. */
/*@ axiomatic BinaryExponent {
      logic integer binary_exponent(real x);
    } */

/*@ requires \valid_read(x) && number(x) && !zero(x);
    requires initialised: initialised(x);
    terminates \true;
    assigns \result \from *x;
    ensures range: mpfr_exponent(\result);
    ensures exponent: \result == binary_exponent(\abs(value(x))); */
mpfr_exp_t mpfr_get_exp(mpfr_srcptr x);

/* x becomes m 2^e, or stays as it is. */
/*@ requires \valid(x) && number(x) && !zero(x);
    requires initialised: initialised(x);
    terminates \true;
    assigns x->model_value, \result \from *x, e;
    ensures sign: positive(x) <==> positive{Pre}(x);
    ensures possible: -0x40000000 <= e <= 0x40000000 ==> \result == 0;
    ensures scaled: \result == 0 ==>
      value(x) == prod(value{Pre}(x), power_of_two(e - binary_exponent(\abs(value{Pre}(x)))));
    ensures range: \result == 0 ==> power_of_two(e - 1) <= \abs(value(x)) && \abs(value(x)) < power_of_two(e); */
int mpfr_set_exp(mpfr_ptr x, mpfr_exp_t e);

/* n digits in the base, after a minus sign if any, and a NUL, in memory of MPFR's own, which is nobody else's: x = 0.d1
 * d2 ... base^exponent, rounded. Zero may have a minus sign, too. */
/*@ requires text == \null && \valid(exponent) && \valid_read(x);
    requires initialised: initialised(x);
    requires digits: 2 <= base <= 36 && 1 <= n;
    requires number: number(x);
    terminates \true;
    assigns *exponent, \result \from base, n, *x, rnd;
    ensures exponent: mpfr_exponent(*exponent);
    ensures returned: \result != \null;
    ensures text: \valid_read(\result + (0 .. n + (\result[0] == '-' ? 1 : 0)));
    ensures fresh: \forall char *p; \valid{Pre}(p) ==> \base_addr(p) != \base_addr(\result);
    ensures minus: positive(x) ==> \result[0] != '-';
    ensures negative: negative(x) ==> \result[0] == '-';
    ensures digits: base == 10 ==> digits(\result, first_digit(\result, 0), n);
    ensures zero: base == 10 ==> zero(x) ==> digits_value(\result, first_digit(\result, 0), n) == 0;
    ensures down: base == 10 ==> rnd == MPFR_RNDD ==>
      decimal_string_value(\result, n, *exponent) <= value(x);
    ensures up: base == 10 ==> rnd == MPFR_RNDU ==>
      value(x) <= decimal_string_value(\result, n, *exponent);
    ensures hex_digits: base == 16 ==> hex_digits(\result, first_digit(\result, 0), n);
    ensures exact: base == 16 ==> precision(x) + 3 <= 4 * n ==> 1.0 <= value(x) < 2.0 ==>
      value(x) == prod(hex_digits_value(\result, 0, n), power_of_two(4 - 4 * n)); */
char *mpfr_get_str(char *text, mpfr_exp_t *exponent, int base, size_t n, mpfr_srcptr x, mpfr_rnd_t rnd);

/*@ terminates \true;
    assigns \nothing; */
void mpfr_free_str(char *text);

#endif
