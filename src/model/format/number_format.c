/* Exact decoding of stored numbers. A binary16 is a binary32 with another exponent bias, except where it is subnormal
 * (spec/format/stored_number.acsl). */
#include "model/format/number_format.h"

#include "model/format/little_endian.h"
#include "model/format/number_bits.h"

#include <math.h>

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

double number_from_half(uint16_t bits) {
  const uint32_t sign = bits / 0x8000u, exponent = bits / 1024u % 32u, fraction = bits % 1024u;
  if (exponent == 0) return sign == 0 ? fraction * 0x1p-24 : -(fraction * 0x1p-24);
  return number_from_binary32(0x80000000u * sign + 0x800000u * (exponent == 31 ? 255 : exponent + 112) +
                              0x2000u * fraction);
}

double number_from_bfloat16(uint16_t bits) {
  return number_from_binary32(0x10000u * bits);
}

/*@ requires supported: NUMBER_F64 <= format <= NUMBER_BF16;
    requires readable: \valid_read(bytes + (0 .. number_width(format) - 1));
    terminates \true;
    assigns \nothing;
    ensures value: \result == stored_number(bytes, format); */
static double decode_one(const unsigned char *bytes, number_format format) {
  if (format == NUMBER_F64) return number_from_binary64(little_endian_64(bytes));
  if (format == NUMBER_F32) return number_from_binary32(little_endian_32(bytes));
  const uint16_t bits = little_endian_16(bytes);
  return format == NUMBER_F16 ? number_from_half(bits) : number_from_bfloat16(bits);
}

void number_decode(double *out, const unsigned char *bytes, size_t count, number_format format) {
  const size_t size = number_format_size(format);
  /*@ loop invariant range: 0 <= i <= count;
      loop invariant decoded: \forall integer j; 0 <= j < i ==> out[j] == stored_number{Pre}(bytes + size * j, format);
      loop assigns i, out[0 .. count - 1];
      loop variant count - i; */
  for (size_t i = 0; i < count; i++) {
    /*@ assert offset: (size == 2 || size == 4 || size == 8) && 0 <= size * i <= 8 * count; */
    /*@ assert exact: (size_t)(size * i) == size * i; */
    out[i] = decode_one(bytes + size * i, format);
    /*@ assert this: out[i] == stored_number{Pre}(bytes + size * i, format); */
    /*@ assert others: \forall integer j; 0 <= j < i ==> out[j] == \at(out[j], LoopCurrent); */
  }
}

size_t number_first_not_finite(const double *numbers, size_t count) {
  size_t i = 0;
  /*@ loop invariant range: 0 <= i <= count;
      loop invariant finite: \forall integer j; 0 <= j < i ==> finite_double(numbers[j]);
      loop assigns i;
      loop variant count - i; */
  while (i < count && isfinite(numbers[i])) i++;
  return i;
}
