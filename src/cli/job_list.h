/* The reports of jobs at several inputs, written to where the options say: as text to standard output each when it is
 * there; else all of them together, when the last is, or when the run ends early. */
#ifndef ATTCERT_CLI_JOB_LIST_H
#define ATTCERT_CLI_JOB_LIST_H

#include "cli/options/options.h"
#include "cli/output/output.h"
#include "report/report_list.h"

typedef struct job_list {
  report_list list;
  output out;
  bool writes;    /* this process is the one that reports */
  bool piecewise; /* each when it is there */
} job_list;

/* job_list_end is due where this returns ATTCERT_OK. Errors: as of output_open. */
attcert_status job_list_begin(job_list *l, const cli_options *options, int asked, attcert_error *err);

attcert_status job_list_add(job_list *l, const report *r, attcert_error *err);
attcert_status job_list_add_failure(job_list *l, const char *input, const char *reason, attcert_error *err);

/* status: what the run came to; unless it is ATTCERT_OK, what was kept is not written. incomplete: why the list ends
 * early; NULL: it does not. Returns the status, or that of writing. */
attcert_status job_list_end(job_list *l, attcert_status status, const char *incomplete, attcert_error *err);

#endif
