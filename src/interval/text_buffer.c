/* One character at a time: the only two writes to memory are those of
 * text_buffer_append_char and text_buffer_finish. */
#include "interval/text_buffer.h"

#include <limits.h>

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
        0 <= j < i ==> \at(t->length, Pre) + j < t->size ==> t->buf[\at(t->length, Pre) + j] == \at(text[j], Pre);
      loop invariant kept: \forall integer j; 0 <= j < \at(t->length, Pre) ==> j < t->size ==>
        t->buf[j] == \at(t->buf[j], Pre);
      loop assigns i, t->length, t->buf[0 .. t->size - 1];
      loop variant n - i; */
  for (size_t i = 0; i < n; i++) text_buffer_append_char(t, text[i]);
}

void text_buffer_append_exponent(text_buffer *t, long e, int least) {
  const long magnitude = e < 0 ? -e : e, always = least == 1 ? 1 : 10;
  text_buffer_append_char(t, e < 0 ? '-' : '+');
  /*@ loop invariant power: 0 <= power <= 1000000000000000000;
      loop invariant length: t->length >= text_sum(\at(t->length, Pre), 1);
      loop assigns power, t->length, t->buf[0 .. t->size - 1];
      loop variant power; */
  for (long power = 1000000000000000000; power > 0; power /= 10) {
    if (power <= magnitude || power <= always) text_buffer_append_char(t, (char)('0' + magnitude / power % 10));
  }
}

void text_buffer_fail(text_buffer *t) {
  t->length = SIZE_MAX;
}

int text_buffer_finish(text_buffer *t) {
  if (t->size > 0) t->buf[t->length < t->size ? t->length : t->size - 1] = '\0';
  return t->length <= INT_MAX ? (int)t->length : -1;
}
