/* A curve in the radius of a ball around one input: rows of a CSV file, and its picture. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_CURVE_H
#define ATTCERT_REPORT_SWEEP_SWEEP_CURVE_H

#include "ball/ball.h"
#include "report/fact_writer.h"
#include "report/sweep/sweep_gnuplot.h"

typedef struct {
  double radius;
  mpfr_t lower, upper;  /* of the largest local constant in the ball, 53 bits */
  const char *upper_by; /* "T11", or a bound of the theory */
  bool has_sharp;       /* T9 is available on that ball */
  mpfr_t sharp;         /* T9 */
  double seconds;
} sweep_curve_row;

typedef struct {
  const report_subject *subject;
  const attcert_certificate *point; /* of the input itself */
  const char *path;                 /* of the file */
  char *header;                     /* its first line (sweep_header.h); owned */
  sweep_curve_row *rows;
  int count;
} sweep_curve;

/* Room for that many rows, in a curve without. Errors: ATTCERT_RESOURCE; sweep_curve_clear is due in every case. */
attcert_status sweep_curve_reserve(sweep_curve *c, int most, attcert_error *err);
void sweep_curve_clear(sweep_curve *c);

/* One more row: what the enclosure says for this radius. */
void sweep_curve_add(sweep_curve *c, double radius, const ball_enclosure *b);

/* Of a sweep_curve. The file: a line for the header, the names of the columns (radius, point_lower, point_upper, found,
 * upper, upper_by, T9, seconds) and each row; certified numbers are rounded outward to 17 digits, what is infinite or
 * not available is left empty. The summary: what was found, in a few lines. */
report_writer sweep_curve_write, sweep_curve_summary;

/* Likewise, of one row or more, on logarithmic axes. */
sweep_gnuplot_script sweep_curve_plot;

#endif
