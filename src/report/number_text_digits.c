/* Numbers as text in fixed buffers, over the interval module's conversions. */
#include "report/number_text.h"

#include "interval/mpfr_text.h"

#include <float.h>

const char *number_text_decimal(char buf[NUMBER_TEXT_SIZE], mpfr_srcptr x, int digits, mpfr_rnd_t rounding) {
  const int length = mpfr_text_decimal(buf, NUMBER_TEXT_SIZE, x, digits, rounding);
  (void)length; /* always fits */
  /*@ assert ended: 0 <= length < NUMBER_TEXT_SIZE && buf[length] == 0; */
  return buf;
}

const char *number_text_double(char buf[NUMBER_TEXT_SIZE], double x, int digits, mpfr_rnd_t rounding) {
  mpfr_t exact;
  mpfr_init2(exact, DBL_MANT_DIG);
  mpfr_set_d(exact, x, MPFR_RNDN);
  number_text_decimal(buf, exact, digits, rounding);
  mpfr_clear(exact);
  return buf;
}

const char *number_text_hex(char buf[NUMBER_TEXT_SIZE], mpfr_srcptr x) {
  const int length = mpfr_text_hex(buf, NUMBER_TEXT_SIZE, x);
  (void)length; /* always fits */
  /*@ assert ended: 0 <= length < NUMBER_TEXT_SIZE && buf[length] == 0; */
  return buf;
}
