/* One row of a sweep: what is known about the layer at one sequence of the text, and its line in the CSV file. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_ROW_H
#define ATTCERT_REPORT_SWEEP_SWEEP_ROW_H

#include "attcert.h"
#include "theory/theory.h"

#include <stdio.h>

enum { SWEEP_ENGINE_SIZE = 16 };

typedef struct {
  int n;                          /* tokens */
  int sequence;                   /* 1 .. S: which of the sequences of this length */
  int offset;                     /* its first token in the text */
  double radius;                  /* sqrt(mean_i ||x_i||^2) */
  mpfr_t lower, upper;            /* the certified enclosure, 53 bits */
  double relative_width;          /* (upper - lower) / upper */
  double estimate;                /* of Lanczos in double: not certified */
  char engine[SWEEP_ENGINE_SIZE]; /* of the upper end */
  theory_table bounds;            /* values and whether they are available; no explanations */
  double seconds;                 /* of certifying and evaluating the bounds */
} sweep_row;

void sweep_row_init(sweep_row *row);
void sweep_row_clear(sweep_row *row);

/* sqrt(mean_i ||x_i||^2), the radius that Castin et al. plot against; +inf beyond the range of double. */
double sweep_row_radius(const attcert_matrix *x);

/* The names of the columns, in one line. */
void sweep_row_write_names(FILE *out);

/* The row as a line. Certified numbers are rounded outward to 17 digits; bounds that are
 * not available are left empty. */
void sweep_row_write(FILE *out, const sweep_row *row);

/* Reads such a line (without its newline) into an initialised row, certified numbers rounded outward again.
 * ATTCERT_INPUT names `where` (file and line) and the column that is not what it should be. */
attcert_status sweep_row_read(sweep_row *row, const char *line, const char *where, attcert_error *err);

#endif
