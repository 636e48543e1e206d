/* See serde_number.h. */
#include "model/tokenizer/model/serde_number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* An integer below 2^53 over a power of ten up to this one is rounded once: to the number that is meant. */
enum { EXACT_DIGITS = 15, EXACT_POWER = 22, DIGITS = 17, LARGEST_POWER = 308 };

static double power_of_ten(int exponent) {
  char text[16];
  snprintf(text, sizeof text, "1e%d", exponent);
  return strtod(text, NULL);
}

/* The digits of "d.ddde+xx" as an integer; *exponent: of the power of ten that it is times. */
static uint64_t read_digits(int *exponent, const char *text) {
  uint64_t digits = 0;
  int fraction = -1; /* digits behind the first one */
  for (; *text != 'e'; text++) {
    if (*text < '0' || *text > '9') continue; /* the sign; the point, which a locale may write otherwise */
    digits = 10 * digits + (uint64_t)(*text - '0');
    fraction++;
  }
  *exponent = (int)strtol(text + 1, NULL, 10) - fraction;
  return digits;
}

static double divided(uint64_t digits, int exponent) {
  double value = (double)digits;
  for (; exponent < -LARGEST_POWER; exponent += LARGEST_POWER) value /= power_of_ten(LARGEST_POWER);
  return exponent < 0 ? value / power_of_ten(-exponent) : value * power_of_ten(exponent);
}

double serde_number(double value) {
  char text[40];
  int exponent = 0, count = EXACT_DIGITS;
  for (; count <= DIGITS; count++) {
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    if (strtod(text, NULL) == value) break;
  }
  const uint64_t digits = read_digits(&exponent, text);
  if (count == EXACT_DIGITS && abs(exponent) <= EXACT_POWER) return value;
  return copysign(divided(digits, exponent), value);
}
