/* A report as a string. */
#ifndef ATTCERT_API_REPORT_PRINT_H
#define ATTCERT_API_REPORT_PRINT_H

#include "attcert.h"

#include <stdio.h>

/* *text, freed first, := what write(stream, context) prints; free releases it. NULL on failure: ATTCERT_RESOURCE. */
attcert_status report_print(char **text, void write(FILE *stream, const void *context), const void *context,
                            attcert_error *err);

#endif
