/* See job_interrupt.h. The thread that reports shares nothing with the run but what both only read: the layer, its
 * input, the options and, once it is there, the certificate. */
#include "cli/job_interrupt.h"

#include "base/unfinished_files.h"
#include "cli/job_list.h"
#include "cli/signals.h"

#include <string.h>
#include <unistd.h>

/* The interrupted job with the certificate that is reported in its place. */
static attcert_status bound(job *partial, const job_interrupt *watch, attcert_error *err) {
  partial->run.options.progress = NULL;
  if (atomic_load(&watch->certified)) return ATTCERT_OK;
  attcert_certificate_init(&partial->run.certificate);
  return job_ended(partial, run_layer_certify_pointwise(&partial->run, err));
}

static attcert_status report_interrupted(const job_interrupt *watch, int number, attcert_error *err) {
  job partial = *watch->job;
  attcert_error why, cause = {.message = ""};
  attcert_fail(&why, ATTCERT_RESOURCE, "interrupted (%s)", strsignal(number));
  const attcert_status status = bound(&partial, watch, &cause);
  if (status != ATTCERT_OK) {
    attcert_fail(err, ATTCERT_RESOURCE, "%s; no bound to report: %s", why.message, cause.message);
    return partial.list != NULL ? job_list_end(partial.list, ATTCERT_OK, err->message, &cause) : ATTCERT_RESOURCE;
  }
  partial.run.incomplete = why;
  partial.run.has_bounds = partial.run.has_ball = false;
  if (!watch->options->no_bounds) partial.run.bounds_missing = why;
  if (watch->options->given[OPTION_RADIUS]) partial.run.ball_missing = why;
  *err = why;
  const attcert_status told = job_report(&partial, watch->options, watch->command, NULL, err);
  return told == ATTCERT_OK && partial.list != NULL ? job_list_end(partial.list, told, why.message, err) : told;
}

enum { NO_SIGNAL = 0 }; /* what job_interrupt_end writes */

/* Waits for the first byte. */
static void *watch_signals(void *context) {
  const job_interrupt *const watch = context;
  unsigned char number;
  attcert_error err;
  if (read(watch->ends[0], &number, 1) != 1 || number == NO_SIGNAL) return NULL;
  const attcert_status status = report_interrupted(watch, number, &err);
  fprintf(stderr, "attcert: %s\n", err.message);
  unfinished_files_remove();
  _exit(status == ATTCERT_OK ? ATTCERT_RESOURCE : (int)status);
}

void job_interrupt_start(job_interrupt *watch, const job *j, const cli_options *options, const char *command) {
  *watch = (job_interrupt){.job = j, .options = options, .command = command};
  if (options->group != NULL || pipe(watch->ends) != 0) return;
  watch->watching = pthread_create(&watch->thread, NULL, watch_signals, watch) == 0;
  if (watch->watching) {
    signals_divert(watch->ends[1]);
    return;
  }
  close(watch->ends[0]);
  close(watch->ends[1]);
}

void job_interrupt_certified(job_interrupt *watch) {
  atomic_store(&watch->certified, true);
}

/* A thread that has read a signal ends the process. The pipe stays open: a handler may be about to write. */
void job_interrupt_end(job_interrupt *watch) {
  static const unsigned char none = NO_SIGNAL;
  if (!watch->watching) return;
  signals_divert(-1);
  if (write(watch->ends[1], &none, 1) == 1) pthread_join(watch->thread, NULL);
}
