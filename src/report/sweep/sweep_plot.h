/* Draws a sweep: on logarithmic axes the certified enclosures, the power law fitted to them, a guide of slope 1/2, and
 * the medians of T1, T4, T6 and T7 at each length. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_PLOT_H
#define ATTCERT_REPORT_SWEEP_SWEEP_PLOT_H

#include "report/sweep/sweep_look.h"
#include "report/sweep/sweep_row.h"

/* Draws count >= 1 rows into the stream `image`. ATTCERT_INPUT: no row can be drawn on logarithmic axes.
 * ATTCERT_RESOURCE: memory, disk, or gnuplot fails. */
attcert_status sweep_plot(FILE *image, sweep_plot_format format, const report_subject *subject, const sweep_row *rows,
                          int count, attcert_error *err);

#endif
