/* Draws the spectra of a layer's heads: the eigenvalues in the complex plane, or, where it was asked for, the
 * propagation probability of each head against i / T, with the random walks' frequencies and error bars. */
#ifndef ATTCERT_REPORT_SPECTRUM_SPECTRUM_PLOT_H
#define ATTCERT_REPORT_SPECTRUM_SPECTRUM_PLOT_H

#include "report/spectrum/spectrum_report.h"
#include "report/sweep/sweep_look.h"

/* Into the stream `image`. ATTCERT_RESOURCE: memory, disk, or gnuplot fails. */
attcert_status spectrum_plot(FILE *image, sweep_plot_format format, const spectrum_report *r, attcert_error *err);

#endif
