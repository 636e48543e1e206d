/* Numbers written short, by printf: approximations for people. */
#include "report/number_text.h"

#include <stdio.h>

const char *number_text_short(char buf[NUMBER_TEXT_SIZE], mpfr_srcptr x, int digits, mpfr_rnd_t rounding) {
  mpfr_snprintf(buf, NUMBER_TEXT_SIZE, "%.*R*g", digits, rounding, x);
  return buf;
}

const char *number_text_bytes(char buf[NUMBER_TEXT_SIZE], uint64_t bytes) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  double amount = (double)bytes;
  for (; amount >= 1024 && unit + 1 < sizeof units / sizeof units[0]; unit++) amount /= 1024;
  snprintf(buf, NUMBER_TEXT_SIZE, amount < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", amount, units[unit]);
  return buf;
}
