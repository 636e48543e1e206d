/* What long work says of itself while it runs, and whether it is to go on. */
#ifndef ATTCERT_BASE_PROGRESS_REPORT_H
#define ATTCERT_BASE_PROGRESS_REPORT_H

#include "attcert.h"

/* Calls the options' progress callback, where there is one (options may be NULL). ATTCERT_CANCELLED, naming the stage,
 * when it asks to end the run: the caller gives up as it does when memory runs out. A run that processes share goes on:
 * they would not all give up at the same place. */
/*@ requires error: err == \null || \valid(err);
    terminates \true;
    assigns *err, \result; */
attcert_status progress_report(const attcert_options *options, const char *stage, double done, attcert_error *err);

#endif
