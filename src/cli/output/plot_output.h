/* Where a picture goes. */
#ifndef ATTCERT_CLI_OUTPUT_PLOT_OUTPUT_H
#define ATTCERT_CLI_OUTPUT_PLOT_OUTPUT_H

#include "report/sweep/sweep_gnuplot.h"

/* Whatever would keep the picture from being drawn, noticed now rather than after the long run. path NULL: none. */
attcert_status plot_output_probe(const char *path, attcert_error *err);

/* Draws the picture by those commands into the file `path` (NULL: not at all), which appears whole or not at all. */
attcert_status plot_output_write(const char *path, sweep_gnuplot_script *put, const void *picture, attcert_error *err);

#endif
