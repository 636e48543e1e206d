/* What all pictures have in common, as commands of gnuplot. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_LOOK_H
#define ATTCERT_REPORT_SWEEP_SWEEP_LOOK_H

#include "report/subject.h"

#include <stdio.h>

typedef enum { SWEEP_PLOT_SVG, SWEEP_PLOT_PNG } sweep_plot_format;

/* The format that the name of a file ends in, ".svg" or ".png"; false for any other. */
bool sweep_plot_format_of(sweep_plot_format *format, const char *path);

/* A picture of 800 x height points with its grid. */
void sweep_look_terminal(FILE *out, sweep_plot_format format, int height);

/* The same of 600 points, and the key below the picture. */
void sweep_look_style(FILE *out, sweep_plot_format format);

/* A title: what, a text of plain characters, and its input; of paths the last part. */
void sweep_look_names(FILE *out, const char *name, const char *text, const char *input);

/* The layer and the input. */
void sweep_look_title(FILE *out, const report_subject *s);

/* Tics at 1, 2 and 5 times the powers of ten from low to high. */
void sweep_look_tics(FILE *out, char axis, double low, double high);

/* Logarithmic axes for numbers from low to high at first to last, with tics in y; over many decades the powers of ten
 * are enough. */
void sweep_look_axes(FILE *out, double first, double last, double low, double high);

#endif
