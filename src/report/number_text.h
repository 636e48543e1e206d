/* Numbers as the reports print them. */
#ifndef ATTCERT_REPORT_NUMBER_TEXT_H
#define ATTCERT_REPORT_NUMBER_TEXT_H

#include <mpfr.h>
#include <stdint.h>

#ifdef __FRAMAC__
#include "format/decimal_text.acsl"
#include "format/hex_text.acsl"
#include "interval/mpfr.acsl"
#include "interval/mpfr_life.acsl"
#endif

/* Holds a sign, 17 digits and MPFR's largest decimal exponent, or 53 bits in hexadecimal. */
enum { NUMBER_TEXT_SIZE = 64, NUMBER_TEXT_DIGITS = 17 };

/* x rounded to `digits` (1 to 17) significant decimal digits, "1.25e+400"; returns buf. A number has a text that ends
 * in buf and is on its side of it. */
/*@ predicate number_text_ended{L}(char *buf) = \exists integer to; 0 <= to < NUMBER_TEXT_SIZE && buf[to] == 0;
    predicate number_text_down{L}(char *buf, real x, integer n) = \exists integer to; 0 <= to < NUMBER_TEXT_SIZE &&
      buf[to] == 0 && decimal_text(buf, 0, n, to) && decimal_text_value(buf, 0, n, to) <= x;
    predicate number_text_up{L}(char *buf, real x, integer n) = \exists integer to; 0 <= to < NUMBER_TEXT_SIZE &&
      buf[to] == 0 && decimal_text(buf, 0, n, to) && x <= decimal_text_value(buf, 0, n, to);
*/
/*@ requires valid: \valid(buf + (0 .. NUMBER_TEXT_SIZE - 1)) && \valid_read(x);
    requires live: initialised(x);
    requires separated: \separated(x, buf + (0 .. NUMBER_TEXT_SIZE - 1));
    requires digits: 1 <= digits <= 17;
    terminates \true;
    assigns buf[0 .. NUMBER_TEXT_SIZE - 1], \result \from buf, *x, digits, rounding;
    ensures result: \result == buf;
    ensures ended: number_text_ended(buf);
    ensures down: number(x) ==> rounding == MPFR_RNDD ==> number_text_down(buf, value(x), digits);
    ensures up: number(x) ==> rounding == MPFR_RNDU ==> number_text_up(buf, value(x), digits); */
const char *number_text_decimal(char buf[NUMBER_TEXT_SIZE], mpfr_srcptr x, int digits, mpfr_rnd_t rounding);

/* The same for a double. */
/*@ requires valid: \valid(buf + (0 .. NUMBER_TEXT_SIZE - 1));
    requires digits: 1 <= digits <= 17;
    terminates \true;
    assigns buf[0 .. NUMBER_TEXT_SIZE - 1], mpfr_lives, \result \from buf, x, digits, rounding;
    ensures result: \result == buf;
    ensures ended: number_text_ended(buf);
    ensures lives: same_lives{Pre, Post};
    ensures down: finite_double(x) ==> rounding == MPFR_RNDD ==> number_text_down(buf, x, digits);
    ensures up: finite_double(x) ==> rounding == MPFR_RNDU ==> number_text_up(buf, x, digits); */
const char *number_text_double(char buf[NUMBER_TEXT_SIZE], double x, int digits, mpfr_rnd_t rounding);

/* An end of an enclosure: x rounded to a double, then that one to 17 significant decimal digits, both to the same
 * side; returns buf. The text is on that side of x, and so is the double that a reader makes of it, to nearest: there
 * is a double between the text and x, and rounding to nearest is monotone. Down, a number above the largest double
 * becomes that one. Up, it keeps its magnitude, with 16 digits: the first such text above the largest double,
 * 1.797693134862316e+308, is read as infinity. Below zero the sides change places. */
/*@ requires valid: \valid(buf + (0 .. NUMBER_TEXT_SIZE - 1)) && \valid_read(x);
    requires live: initialised(x);
    requires separated: \separated(x, buf + (0 .. NUMBER_TEXT_SIZE - 1));
    terminates \true;
    assigns buf[0 .. NUMBER_TEXT_SIZE - 1], mpfr_lives, \result \from buf, *x, rounding;
    ensures result: \result == buf;
    ensures ended: number_text_ended(buf);
    ensures lives: same_lives{Pre, Post};
    ensures down: number(x) ==> rounding == MPFR_RNDD ==>
      number_text_down(buf, value(x), 17) || number_text_down(buf, value(x), 16);
    ensures up: number(x) ==> rounding == MPFR_RNDU ==>
      number_text_up(buf, value(x), 17) || number_text_up(buf, value(x), 16); */
const char *number_text_end(char buf[NUMBER_TEXT_SIZE], mpfr_srcptr x, mpfr_rnd_t rounding);

/* x rounded to `digits` significant decimal digits, written short where it can be: "17.8", "1.25e+400"; returns buf. */
const char *number_text_short(char buf[NUMBER_TEXT_SIZE], mpfr_srcptr x, int digits, mpfr_rnd_t rounding);

/* x (53 bits) exactly, "0x1.8p+3"; returns buf. */
/*@ requires valid: \valid(buf + (0 .. NUMBER_TEXT_SIZE - 1)) && \valid_read(x);
    requires live: initialised(x);
    requires separated: \separated(x, buf + (0 .. NUMBER_TEXT_SIZE - 1));
    requires precision: 1 <= precision(x) <= 53;
    terminates \true;
    assigns buf[0 .. NUMBER_TEXT_SIZE - 1], mpfr_lives, \result \from buf, *x;
    ensures result: \result == buf;
    ensures ended: number_text_ended(buf);
    ensures lives: same_lives{Pre, Post};
    ensures exact: number(x) ==> \exists integer to; 0 <= to < NUMBER_TEXT_SIZE && buf[to] == 0 &&
      hex_text_of(buf, 0, to, value(x)); */
const char *number_text_hex(char buf[NUMBER_TEXT_SIZE], mpfr_srcptr x);

/* A size in bytes, "31 MiB"; returns buf. */
const char *number_text_bytes(char buf[NUMBER_TEXT_SIZE], uint64_t bytes);

#endif
