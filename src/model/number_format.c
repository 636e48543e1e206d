/* Exact decoding of stored numbers. binary16 has 1 sign bit, 5 exponent bits (bias 15), 10 fraction bits (IEEE 754-2008):
 *   exponent 1..30:  (-1)^s (1024 + f) 2^(e - 25);   exponent 0: (-1)^s f 2^-24;   exponent 31: infinity (f = 0) or NaN. */
#include "model/number_format.h"

#include "model/little_endian.h"

#include <math.h>
#include <string.h>

size_t number_format_size(number_format format) {
  switch (format) {
  case NUMBER_F64:
    return 8;
  case NUMBER_F32:
    return 4;
  case NUMBER_F16:
  case NUMBER_BF16:
    return 2;
  case NUMBER_UNSUPPORTED:
    break;
  }
  return 0;
}

/*@ assigns \nothing; */
static double from_binary32(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/*@ assigns \nothing; */
static double from_binary64(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

double number_from_half(uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double magnitude;
  if (exponent == 31)
    magnitude = fraction == 0 ? INFINITY : NAN;
  else if (exponent == 0)
    magnitude = ldexp(fraction, -24);
  else
    magnitude = ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

double number_from_bfloat16(uint16_t bits) {
  return from_binary32((uint32_t)bits << 16);
}

/*@ requires supported: format != NUMBER_UNSUPPORTED;
    requires readable: \valid_read(bytes + (0 .. number_width(format) - 1));
    assigns \nothing; */
static double decode_one(const unsigned char *bytes, number_format format) {
  switch (format) {
  case NUMBER_F64:
    return from_binary64(little_endian_64(bytes));
  case NUMBER_F32:
    return from_binary32(little_endian_32(bytes));
  case NUMBER_F16:
    return number_from_half(little_endian_16(bytes));
  case NUMBER_BF16:
    return number_from_bfloat16(little_endian_16(bytes));
  case NUMBER_UNSUPPORTED:
    break;
  }
  return NAN;
}

void number_decode(double *out, const unsigned char *bytes, size_t count, number_format format) {
  const size_t size = number_format_size(format);
  /*@ loop invariant range: 0 <= i <= count;
      loop assigns i, out[0 .. count - 1];
      loop variant count - i; */
  for (size_t i = 0; i < count; i++) out[i] = decode_one(bytes + size * i, format);
}

size_t number_first_not_finite(const double *numbers, size_t count) {
  size_t i = 0;
  /*@ loop invariant range: 0 <= i <= count;
      loop invariant finite: \forall integer j; 0 <= j < i ==> \is_finite(numbers[j]);
      loop assigns i;
      loop variant count - i; */
  while (i < count && isfinite(numbers[i])) i++;
  return i;
}
