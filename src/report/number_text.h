/* Numbers as the reports print them. */
#ifndef ATTCERT_NUMBER_TEXT_H
#define ATTCERT_NUMBER_TEXT_H

#include <mpfr.h>
#include <stdint.h>

/* Holds a sign, 17 digits and MPFR's largest decimal exponent, or 53 bits in hexadecimal. */
enum { NUMBER_TEXT_SIZE = 64, NUMBER_TEXT_DIGITS = 17 };

/* x rounded to `digits` (1 to 17) significant decimal digits, "1.25e+400"; returns buf. */
const char *number_text_decimal(char buf[NUMBER_TEXT_SIZE], mpfr_srcptr x, int digits, mpfr_rnd_t rounding);

/* The same for a double. */
const char *number_text_double(char buf[NUMBER_TEXT_SIZE], double x, int digits, mpfr_rnd_t rounding);

/* x rounded to `digits` significant decimal digits, written short where it can be: "17.8", "1.25e+400"; returns buf. */
const char *number_text_short(char buf[NUMBER_TEXT_SIZE], mpfr_srcptr x, int digits, mpfr_rnd_t rounding);

/* x (53 bits) exactly, "0x1.8p+3"; returns buf. */
const char *number_text_hex(char buf[NUMBER_TEXT_SIZE], mpfr_srcptr x);

/* A size in bytes, "31 MiB"; returns buf. */
const char *number_text_bytes(char buf[NUMBER_TEXT_SIZE], uint64_t bytes);

#endif
