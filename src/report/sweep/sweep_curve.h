/* A curve in the radius of a ball around one input: rows of a CSV file, and its picture. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_CURVE_H
#define ATTCERT_REPORT_SWEEP_SWEEP_CURVE_H

#include "ball/ball.h"
#include "report/sweep/sweep_look.h"

typedef struct {
  double radius;
  mpfr_t lower, upper;  /* of the largest local constant in the ball, 53 bits */
  const char *upper_by; /* "T11", or a bound of the theory */
  bool has_sharp;       /* T9 is available on that ball */
  mpfr_t sharp;         /* T9 */
  double seconds;
} sweep_curve_row;

void sweep_curve_row_init(sweep_curve_row *row);
void sweep_curve_row_clear(sweep_curve_row *row);

/* What the enclosure says for this radius. */
void sweep_curve_row_set(sweep_curve_row *row, double radius, const ball_enclosure *b);

/* The names of the columns, in one line: radius, point_lower, point_upper, found, upper, upper_by, T9, seconds. */
void sweep_curve_write_names(FILE *out);

/* The row as a line; certified numbers rounded outward to 17 digits, what is infinite or not available left empty. */
void sweep_curve_write(FILE *out, const sweep_curve_row *row, const attcert_certificate *point);

/* Draws count >= 1 rows on logarithmic axes into the stream `image`. ATTCERT_INPUT: nothing of it can be drawn there.
 * ATTCERT_RESOURCE: memory, disk, or gnuplot fails. */
attcert_status sweep_curve_plot(FILE *image, sweep_plot_format format, const report_subject *subject,
                                const attcert_certificate *point, const sweep_curve_row *rows, int count,
                                attcert_error *err);

#endif
