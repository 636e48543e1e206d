/* Numbers as text, from MPFR's own digits: printf's decimal point follows the locale, JSON's does not. */
#include "interval/mpfr_text.h"

#include "interval/interval_query.h"
#include "interval/interval_text.h"

enum {
  DECIMAL_FRAME = 24, /* "-", ".", "e+", at most 19 digits of exponent, NUL */
  HEX_FRAME = 32      /* "-0x1.", "p+", at most 19 digits of exponent, NUL, and digits cut by the binary point */
};

size_t mpfr_text_decimal_size(int digits) {
  return (size_t)digits + DECIMAL_FRAME;
}

size_t mpfr_text_hex_size(mpfr_prec_t precision) {
  return (size_t)precision / 4 + HEX_FRAME;
}

/*@ requires valid: text_valid(t) && \valid_read(x) && !number(x);
    requires live: initialised(x);
    requires separated: \separated(x, t, t->buf + (0 .. t->size - 1));
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1];
    ensures length: t->length >= text_sum(\at(t->length, Pre), 3); */
static void append_not_a_number(text_buffer *t, mpfr_srcptr x) {
  if (mpfr_nan_p(x)) {
    text_append_literal(t, "nan");
  } else if (mpfr_sgn(x) > 0) {
    text_append_literal(t, "inf");
  } else {
    text_append_literal(t, "-inf");
  }
}

void mpfr_text_append_decimal(text_buffer *t, mpfr_srcptr x, int digits, mpfr_rnd_t rnd) {
  if (!endpoint_is_number(x)) {
    append_not_a_number(t, x);
    return;
  }
  mpfr_exp_t exponent; /* x = 0.d1 d2 ... 10^exponent */
  char *const text = mpfr_get_str(NULL, &exponent, 10, (size_t)digits, x, rnd);
  if (text == NULL) {
    text_buffer_fail(t);
    return;
  }
  const char *const d = text + (text[0] == '-');
  if (mpfr_sgn(x) < 0) text_buffer_append_char(t, '-');
  text_buffer_append_char(t, d[0]);
  if (digits > 1) text_buffer_append_char(t, '.');
  text_buffer_append(t, d + 1, (size_t)digits - 1);
  text_buffer_append_char(t, 'e');
  text_buffer_append_exponent(t, mpfr_zero_p(x) ? 0 : exponent - 1, 2);
  mpfr_free_str(text);
}

/* Where the last digit other than 0 is; 0 if none is behind the first. */
/*@ requires valid: \valid_read(digits + (0 .. n - 1));
    terminates \true;
    assigns \nothing;
    ensures range: 0 <= \result && (\result < n || \result == 0);
    ensures zeros: \forall integer i; \result < i < n ==> digits[i] == '0'; */
static size_t last_digit(const char *digits, size_t n) {
  size_t last = 0;
  /*@ loop invariant range: 1 <= i && last < i && (last < n || last == 0);
      loop invariant zeros: \forall integer j; last < j < i ==> digits[j] == '0';
      loop assigns i, last;
      loop variant n - i; */
  for (size_t i = 1; i < n; i++) {
    if (digits[i] != '0') last = i;
  }
  return last;
}

/* s = |x| 2^(1 - e), in [1, 2), where x = m 2^e; s is at least as precise as x. */
/*@ requires valid: \valid(s) && \valid_read(x) && \separated(s, x);
    requires live: initialised(s) && initialised(x);
    requires number: number(x) && !zero(x) && precision(x) <= precision(s);
    terminates \true;
    assigns *s;
    ensures positive: number(s) && positive(s); */
static void set_significand(mpfr_ptr s, mpfr_srcptr x) {
  mpfr_abs(s, x, MPFR_RNDN);
  mpfr_set_exp(s, 1);
}

/* A number other than 0: p bits of significand have the digits 1.hhh, 1 + (p + 2) / 4 of them, and trailing zeros say
 * nothing. */
/*@ requires valid: text_valid(t) && \valid_read(x) && number(x) && !zero(x);
    requires live: initialised(x);
    requires separated: \separated(x, t, t->buf + (0 .. t->size - 1));
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1], mpfr_lives;
    ensures length: t->length >= text_sum(\at(t->length, Pre), 5);
    ensures lives: same_lives{Pre, Post}; */
static void append_hex_number(text_buffer *t, mpfr_srcptr x) {
  const size_t n = ((size_t)mpfr_get_prec(x) + 2) / 4 + 1;
  mpfr_t significand;
  mpfr_init2(significand, mpfr_get_prec(x));
  set_significand(significand, x);
  mpfr_exp_t one;
  char *const d = mpfr_get_str(NULL, &one, 16, n, significand, MPFR_RNDN);
  mpfr_clear(significand);
  /*@ assert lives: same_lives{Pre, Here}; */
  if (d == NULL) {
    text_buffer_fail(t);
    return;
  }
  if (mpfr_sgn(x) < 0) text_buffer_append_char(t, '-');
  text_append_literal(t, "0x");
  text_buffer_append_char(t, d[0]);
  const size_t last = last_digit(d, n);
  if (last > 0) text_buffer_append_char(t, '.');
  text_buffer_append(t, d + 1, last);
  text_buffer_append_char(t, 'p');
  text_buffer_append_exponent(t, mpfr_get_exp(x) - 1, 1);
  mpfr_free_str(d);
}

void mpfr_text_append_hex(text_buffer *t, mpfr_srcptr x) {
  if (!endpoint_is_number(x)) {
    append_not_a_number(t, x);
  } else if (mpfr_zero_p(x)) {
    text_append_literal(t, "0x0p+0");
  } else {
    append_hex_number(t, x);
  }
}

int mpfr_text_decimal(char *buf, size_t size, mpfr_srcptr x, int digits, mpfr_rnd_t rnd) {
  text_buffer t = {buf, size, 0};
  mpfr_text_append_decimal(&t, x, digits, rnd);
  return text_buffer_finish(&t);
}

int mpfr_text_hex(char *buf, size_t size, mpfr_srcptr x) {
  text_buffer t = {buf, size, 0};
  mpfr_text_append_hex(&t, x);
  return text_buffer_finish(&t);
}
