/* What the pictures of all sweeps have in common, as commands of gnuplot. */
#ifndef ATTCERT_SWEEP_LOOK_H
#define ATTCERT_SWEEP_LOOK_H

#include "report/subject.h"

#include <stdio.h>

typedef enum { SWEEP_PLOT_SVG, SWEEP_PLOT_PNG } sweep_plot_format;

/* The format that the name of a file ends in, ".svg" or ".png"; false for any other. */
bool sweep_plot_format_of(sweep_plot_format *format, const char *path);

/* Terminal, grid, and the key below the picture. */
void sweep_look_style(FILE *out, sweep_plot_format format);

/* The layer and the input. */
void sweep_look_title(FILE *out, const report_subject *s);

/* Tics at 1, 2 and 5 times the powers of ten from low to high. */
void sweep_look_tics(FILE *out, char axis, double low, double high);

#endif
