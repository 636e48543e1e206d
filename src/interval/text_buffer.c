/* One character at a time: the only two writes to memory are those of
 * text_buffer_append_char and text_buffer_finish. */
#include "interval/text_buffer.h"

#include <limits.h>

#ifdef __FRAMAC__
#include "format/digit_text_lemmas.acsl"
#include "format/exponent_digits_lemmas.acsl"
#endif

void text_buffer_append_char(text_buffer *t, char c) {
  if (t->length < t->size) t->buf[t->length] = c;
  if (t->length < SIZE_MAX) t->length++;
}

void text_buffer_append(text_buffer *t, const char *text, size_t n) {
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant length: t->length == text_sum(\at(t->length, Pre), i);
      loop invariant source: \separated(text + (0 .. n - 1), t->buf + (0 .. t->size - 1)) ==>
        \forall integer j; 0 <= j < n ==> text[j] == \at(text[j], Pre);
      loop invariant written: \separated(text + (0 .. n - 1), t->buf + (0 .. t->size - 1)) ==> \forall integer j;
        \at(t->length, Pre) <= j < \at(t->length, Pre) + i ==> j < t->size ==>
        t->buf[j] == \at(text[j - t->length], Pre);
      loop invariant kept: \forall integer j; 0 <= j < \at(t->length, Pre) ==> j < t->size ==>
        t->buf[j] == \at(t->buf[j], Pre);
      loop assigns i, t->length, t->buf[0 .. t->size - 1];
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) text_buffer_append_char(t, text[i]);
}

/* The next digit, 0 to 9, of a number that starts at `from`. */
/*@ requires valid: text_valid(t);
    requires digit: 0 <= digit <= 9;
    requires from: from <= t->length;
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1];
    ensures length: t->length == text_sum(\at(t->length, Pre), 1);
    ensures kept: text_kept{Pre, Post}(t, \at(t->length, Pre));
    ensures digits: text_fits(t) ==> digits{Pre}(t->buf, from, \at(t->length, Pre) - from) ==>
      digits(t->buf, from, t->length - from);
    ensures number: text_fits(t) ==> digits_value(t->buf, from, t->length - from) ==
      10 * digits_value{Pre}(t->buf, from, \at(t->length, Pre) - from) + digit; */
static void append_digit(text_buffer *t, int digit) /*@ ghost (size_t from) */ {
  text_buffer_append_char(t, (char)('0' + digit));
  /*@ assert before: text_fits(t) ==> digits_value(t->buf, from, \at(t->length, Pre) - from) ==
        digits_value{Pre}(t->buf, from, \at(t->length, Pre) - from); */
}

/* The digit of `magnitude` at a power of ten, unless it is a leading zero that nobody asked for: one at a power above
 * `always`. */
/*@ requires valid: text_valid(t);
    requires range: 0 <= magnitude && 1 <= power <= 1000000000000000000;
    requires from: from <= t->length;
    requires number: text_fits(t) ==> digits_value(t->buf, from, t->length - from) == magnitude / (10 * power);
    requires digits: text_fits(t) ==> digits(t->buf, from, t->length - from);
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1];
    ensures length: \at(t->length, Pre) <= t->length <= text_sum(\at(t->length, Pre), 1);
    ensures written: power <= always ==> t->length >= text_sum(\at(t->length, Pre), 1);
    ensures kept: text_kept{Pre, Post}(t, \at(t->length, Pre));
    ensures digits: text_fits(t) ==> digits(t->buf, from, t->length - from);
    ensures number: text_fits(t) ==> digits_value(t->buf, from, t->length - from) == magnitude / power; */
static void append_place(text_buffer *t, long magnitude, long power, long always) /*@ ghost (size_t from) */ {
  /*@ assert last: magnitude / power == 10 * (magnitude / (10 * power)) + (magnitude / power) % 10; */
  /*@ assert none: magnitude < power ==> magnitude / power == 0 && magnitude / (10 * power) == 0; */
  if (power <= magnitude || power <= always) {
    const int digit = (int)(magnitude / power % 10);
    /*@ assert digit: digit == (magnitude / power) % 10; */
    append_digit(t, digit) /*@ ghost (from) */;
    /*@ assert number: text_fits(t) ==> digits_value(t->buf, from, t->length - from) ==
          10 * (magnitude / (10 * power)) + digit; */
  }
}

void text_buffer_append_exponent(text_buffer *t, long e, int least) {
  const long magnitude = e < 0 ? -e : e, always = least == 1 ? 1 : 10;
  text_buffer_append_char(t, e < 0 ? '-' : '+');
  /*@ ghost size_t first = t->length; */
  /*@ ghost int place = 18; */
  /*@ loop invariant place: -1 <= place <= 18;
      loop invariant power: power == (0 <= place ? ten_to(place) : 0) && 0 <= power <= 1000000000000000000;
      loop invariant length: first <= t->length <= text_sum(first, 18 - place);
      loop invariant kept: text_kept{Pre, Here}(t, \at(t->length, Pre));
      loop invariant sign: text_fits(t) ==> t->buf[\at(t->length, Pre)] == (e < 0 ? '-' : '+');
      loop invariant digits: text_fits(t) ==> digits(t->buf, first, t->length - first);
      loop invariant one: place < 0 ==> t->length >= text_sum(first, 1);
      loop invariant number: text_fits(t) ==> 0 <= place ==>
        digits_value(t->buf, first, t->length - first) == magnitude / (10 * power);
      loop invariant whole: text_fits(t) ==> place < 0 ==>
        digits_value(t->buf, first, t->length - first) == magnitude;
      loop assigns power, place, t->length, t->buf[0 .. t->size - 1];
      loop variant power; */
  for (long power = 1000000000000000000; power > 0; power /= 10) {
    append_place(t, magnitude, power, always) /*@ ghost (first) */;
    /*@ assert next: place == 0 ? power == 1 : power == 10 * (power / 10); */
    /*@ ghost long below = power / 10; */
    /*@ assert same: 0 < place ==> magnitude / power == magnitude / (10 * below); */
    /*@ assert number: text_fits(t) ==> 0 < place ==>
          digits_value(t->buf, first, t->length - first) == magnitude / (10 * below); */
    /*@ ghost place--; */
  }
}

void text_buffer_fail(text_buffer *t) {
  t->length = SIZE_MAX;
}

int text_buffer_finish(text_buffer *t) {
  if (t->size > 0) t->buf[t->length < t->size ? t->length : t->size - 1] = '\0';
  return t->length <= INT_MAX ? (int)t->length : -1;
}
