/* Runs gnuplot: commands on its standard input, the picture from its standard output. No shell
 * and no file name is involved. */
#ifndef ATTCERT_REPORT_SWEEP_SWEEP_GNUPLOT_H
#define ATTCERT_REPORT_SWEEP_SWEEP_GNUPLOT_H

#include "attcert.h"

#include <stdio.h>

/* ATTCERT_INPUT when there is no gnuplot that runs. */
attcert_status sweep_gnuplot_probe(attcert_error *err);

/* An empty temporary file for commands; NULL, and the message in err, when there is none. */
FILE *sweep_gnuplot_script(attcert_error *err);

/* Runs the commands in the file `script`, from its beginning; what they draw goes to `image`. Both streams have
 * descriptors. ATTCERT_RESOURCE when gnuplot fails, with the first line that it says. */
attcert_status sweep_gnuplot_run(FILE *script, FILE *image, attcert_error *err);

#endif
