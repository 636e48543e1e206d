/* Text written piece by piece into a buffer of fixed size. As with snprintf, what does not fit is cut and counted all
 * the same; unlike with snprintf, nothing depends on the locale. */
#ifndef ATTCERT_INTERVAL_TEXT_BUFFER_H
#define ATTCERT_INTERVAL_TEXT_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __FRAMAC__
#include "format/digit_text.acsl"
#endif

typedef struct {
  char *buf; /* NULL if size = 0 */
  size_t size;
  size_t length; /* of the text so far, cut or not; SIZE_MAX after a failure */
} text_buffer;

/*@ predicate text_valid{L}(text_buffer *t) = \valid(t) && \valid(t->buf + (0 .. t->size - 1)) &&
      \separated(t, t->buf + (0 .. t->size - 1));
    // What was written before position n stays.
    predicate text_kept{L1, L2}(text_buffer *t, integer n) =
      \forall integer i; 0 <= i < n ==> i < \at(t->size, L1) ==> \at(t->buf[i], L1) == \at(t->buf[i], L2);
    // All of the text so far, and the final NUL, have room.
    predicate text_fits{L}(text_buffer *t) = t->length < t->size;
    logic integer text_sum(integer length, integer n) = length + n <= SIZE_MAX ? length + n : SIZE_MAX; */

/*@ requires valid: text_valid(t);
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1];
    ensures length: t->length == text_sum(\at(t->length, Pre), 1);
    ensures written: \at(t->length, Pre) < t->size ==> t->buf[\at(t->length, Pre)] == c;
    ensures kept: \forall integer i; 0 <= i < t->size ==> i != \at(t->length, Pre) ==>
      t->buf[i] == \at(t->buf[i], Pre); */
void text_buffer_append_char(text_buffer *t, char c);

/* The first n characters of `text`; what was written before stays. */
/*@ requires valid: text_valid(t) && \valid_read(text + (0 .. n - 1));
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1];
    ensures length: t->length == text_sum(\at(t->length, Pre), n);
    ensures written: \separated(text + (0 .. n - 1), t->buf + (0 .. t->size - 1)) ==> \forall integer i;
      \at(t->length, Pre) <= i < \at(t->length, Pre) + n ==> i < t->size ==>
      t->buf[i] == \at(text[i - t->length], Pre);
    ensures kept: \forall integer i; 0 <= i < \at(t->length, Pre) ==> i < t->size ==>
                  t->buf[i] == \at(t->buf[i], Pre); */
void text_buffer_append(text_buffer *t, const char *text, size_t n);
#define text_append_literal(t, literal) text_buffer_append(t, literal, sizeof(literal) - 1)

/* An exponent: a sign, always, and at least `least` decimal digits, 1 or 2. */
/*@ requires valid: text_valid(t);
    requires exponent: -0x4000000000000001 <= e <= 0x4000000000000001 && 1 <= least <= 2;
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1];
    ensures length: text_sum(\at(t->length, Pre), 1) <= t->length <= text_sum(\at(t->length, Pre), 20);
    ensures kept: text_kept{Pre, Post}(t, \at(t->length, Pre));
    ensures written: text_fits(t) ==> exponent(t->buf, \at(t->length, Pre), t->length - \at(t->length, Pre)) &&
      exponent_value(t->buf, \at(t->length, Pre), t->length - \at(t->length, Pre)) == e; */
void text_buffer_append_exponent(text_buffer *t, long e, int least);

/* From here on the text counts as failed. */
/*@ requires valid: text_valid(t);
    terminates \true;
    assigns t->length;
    ensures failed: t->length == SIZE_MAX; */
void text_buffer_fail(text_buffer *t);

/* Ends the text with a NUL; its length, or -1 if it failed or is beyond int. */
/*@ requires valid: text_valid(t);
    terminates \true;
    assigns t->buf[0 .. t->size - 1];
    ensures kept: text_kept{Pre, Post}(t, t->length < t->size ? t->length : t->size - 1);
    ensures length: \result == (t->length <= 0x7fffffff ? t->length : -1);
    ensures ended: 0 < t->size ==> t->buf[t->length < t->size ? t->length : t->size - 1] == 0; */
int text_buffer_finish(text_buffer *t);

#endif
