/* An end of an enclosure on its way through a decimal text into a reader's double. */
#include "report/number_text.h"

#include <math.h>

const char *number_text_end(char buf[NUMBER_TEXT_SIZE], mpfr_srcptr x, mpfr_rnd_t rounding) {
  enum { DIGITS_BEYOND = 16 };
  const double end = mpfr_get_d(x, rounding);
  if (isfinite(end)) return number_text_double(buf, end, NUMBER_TEXT_DIGITS, rounding);
  return number_text_decimal(buf, x, DIGITS_BEYOND, rounding);
}
