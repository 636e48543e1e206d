/* Numbers as text, from MPFR's own digits, in a buffer or appended to a text. Like snprintf, what writes into a buffer
 * writes at most size bytes with the final NUL, returns the length of the whole text (so a result >= size means it was
 * cut), and a negative number on failure. */
#ifndef ATTCERT_INTERVAL_MPFR_TEXT_H
#define ATTCERT_INTERVAL_MPFR_TEXT_H

#include <mpfr.h>

#include "interval/text_buffer.h"

#ifdef __FRAMAC__
#include "format/decimal_text.acsl"
#include "format/hex_text.acsl"
#include "interval/mpfr.acsl"
#endif

/* x rounded by rnd to `digits` >= 1 significant decimal digits: "1.2345678901234567e+400", a valid JSON number of any
 * magnitude. What is no number gives "nan", "inf" or "-inf", which JSON does not know: the caller decides. */
/*@ requires valid: \valid(buf + (0 .. size - 1)) && \valid_read(x);
    requires live: initialised(x);
    requires separated: \separated(x, buf + (0 .. size - 1));
    requires digits: 1 <= digits;
    terminates \true;
    assigns buf[0 .. size - 1];
    ensures length: \result == -1 || 3 <= \result;
    ensures room: digits + 23 <= 0x7fffffff ==> 3 <= \result <= digits + 23;
    ensures ended: 0 < size ==> 0 <= \result ==> buf[\result < size ? \result : size - 1] == 0;
    ensures text: number(x) ==> 0 <= \result < size ==> decimal_text(buf, 0, digits, \result);
    ensures down: number(x) ==> 0 <= \result < size ==> rnd == MPFR_RNDD ==>
      decimal_text_value(buf, 0, digits, \result) <= value(x);
    ensures up: number(x) ==> 0 <= \result < size ==> rnd == MPFR_RNDU ==>
      value(x) <= decimal_text_value(buf, 0, digits, \result); */
int mpfr_text_decimal(char *buf, size_t size, mpfr_srcptr x, int digits, mpfr_rnd_t rnd);

/* x exactly: "0x1.8p+3", "-0x1p-100000", "0x0p+0"; read back by mpfr_strtofr (base 0 or 16), and by strtod within its
 * range. */
/*@ requires valid: \valid(buf + (0 .. size - 1)) && \valid_read(x);
    requires live: initialised(x);
    requires separated: \separated(x, buf + (0 .. size - 1));
    terminates \true;
    assigns buf[0 .. size - 1], mpfr_lives;
    ensures length: \result == -1 || 3 <= \result;
    ensures ended: 0 < size ==> 0 <= \result ==> buf[\result < size ? \result : size - 1] == 0;
    ensures lives: same_lives{Pre, Post};
    ensures room: 1 <= precision(x) <= 1000 ==> 3 <= \result <= precision(x) / 4 + 27;
    ensures exact: number(x) ==> 0 <= \result < size ==> hex_text_of(buf, 0, \result, value(x)); */
int mpfr_text_hex(char *buf, size_t size, mpfr_srcptr x);

#endif
