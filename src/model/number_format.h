/* Stored floating-point numbers, little-endian, and their exact values as doubles: binary64, binary32, binary16 (IEEE 754)
 * and bfloat16 (the upper half of a binary32). Each of them is a subset of the doubles, so reading never rounds. */
#ifndef ATTCERT_NUMBER_FORMAT_H
#define ATTCERT_NUMBER_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { NUMBER_F64, NUMBER_F32, NUMBER_F16, NUMBER_BF16, NUMBER_UNSUPPORTED } number_format;

/*@ logic integer number_width(number_format format) =
      format == NUMBER_F64 ? 8 : format == NUMBER_F32 ? 4 : format == NUMBER_F16 || format == NUMBER_BF16 ? 2 : 0; */

/* Bytes a number takes: 8, 4, 2, 2; 0 for NUMBER_UNSUPPORTED. */
/*@ assigns \nothing;
    ensures width: \result == number_width(format); */
size_t number_format_size(number_format format);

/* The exact values of the formats' bit patterns (NaN and infinities included). */
/*@ assigns \nothing; */
double number_from_half(uint16_t bits);

/*@ assigns \nothing; */
double number_from_bfloat16(uint16_t bits);

/* Decodes count numbers from count * number_format_size(format) bytes (any alignment). format is supported. */
/*@ requires supported: NUMBER_F64 <= format <= NUMBER_BF16;
    requires count: 8 * count <= SIZE_MAX;
    requires valid: \valid(out + (0 .. count - 1));
    requires readable: \valid_read(bytes + (0 .. number_width(format) * count - 1));
    requires separated: \separated(out + (0 .. count - 1), bytes + (0 .. number_width(format) * count - 1));
    assigns out[0 .. count - 1]; */
void number_decode(double *out, const unsigned char *bytes, size_t count, number_format format);

/* Index of the first number that is not finite; count when all are. */
/*@ requires valid: \valid_read(numbers + (0 .. count - 1));
    assigns \nothing;
    ensures range: 0 <= \result <= count;
    ensures before: \forall integer i; 0 <= i < \result ==> \is_finite(numbers[i]);
    ensures found: \result < count ==> !\is_finite(numbers[\result]); */
size_t number_first_not_finite(const double *numbers, size_t count);

#endif
