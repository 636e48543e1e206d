/* Numbers as text, from MPFR's own digits: printf's decimal point follows the locale, JSON's does not. */
#include "interval/mpfr_text.h"

#include "interval/interval_query.h"
#include "interval/interval_text.h"

#ifdef __FRAMAC__
#include "format/decimal_text_lemmas.acsl"
#endif

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
    ensures length: text_sum(\at(t->length, Pre), 3) <= t->length <= text_sum(\at(t->length, Pre), 4);
    ensures kept: text_kept{Pre, Post}(t, \at(t->length, Pre)); */
static void append_not_a_number(text_buffer *t, mpfr_srcptr x) {
  if (mpfr_nan_p(x)) {
    text_append_literal(t, "nan");
  } else if (mpfr_sgn(x) > 0) {
    text_append_literal(t, "inf");
  } else {
    text_append_literal(t, "-inf");
  }
}

/* A sign if any, and the n digits from text[first] on, with a point behind the first of them. */
/*@ requires valid: text_valid(t) && 1 <= n && 0 <= first <= 1 && \valid_read(text + (0 .. first + n - 1));
    requires separated: \separated(text + (0 .. first + n - 1), t, t->buf + (0 .. t->size - 1));
    requires digits: digits(text, first, n);
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1];
    ensures length: t->length == text_sum(\at(t->length, Pre), significand_end(negative ? 1 : 0, n));
    ensures kept: text_kept{Pre, Post}(t, \at(t->length, Pre));
    ensures sign: text_fits(t) ==> (t->buf[\at(t->length, Pre)] == '-' <==> negative);
    ensures significand: text_fits(t) ==> significand(t->buf, \at(t->length, Pre) + (negative ? 1 : 0), n);
    ensures number: text_fits(t) ==> significand_value(t->buf, \at(t->length, Pre) + (negative ? 1 : 0), n) ==
      digits_value{Pre}(text, first, n); */
static void append_significand(text_buffer *t, bool negative, const char *text, size_t first, size_t n) {
  if (negative) text_buffer_append_char(t, '-');
  /*@ ghost size_t start = t->length; */
  /*@ assert digits: digits(text, first, n); */
  /*@ assert sign: t->length < t->size ==> negative ==> t->buf[\at(t->length, Pre)] == '-'; */
  text_buffer_append_char(t, text[first]);
  /*@ assert first: t->length < t->size ==> t->buf[start] == \at(text[first], Pre); */
  if (n > 1) text_buffer_append_char(t, '.');
  /*@ assert point: t->length < t->size ==> n > 1 ==> t->buf[start + 1] == '.'; */
  /*@ assert still: t->length < t->size ==> t->buf[start] == \at(text[first], Pre); */
  text_buffer_append(t, text + first + 1, n - 1);
  /*@ assert rest: text_fits(t) ==> \forall integer i; start + 2 <= i <= start + n ==>
        t->buf[i] == text[first + i - start - 1]; */
  /*@ assert same: \forall integer i; 0 <= i < first + n ==> text[i] == \at(text[i], Pre); */
  /*@ assert place: text_fits(t) ==> start == \at(t->length, Pre) + (negative ? 1 : 0); */
  /*@ assert begun: text_fits(t) ==> t->buf[start] == \at(text[first], Pre); */
}

/* A decimal text: the digits as above, and the exponent of the first of them. */
/*@ requires valid: text_valid(t) && 1 <= n && 0 <= first <= 1 && \valid_read(text + (0 .. first + n - 1));
    requires separated: \separated(text + (0 .. first + n - 1), t, t->buf + (0 .. t->size - 1));
    requires digits: digits(text, first, n);
    requires exponent: mpfr_exponent(e + 1);
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1];
    ensures length: text_sum(\at(t->length, Pre), 3) <= t->length <= text_sum(\at(t->length, Pre), n + 23);
    ensures kept: text_kept{Pre, Post}(t, \at(t->length, Pre));
    ensures sign: text_fits(t) ==> (t->buf[\at(t->length, Pre)] == '-' <==> negative);
    ensures text: text_fits(t) ==> decimal_text(t->buf, \at(t->length, Pre), n, t->length);
    ensures magnitude: text_fits(t) ==> decimal_text_magnitude(t->buf, \at(t->length, Pre), n, t->length) ==
      prod(digits_value{Pre}(text, first, n), power_of_ten(e - (n - 1))); */
static void append_decimal_text(text_buffer *t, bool negative, const char *text, size_t first, size_t n, long e) {
  append_significand(t, negative, text, first, n);
  /*@ ghost size_t end = t->length; */
  //@ ghost Digits:;
  text_buffer_append_char(t, 'e');
  text_buffer_append_exponent(t, e, 2);
  /*@ assert letter: text_fits(t) ==> t->buf[end] == 'e'; */
  /*@ assert before: text_fits(t) ==> \forall integer i; 0 <= i < end ==> t->buf[i] == \at(t->buf[i], Digits); */
  /*@ assert place: text_fits(t) ==> exponent_place(t->buf, \at(t->length, Pre), n) == end + 1; */
  /*@ assert significand: text_fits(t) ==> significand(t->buf, \at(t->length, Pre) + (negative ? 1 : 0), n); */
  /*@ assert number: text_fits(t) ==>
        significand_value(t->buf, \at(t->length, Pre) + (negative ? 1 : 0), n) ==
        significand_value{Digits}(t->buf, \at(t->length, Pre) + (negative ? 1 : 0), n); */
  /*@ assert start: text_fits(t) ==>
        first_digit(t->buf, \at(t->length, Pre)) == \at(t->length, Pre) + (negative ? 1 : 0); */
  /*@ assert digits: text_fits(t) ==>
        significand_value(t->buf, first_digit(t->buf, \at(t->length, Pre)), n) == digits_value{Pre}(text, first, n); */
  /*@ assert exponent: text_fits(t) ==> decimal_text_exponent(t->buf, \at(t->length, Pre), n, t->length) == e; */
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
  const size_t first = text[0] == '-';
  const mpfr_exp_t e = mpfr_zero_p(x) ? 0 : exponent - 1;
  /*@ assert first: first == first_digit(text, 0); */
  /*@ assert none: zero(x) ==> digits_value(text, first, digits) == 0; */
  /*@ assert product: zero(x) ==> prod(digits_value(text, first, digits), power_of_ten(exponent - digits)) == 0.0; */
  /*@ assert magnitude: prod(digits_value(text, first, digits), power_of_ten(e - (digits - 1))) ==
        decimal_string_magnitude(text, digits, exponent); */
  //@ ghost Given:;
  append_decimal_text(t, mpfr_sgn(x) < 0, text, first, (size_t)digits, e);
  /*@ assert written: text_fits(t) ==> decimal_text_magnitude(t->buf, \at(t->length, Pre), digits, t->length) ==
        decimal_string_magnitude{Given}(text, digits, \at(exponent, Given)); */
  /*@ assert zero: zero(x) ==> decimal_string_magnitude{Given}(text, digits, \at(exponent, Given)) == 0.0; */
  /*@ assert value: text_fits(t) ==> decimal_text_value(t->buf, \at(t->length, Pre), digits, t->length) ==
        decimal_string_value{Given}(text, digits, \at(exponent, Given)); */
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
  //@ ghost Written:;
  const int length = text_buffer_finish(&t);
  /*@ assert kept: t.length < size ==> \forall integer i; 0 <= i < t.length ==> buf[i] == \at(buf[i], Written); */
  return length;
}

int mpfr_text_hex(char *buf, size_t size, mpfr_srcptr x) {
  text_buffer t = {buf, size, 0};
  mpfr_text_append_hex(&t, x);
  return text_buffer_finish(&t);
}
