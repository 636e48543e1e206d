/* Draws where a network's bound loses its margin: a bar for each operation, its share of what was lost at the certified
 * radius (where there is none, at the smallest that was tried in vain), in the order of the network. */
#ifndef ATTCERT_REPORT_ROBUST_ROBUST_PLOT_H
#define ATTCERT_REPORT_ROBUST_ROBUST_PLOT_H

#include "report/sweep/sweep_gnuplot.h"

/* Of robust_facts; no bars where no bound was found. */
sweep_gnuplot_script robust_plot;

#endif
