/* Intervals as text: "[lower, upper]". */
#include "interval/interval_text.h"

#include "interval/interval_query.h"
#include "interval/mpfr_text.h"

/* digits = 0: hex. */
/*@ requires valid: text_valid(t) && \valid_read(x) && 0 <= digits;
    requires live: initialised(x);
    requires separated: \separated(x, t, t->buf + (0 .. t->size - 1));
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1], mpfr_lives;
    ensures length: t->length >= text_sum(\at(t->length, Pre), 3);
    ensures lives: same_lives{Pre, Post}; */
static void append_endpoint(text_buffer *t, mpfr_srcptr x, int digits, mpfr_rnd_t rnd) {
  if (digits > 0) {
    mpfr_text_append_decimal(t, x, digits, rnd);
  } else {
    mpfr_text_append_hex(t, x);
  }
}

/* digits = 0: hex. */
/*@ requires valid: \valid(buf + (0 .. size - 1)) && \valid_read(a) && 0 <= digits;
    requires live: live(a);
    requires separated: \separated(a, buf + (0 .. size - 1));
    terminates \true;
    assigns buf[0 .. size - 1], mpfr_lives;
    ensures length: \result == -1 || 7 <= \result;
    ensures ended: 0 < size ==> 0 <= \result ==> buf[\result < size ? \result : size - 1] == 0;
    ensures lives: same_lives{Pre, Post}; */
static int write_interval(char *buf, size_t size, const interval *a, int digits) {
  text_buffer t = {buf, size, 0};
  if (interval_is_empty(a)) {
    text_append_literal(&t, "[empty]");
  } else if (interval_is_whole(a)) {
    text_append_literal(&t, "[-inf, inf]");
  } else {
    text_buffer_append_char(&t, '[');
    append_endpoint(&t, a->lo, digits, MPFR_RNDD);
    /*@ assert lower: same_lives{Pre, Here}; */
    text_append_literal(&t, ", ");
    append_endpoint(&t, a->hi, digits, MPFR_RNDU);
    /*@ assert upper: same_lives{Pre, Here}; */
    text_buffer_append_char(&t, ']');
  }
  return text_buffer_finish(&t);
}

int interval_text_decimal(char *buf, size_t size, const interval *a, int digits) {
  return write_interval(buf, size, a, digits);
}

int interval_text_hex(char *buf, size_t size, const interval *a) {
  return write_interval(buf, size, a, 0);
}
