/* Draws where a network's bound loses its margin: a bar for each operation, its share of what was lost at the certified
 * radius (where there is none, at the smallest that was tried in vain), in the order of the network. */
#ifndef ATTCERT_REPORT_ROBUST_ROBUST_PLOT_H
#define ATTCERT_REPORT_ROBUST_ROBUST_PLOT_H

#include "report/robust/robust_report.h"
#include "report/sweep/sweep_look.h"

/* Into the stream `image`; no bars where no bound was found. ATTCERT_RESOURCE: memory, disk, or gnuplot fails. */
attcert_status robust_plot(FILE *image, sweep_plot_format format, const robust_report *r, attcert_error *err);

#endif
