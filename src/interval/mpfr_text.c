/* Numbers as text, from MPFR's own digits: printf's decimal point follows the locale, JSON's does not. */
#include "interval/interval_text.h"

#include <stdio.h>

#include "interval/interval_query.h"

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

static int write_not_a_number(char *buf, size_t size, mpfr_srcptr x) {
  const char *const name = mpfr_nan_p(x) ? "nan" : mpfr_sgn(x) > 0 ? "inf" : "-inf";
  return snprintf(buf, size, "%s", name);
}

int mpfr_text_decimal(char *buf, size_t size, mpfr_srcptr x, int digits, mpfr_rnd_t rnd) {
  if (!endpoint_is_number(x)) return write_not_a_number(buf, size, x);
  mpfr_exp_t exponent; /* x = 0.d1 d2 ... 10^exponent */
  char *const text = mpfr_get_str(NULL, &exponent, 10, (size_t)digits, x, rnd);
  if (text == NULL) return -1;
  const char *const minus = mpfr_sgn(x) < 0 ? "-" : "";
  const char *const d = text + (text[0] == '-');
  const long e = mpfr_zero_p(x) ? 0 : (long)exponent - 1;
  const int length = snprintf(buf, size, "%s%c%s%se%+03ld", minus, d[0], digits > 1 ? "." : "", d + 1, e);
  mpfr_free_str(text);
  return length;
}

/* The significand in [1, 2) has the hexadecimal digits 1.hhh; its trailing zeros say nothing. */
int mpfr_text_hex(char *buf, size_t size, mpfr_srcptr x) {
  if (!endpoint_is_number(x)) return write_not_a_number(buf, size, x);
  if (mpfr_zero_p(x)) return snprintf(buf, size, "0x0p+0");
  mpfr_t significand;
  mpfr_init2(significand, mpfr_get_prec(x));
  mpfr_abs(significand, x, MPFR_RNDN);
  mpfr_set_exp(significand, 1);
  mpfr_exp_t one;
  char *const d = mpfr_get_str(NULL, &one, 16, 0, significand, MPFR_RNDN);
  mpfr_clear(significand);
  if (d == NULL) return -1;
  int last = 0;
  for (int i = 1; d[i] != '\0'; i++) {
    if (d[i] != '0') last = i;
  }
  const long e = (long)mpfr_get_exp(x) - 1;
  const char *const minus = mpfr_sgn(x) < 0 ? "-" : "";
  const int length = snprintf(buf, size, "%s0x%c%s%.*sp%+ld", minus, d[0], last > 0 ? "." : "", last, d + 1, e);
  mpfr_free_str(d);
  return length;
}
