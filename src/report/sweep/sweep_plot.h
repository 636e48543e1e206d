/* Draws a sweep: on logarithmic axes the certified enclosures, the power law fitted to them, a guide of slope 1/2, and
 * the medians of T1, T4, T6 and T7 at each length. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_PLOT_H
#define ATTCERT_REPORT_SWEEP_SWEEP_PLOT_H

#include "report/sweep/sweep_gnuplot.h"
#include "report/sweep/sweep_row.h"

typedef struct {
  const report_subject *subject;
  const sweep_row *rows;
  int count; /* at least 1 */
} sweep_picture;

sweep_gnuplot_script sweep_plot; /* of a sweep_picture */

#endif
