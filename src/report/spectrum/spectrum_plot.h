/* Draws the spectra of a layer's heads: the eigenvalues in the complex plane, or, where it was asked for, the
 * propagation probability of each head against i / T, with the random walks' frequencies and error bars. */
#ifndef ATTCERT_REPORT_SPECTRUM_SPECTRUM_PLOT_H
#define ATTCERT_REPORT_SPECTRUM_SPECTRUM_PLOT_H

#include "report/spectrum/spectrum_report.h"
#include "report/sweep/sweep_gnuplot.h"

sweep_gnuplot_script spectrum_plot; /* of a spectrum_report */

#endif
