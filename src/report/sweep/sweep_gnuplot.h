/* Runs gnuplot: commands on its standard input, the picture from its standard output. No shell
 * and no file name is involved. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_GNUPLOT_H
#define ATTCERT_REPORT_SWEEP_SWEEP_GNUPLOT_H

#include "report/sweep/sweep_look.h"

/* ATTCERT_INPUT when there is no gnuplot that runs. */
attcert_status sweep_gnuplot_probe(attcert_error *err);

/* The commands that draw a picture, into the file `script`. Errors: ATTCERT_INPUT, what is to be drawn has no place on
 * its axes; ATTCERT_RESOURCE. */
typedef attcert_status sweep_gnuplot_script(FILE *script, sweep_plot_format format, const void *picture,
                                            attcert_error *err);

/* What they draw goes to the stream `image`, which has a descriptor. ATTCERT_RESOURCE also when gnuplot fails, with the
 * first line that it says. */
attcert_status sweep_gnuplot_draw(FILE *image, sweep_gnuplot_script *put, sweep_plot_format format, const void *picture,
                                  attcert_error *err);

#endif
