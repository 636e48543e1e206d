/* What the commands that certify have in common: read the layer, certify it, evaluate the theory's bounds, report. In a
 * group of processes all read and certify; process 0 evaluates and reports. */
#ifndef ATTCERT_CLI_JOB_H
#define ATTCERT_CLI_JOB_H

#include "base/progress_line.h"
#include "cli/source/layer_source.h"
#include "run/run_layer.h"

typedef struct job_list job_list;

typedef struct {
  layer_source source;
  run_layer run;             /* of the source's layer and input */
  bool *moves;               /* the tokens that move in the ball; NULL: all */
  const report_worst *worst; /* the search that found the input; NULL: none */
  job_list *list;            /* whose reports its own is one of; NULL: it is the only one */
  progress_line progress;
} job;

/* An empty job with the options of its runs; its source is still to be read. job_clear is due. */
void job_init(job *j, const cli_options *options);

/* For tables, whose rows do not say with which probability they hold: auto takes no random starts unless one is asked
 * for. */
void job_avoid_probability(job *j, const cli_options *options);

/* Reads what the options name and makes sure that the output files can be written. job_clear is due in every case. */
attcert_status job_load(job *j, const cli_options *options, attcert_error *err);

/* The same for any function of a model (layer_source_open_function), of which the run then is. */
attcert_status job_load_function(job *j, const cli_options *options, attcert_error *err);

/* The same for a command that finds its input itself: the layer alone. */
attcert_status job_open(job *j, const cli_options *options, attcert_error *err);

/* The same, of any function. */
attcert_status job_open_function(job *j, const cli_options *options, attcert_error *err);

/* After that: the input that these options name becomes the job's; what was found at the one before is forgotten. */
attcert_status job_next(job *j, const cli_options *options, attcert_error *err);

void job_clear(job *j);

/* After each step of the run (run_layer.h), with what it came to: its progress line goes. */
attcert_status job_ended(job *j, attcert_status status);

/* Certifies (run_layer_certify), but a run that memory ended early is ATTCERT_RESOURCE whatever it has found. */
attcert_status job_run_whole(job *j, attcert_error *err);

/* run_layer_add_bounds where they are a comparison: when memory does not reach for them the certificate stands without,
 * and the report says so. */
attcert_status job_add_bounds_if_possible(job *j, double radius, attcert_error *err);

/* Reads --radius, --ball and --words for the input that was loaded, in place of those of one before. */
attcert_status job_read_region(job *j, const cli_options *options, attcert_error *err);

/* Saves what --vector-out and --save-input ask for, then writes the report, or adds it to the list; check may be
 * NULL. */
attcert_status job_report(const job *j, const cli_options *options, const char *command, const estimate_check *check,
                          attcert_error *err);

/* The same, and the exit status of the run: incomplete, tolerance not met, or ATTCERT_OK. */
attcert_status job_finish(const job *j, const cli_options *options, const char *command, const estimate_check *check,
                          attcert_error *err);

#endif
