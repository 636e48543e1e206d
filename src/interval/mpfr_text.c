/* Numbers as text, from MPFR's own digits: printf's decimal point follows the locale, JSON's does not. */
#include "interval/mpfr_text.h"

#include "interval/interval_query.h"

#ifdef __FRAMAC__
#include <mpfr_digits.h>

#include "arithmetic/repeated_scaling_lemmas.acsl"
#include "format/decimal_text_lemmas.acsl"
#include "format/hex_text_lemmas.acsl"
#endif

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
  /*@ assert significand: text_fits(t) ==> significand(t->buf, start, n); */
  /*@ assert others: text_fits(t) ==> \forall integer i; start + 2 <= i <= start + n ==>
        0 <= first + i - start - 1 < first + n && t->buf[i] == text[first + i - start - 1]; */
  /*@ assert value: text_fits(t) ==> significand_value(t->buf, start, n) == digits_value(text, first, n); */
  /*@ assert digits_kept: digits_value(text, first, n) == digits_value{Pre}(text, first, n); */
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

/* What mpfr_text_decimal writes. */
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
static void mpfr_text_append_decimal(text_buffer *t, mpfr_srcptr x, int digits, mpfr_rnd_t rnd) {
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
    assigns s->model_value, s->model_kind;
    ensures positive: number(s) && positive(s);
    ensures range: 1.0 <= value(s) < 2.0;
    ensures scaled: value(s) == prod(\abs(value(x)), power_of_two(1 - binary_exponent(\abs(value(x))))); */
static void set_significand(mpfr_ptr s, mpfr_srcptr x) {
  mpfr_abs(s, x, MPFR_RNDN);
  /*@ assert magnitude: \abs(value(s)) == value(s) == \abs(value(x)); */
  mpfr_set_exp(s, 1);
}

/* The n digits of the significand, 1hhh: 1 + (p + 2) / 4 of them hold p bits. */
/*@ requires valid: \valid_read(x) && number(x) && !zero(x);
    requires live: initialised(x);
    requires digits: precision(x) + 3 <= 4 * n;
    terminates \true;
    assigns mpfr_lives, \result \from *x, n;
    ensures lives: same_lives{Pre, Post};
    ensures memory: \result != \null && \valid_read(\result + (0 .. n - 1));
    ensures fresh: \forall char *p; \valid{Pre}(p) ==> \base_addr(p) != \base_addr(\result);
    ensures digits: hex_digits(\result, 0, n);
    ensures number: prod(hex_digits_value(\result, 0, n),
        power_of_two(binary_exponent(\abs(value(x))) + 3 - 4 * n)) == \abs(value(x)); */
static char *significand_digits(mpfr_srcptr x, size_t n) {
  mpfr_t significand;
  mpfr_init2(significand, mpfr_get_prec(x));
  /*@ assert live: initialised(x); */
  /*@ assert others: same_lives{Pre, Here}; */
  set_significand(significand, x);
  mpfr_exp_t one;
  char *const d = mpfr_get_str(NULL, &one, 16, n, significand, MPFR_RNDN);
  /*@ assert digits: hex_digits(d, 0, n); */
  /*@ assert significand: prod(\abs(value(x)), power_of_two(1 - binary_exponent(\abs(value(x))))) ==
        prod(hex_digits_value(d, 0, n), power_of_two(4 - 4 * n)); */
  /*@ assert back: prod(prod(\abs(value(x)), power_of_two(1 - binary_exponent(\abs(value(x))))),
        power_of_two(binary_exponent(\abs(value(x))) - 1)) == \abs(value(x)); */
  /*@ assert number: prod(hex_digits_value(d, 0, n), power_of_two(binary_exponent(\abs(value(x))) + 3 - 4 * n)) ==
        \abs(value(x)); */
  mpfr_clear(significand);
  /*@ assert lives: same_lives{Pre, Here}; */
  return d;
}

/* n digits with a point behind the first of them. */
/*@ requires valid: text_valid(t) && 1 <= n && \valid_read(d + (0 .. n - 1));
    requires separated: \separated(d + (0 .. n - 1), t, t->buf + (0 .. t->size - 1));
    requires digits: hex_digits(d, 0, n);
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1];
    ensures length: t->length == text_sum(\at(t->length, Pre), significand_end(0, n));
    ensures kept: text_kept{Pre, Post}(t, \at(t->length, Pre));
    ensures significand: text_fits(t) ==> hex_significand(t->buf, \at(t->length, Pre), n);
    ensures number: text_fits(t) ==> hex_significand_value(t->buf, \at(t->length, Pre), n) ==
      hex_digits_value{Pre}(d, 0, n); */
static void append_hex_significand(text_buffer *t, const char *d, size_t n) {
  text_buffer_append_char(t, d[0]);
  /*@ assert first: t->length < t->size ==> t->buf[\at(t->length, Pre)] == \at(d[0], Pre); */
  if (n > 1) text_buffer_append_char(t, '.');
  /*@ assert point: t->length < t->size ==> n > 1 ==> t->buf[\at(t->length, Pre) + 1] == '.'; */
  /*@ assert still: t->length < t->size ==> t->buf[\at(t->length, Pre)] == \at(d[0], Pre); */
  text_buffer_append(t, d + 1, n - 1);
  /*@ assert rest: text_fits(t) ==> \forall integer i;
        \at(t->length, Pre) + 2 <= i <= \at(t->length, Pre) + n ==>
        t->buf[i] == d[0 + i - \at(t->length, Pre) - 1]; */
  /*@ assert same: \forall integer i; 0 <= i < n ==> d[i] == \at(d[i], Pre); */
  /*@ assert begun: text_fits(t) ==> t->buf[\at(t->length, Pre)] == \at(d[0], Pre); */
}

/* "[-]0x". */
/*@ requires valid: text_valid(t);
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1];
    ensures length: t->length == text_sum(\at(t->length, Pre), negative ? 3 : 2);
    ensures kept: text_kept{Pre, Post}(t, \at(t->length, Pre));
    ensures sign: text_fits(t) ==> (t->buf[\at(t->length, Pre)] == '-' <==> negative);
    ensures zero: text_fits(t) ==> t->buf[first_digit(t->buf, \at(t->length, Pre))] == '0' &&
      t->buf[first_digit(t->buf, \at(t->length, Pre)) + 1] == 'x'; */
static void append_hex_prefix(text_buffer *t, bool negative) {
  if (negative) text_buffer_append_char(t, '-');
  text_buffer_append_char(t, '0');
  text_buffer_append_char(t, 'x');
}

/* A hexadecimal text: n digits, and the exponent of the first of them. */
/*@ requires valid: text_valid(t) && 1 <= n && \valid_read(d + (0 .. n - 1));
    requires separated: \separated(d + (0 .. n - 1), t, t->buf + (0 .. t->size - 1));
    requires digits: hex_digits(d, 0, n);
    requires exponent: mpfr_exponent(e + 1);
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1];
    ensures length: text_sum(\at(t->length, Pre), 5) <= t->length <= text_sum(\at(t->length, Pre), n + 25);
    ensures kept: text_kept{Pre, Post}(t, \at(t->length, Pre));
    ensures sign: text_fits(t) ==> (t->buf[\at(t->length, Pre)] == '-' <==> negative);
    ensures text: text_fits(t) ==> hex_text(t->buf, \at(t->length, Pre), n, t->length);
    ensures magnitude: text_fits(t) ==> hex_text_magnitude(t->buf, \at(t->length, Pre), n, t->length) ==
      prod(hex_digits_value{Pre}(d, 0, n), power_of_two(e - 4 * (n - 1))); */
static void append_hex_text(text_buffer *t, bool negative, const char *d, size_t n, long e) {
  append_hex_prefix(t, negative);
  /*@ ghost size_t start = t->length; */
  //@ ghost Prefix:;
  /*@ assert unchanged: \forall integer i; 0 <= i < n ==> d[i] == \at(d[i], Pre); */
  /*@ assert begun: text_fits(t) ==> t->buf[start - 2] == '0' && t->buf[start - 1] == 'x'; */
  /*@ assert digits: hex_digits(d, 0, n); */
  append_hex_significand(t, d, n);
  /*@ ghost size_t end = t->length; */
  //@ ghost Digits:;
  /*@ assert source: hex_digits_value{Prefix}(d, 0, n) == hex_digits_value{Pre}(d, 0, n); */
  /*@ assert written: text_fits(t) ==> hex_significand_value(t->buf, start, n) == hex_digits_value{Pre}(d, 0, n); */
  /*@ assert pointed: text_fits(t) ==> hex_significand(t->buf, start, n) && end == significand_end(start, n); */
  text_buffer_append_char(t, 'p');
  text_buffer_append_exponent(t, e, 1);
  /*@ assert letter: text_fits(t) ==> t->buf[end] == 'p'; */
  /*@ assert before: text_fits(t) ==> \forall integer i; 0 <= i < end ==> t->buf[i] == \at(t->buf[i], Digits); */
  /*@ assert prefix: text_fits(t) ==> \forall integer i; 0 <= i < start ==> t->buf[i] == \at(t->buf[i], Prefix); */
  /*@ assert start: text_fits(t) ==> start == first_digit(t->buf, \at(t->length, Pre)) + 2; */
  /*@ assert place: text_fits(t) ==> hex_exponent_place(t->buf, \at(t->length, Pre), n) == end + 1; */
  /*@ assert significand: text_fits(t) ==> hex_significand(t->buf, start, n); */
  /*@ assert same: text_fits(t) ==>
        hex_significand_value(t->buf, start, n) == hex_significand_value{Digits}(t->buf, start, n); */
  /*@ assert number: text_fits(t) ==> hex_significand_value(t->buf, start, n) == hex_digits_value{Pre}(d, 0, n); */
  /*@ assert zero: text_fits(t) ==> t->buf[start - 2] == '0' && t->buf[start - 1] == 'x'; */
  /*@ assert exponent: text_fits(t) ==> hex_text_exponent(t->buf, \at(t->length, Pre), n, t->length) == e; */
}

/* A number other than 0; zeros at the end of its digits say nothing. */
/*@ requires valid: text_valid(t) && \valid_read(x) && number(x) && !zero(x);
    requires live: initialised(x);
    requires separated: \separated(x, t, t->buf + (0 .. t->size - 1));
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1], mpfr_lives;
    ensures length: text_sum(\at(t->length, Pre), 5) <= t->length <=
      text_sum(\at(t->length, Pre), precision(x) / 4 + 27);
    ensures lives: same_lives{Pre, Post};
    ensures kept: text_kept{Pre, Post}(t, \at(t->length, Pre));
    ensures exact: text_fits(t) ==> hex_text_of(t->buf, \at(t->length, Pre), t->length, value(x)); */
static void append_hex_number(text_buffer *t, mpfr_srcptr x) {
  const size_t n = ((size_t)mpfr_get_prec(x) + 2) / 4 + 1;
  char *const d = significand_digits(x, n);
  if (d == NULL) {
    text_buffer_fail(t);
    return;
  }
  const size_t last = last_digit(d, n);
  const mpfr_exp_t e = mpfr_get_exp(x) - 1;
  /*@ assert exponent: e + 1 == binary_exponent(\abs(value(x))); */
  /*@ assert zeros: \forall integer i; last + 1 <= i < n ==> d[i] == '0'; */
  /*@ assert whole: prod(hex_digits_value(d, 0, n), power_of_two((e + 4) - 4 * n)) == \abs(value(x)); */
  /*@ assert number: prod(hex_digits_value(d, 0, last + 1), power_of_two((e + 4) - 4 * (last + 1))) ==
        \abs(value(x)); */
  append_hex_text(t, mpfr_sgn(x) < 0, d, last + 1, e);
  /*@ assert magnitude: text_fits(t) ==>
        hex_text_magnitude(t->buf, \at(t->length, Pre), last + 1, t->length) == \abs(value(x)); */
  /*@ assert value: text_fits(t) ==> hex_text_value(t->buf, \at(t->length, Pre), last + 1, t->length) == value(x); */
  mpfr_free_str(d);
}

/* "0x0p+0". */
/*@ requires valid: text_valid(t);
    terminates \true;
    assigns t->length, t->buf[0 .. t->size - 1];
    ensures length: text_sum(\at(t->length, Pre), 5) <= t->length <= text_sum(\at(t->length, Pre), 26);
    ensures kept: text_kept{Pre, Post}(t, \at(t->length, Pre));
    ensures exact: text_fits(t) ==> hex_text_of(t->buf, \at(t->length, Pre), t->length, 0.0); */
static void append_hex_zero(text_buffer *t) {
  const char zero = '0';
  append_hex_text(t, false, &zero, 1, 0);
  /*@ assert magnitude: text_fits(t) ==> hex_text_magnitude(t->buf, \at(t->length, Pre), 1, t->length) == 0.0; */
  /*@ assert value: text_fits(t) ==> hex_text_value(t->buf, \at(t->length, Pre), 1, t->length) == 0.0; */
}

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
static void mpfr_text_append_hex(text_buffer *t, mpfr_srcptr x) {
  if (!endpoint_is_number(x)) {
    append_not_a_number(t, x);
  } else if (mpfr_zero_p(x)) {
    append_hex_zero(t);
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
  //@ ghost Written:;
  const int length = text_buffer_finish(&t);
  /*@ assert kept: t.length < size ==> \forall integer i; 0 <= i < t.length ==> buf[i] == \at(buf[i], Written); */
  return length;
}
