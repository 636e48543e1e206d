/* Fields of a CSV row, each preceded by a comma. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_CSV_H
#define ATTCERT_BOUNDS_PROGRAMS_CSV_H

#include <mpfr.h>
#include <stdio.h>

/* ",1.25e+00" with 17 digits, rounded as asked; "inf" for infinity. */
void csv_number(FILE *out, mpfr_srcptr x, mpfr_rnd_t rounding);

/* numerator / denominator, rounded as asked; empty when it is no number. */
void csv_ratio(FILE *out, mpfr_srcptr numerator, mpfr_srcptr denominator, mpfr_rnd_t rounding);

/* A comma in the text becomes a semicolon: no field is quoted, so that awk can read the rows. */
void csv_text(FILE *out, const char *text);

void csv_empty(FILE *out);

#endif
