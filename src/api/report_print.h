/* A report as a string. */
#ifndef ATTCERT_API_REPORT_PRINT_H
#define ATTCERT_API_REPORT_PRINT_H

#include "attcert.h"
#include "report/fact_writer.h"

/* *text, freed first, := the report; free releases it. NULL on failure: ATTCERT_RESOURCE. */
attcert_status report_print(char **text, report_writer *write, bool json, const void *facts, attcert_error *err);

#endif
