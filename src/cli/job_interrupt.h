/* A run that is interrupted says what is valid: the first signal has the certificate written, without theory bounds
 * and ball where they are not there yet, or before there is one the pointwise bound; of a list what the inputs before
 * came to, too; the second ends at once. */
#ifndef ATTCERT_CLI_JOB_INTERRUPT_H
#define ATTCERT_CLI_JOB_INTERRUPT_H

#include "cli/job.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct {
  const job *job;
  const cli_options *options;
  const char *command;
  atomic_bool certified; /* the job's certificate is there */
  int ends[2];           /* of the pipe that the signal goes through */
  pthread_t thread;
  bool watching;
} job_interrupt;

/* Watches until job_interrupt_end; the job keeps its place. Without a thread or in a group of processes a signal ends
 * the run as ever. */
void job_interrupt_start(job_interrupt *watch, const job *j, const cli_options *options, const char *command);

/* From here on the job's certificate is what is reported. */
void job_interrupt_certified(job_interrupt *watch);

/* Does not return where a signal came first: the process ends with ATTCERT_RESOURCE. */
void job_interrupt_end(job_interrupt *watch);

#endif
