/* Stored floating-point numbers, little-endian, and their exact values as doubles: binary64, binary32,
 * binary16 (IEEE 754) and bfloat16 (the upper half of a binary32). Each of them is a subset of the
 * doubles, so reading never rounds. */
#ifndef ATTCERT_MODEL_FORMAT_NUMBER_FORMAT_H
#define ATTCERT_MODEL_FORMAT_NUMBER_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __FRAMAC__
#include "arithmetic/double.acsl"
#include "format/stored_number.acsl"
#endif

typedef enum { NUMBER_F64, NUMBER_F32, NUMBER_F16, NUMBER_BF16, NUMBER_UNSUPPORTED } number_format;

/*@ logic integer number_width(number_format format) =
      format == NUMBER_F64 ? 8 : format == NUMBER_F32 ? 4 : format == NUMBER_F16 || format == NUMBER_BF16 ? 2 : 0;
    logic real stored_number{L}(unsigned char *bytes, number_format format) =
      format == NUMBER_F64 ? binary64(little_endian_8(bytes)) :
      format == NUMBER_F32 ? binary32(little_endian_4(bytes)) :
      format == NUMBER_F16 ? binary16(little_endian_2(bytes)) : bfloat16(little_endian_2(bytes)); */

/* Bytes a number takes: 8, 4, 2, 2; 0 for NUMBER_UNSUPPORTED. */
/*@ terminates \true;
    assigns \nothing;
    ensures width: \result == number_width(format); */
size_t number_format_size(number_format format);

/* The exact values of the formats' bit patterns (NaN and infinities included). */
/*@ terminates \true;
    assigns \nothing;
    ensures value: \result == binary16(bits); */
double number_from_half(uint16_t bits);

/*@ terminates \true;
    assigns \nothing;
    ensures value: \result == bfloat16(bits); */
double number_from_bfloat16(uint16_t bits);

/* Decodes count numbers from count * number_format_size(format) bytes (any alignment). format is supported. */
/*@ requires supported: NUMBER_F64 <= format <= NUMBER_BF16;
    requires count: 8 * count <= SIZE_MAX;
    requires valid: \valid(out + (0 .. count - 1));
    requires readable: \valid_read(bytes + (0 .. number_width(format) * count - 1));
    requires separated: \separated(out + (0 .. count - 1), bytes + (0 .. number_width(format) * count - 1));
    terminates \true;
    assigns out[0 .. count - 1];
    ensures decoded: \forall integer i; 0 <= i < count ==>
      out[i] == stored_number{Pre}(bytes + number_width(format) * i, format); */
void number_decode(double *out, const unsigned char *bytes, size_t count, number_format format);

/* Index of the first number that is not finite; count when all are. */
/*@ requires valid: \valid_read(numbers + (0 .. count - 1));
    terminates \true;
    assigns \nothing;
    ensures range: 0 <= \result <= count;
    ensures before: \forall integer i; 0 <= i < \result ==> finite_double(numbers[i]);
    ensures found: \result < count ==> !finite_double(numbers[\result]); */
size_t number_first_not_finite(const double *numbers, size_t count);

#endif
