/* What a run found, and what is said of it. */
#ifndef ATTCERT_API_RESULT_H
#define ATTCERT_API_RESULT_H

#include "run/run_layer.h"

struct attcert_result {
  run_layer run; /* its layer and input are those of the problem: not read once the run has ended */
  estimate_check check;
  bool has_check;
  char *json, *text;
};

/* *made: NULL when out of memory. Options of NULL are the default ones; what the run is of is the caller's to set. */
attcert_status result_new(attcert_result **made, const attcert_options *options, attcert_error *err);

/* Prints both reports, those of the command. Errors: ATTCERT_RESOURCE. */
attcert_status result_tell(attcert_result *r, const char *command, const report_subject *subject, attcert_error *err);

#endif
