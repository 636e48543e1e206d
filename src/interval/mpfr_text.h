/* Numbers appended to a text, from MPFR's own digits. */
#ifndef ATTCERT_INTERVAL_MPFR_TEXT_H
#define ATTCERT_INTERVAL_MPFR_TEXT_H

#include <mpfr.h>

#include "interval/text_buffer.h"

#ifdef __FRAMAC__
#include "format/decimal_text.acsl"
#include "format/hex_text.acsl"
#include "interval/mpfr.acsl"
#endif

/* What mpfr_text_decimal writes (interval_text.h). */
/*@ requires valid: text_valid(t) && \valid_read(x);
    requires live: initialised(x);
    requires separated: \separated(x, t, t->buf + (0 .. t->size - 1));
    requires digits: 1 <= digits;
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1];
    ensures length: text_sum(\at(t->length, Pre), 3) <= t->length <= text_sum(\at(t->length, Pre), digits + 23);
    ensures kept: text_kept{Pre, Post}(t, \at(t->length, Pre));
    ensures text: number(x) ==> text_fits(t) ==> decimal_text(t->buf, \at(t->length, Pre), digits, t->length);
    ensures down: number(x) ==> text_fits(t) ==> rnd == MPFR_RNDD ==>
      decimal_text_value(t->buf, \at(t->length, Pre), digits, t->length) <= value(x);
    ensures up: number(x) ==> text_fits(t) ==> rnd == MPFR_RNDU ==>
      value(x) <= decimal_text_value(t->buf, \at(t->length, Pre), digits, t->length); */
void mpfr_text_append_decimal(text_buffer *t, mpfr_srcptr x, int digits, mpfr_rnd_t rnd);

/* What mpfr_text_hex writes. */
/*@ requires valid: text_valid(t) && \valid_read(x);
    requires live: initialised(x);
    requires separated: \separated(x, t, t->buf + (0 .. t->size - 1));
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1], mpfr_lives;
    ensures length: t->length >= text_sum(\at(t->length, Pre), 3);
    ensures room: 1 <= precision(x) ==> t->length <= text_sum(\at(t->length, Pre), precision(x) / 4 + 27);
    ensures lives: same_lives{Pre, Post};
    ensures kept: text_kept{Pre, Post}(t, \at(t->length, Pre));
    ensures exact: number(x) ==> text_fits(t) ==>
      hex_text_of(t->buf, \at(t->length, Pre), t->length, value(x)); */
void mpfr_text_append_hex(text_buffer *t, mpfr_srcptr x);

#endif
