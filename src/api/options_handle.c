/* attcert_options as a handle: fields by name. A value is taken when attcert_options_check accepts it. */
#include "attcert.h"
#include "base/environment.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

attcert_options *attcert_options_new(void) {
  attcert_options *const options = malloc(sizeof *options);
  attcert_options_default(options);
  return options;
}

void attcert_options_free(attcert_options *options) {
  free(options);
}

static attcert_status check_given(const attcert_options *options, const char *name, attcert_error *err) {
  if (options == NULL) return attcert_fail(err, ATTCERT_INPUT, "options: NULL, expected attcert_options");
  if (name == NULL) return attcert_fail(err, ATTCERT_INPUT, "name of an option: NULL, expected text");
  return ATTCERT_OK;
}

/* The scratch folder waits for the engine dense, which may be set after it. */
static attcert_status take(attcert_options *options, const attcert_options *changed, attcert_error *err) {
  attcert_options checked = *changed;
  checked.scratch = NULL;
  const attcert_status status = attcert_options_check(&checked, err);
  if (status == ATTCERT_OK) *options = *changed;
  return status;
}

/* A whole number from 0 to `most`. */
static bool is_whole(double value, double most) {
  return value >= 0.0 && value <= most && value == floor(value);
}

static attcert_status set_number(attcert_options *options, const char *name, double value, attcert_error *err) {
  attcert_status status = check_given(options, name, err);
  if (status != ATTCERT_OK) return status;
  attcert_options changed = *options;
  int *const whole = strcmp(name, "precision") == 0 ? &changed.precision
                     : strcmp(name, "threads") == 0 ? &changed.threads
                                                    : NULL;
  const bool bytes = strcmp(name, "memory_limit") == 0, seed = strcmp(name, "seed") == 0;
  const double most = whole != NULL ? INT_MAX : seed ? 0x1p53 : 0x1p63;
  if ((whole != NULL || bytes || seed) && !is_whole(value, most))
    return attcert_fail(err, ATTCERT_INPUT, "%s: %g, expected a whole number >= 0", name, value);
  if (whole != NULL)
    *whole = (int)value;
  else if (bytes)
    changed.memory_limit = (uint64_t)value;
  else if (seed) {
    changed.seeded = true;
    changed.seed = (uint64_t)value;
  } else if (strcmp(name, "failure") == 0)
    changed.failure = value;
  else if (strcmp(name, "tolerance") == 0)
    changed.tolerance = value;
  else
    return attcert_fail(err, ATTCERT_INPUT,
                        "option '%s' is none, expected precision, tolerance, threads, memory_limit, failure or seed",
                        name);
  return take(options, &changed, err);
}

attcert_status attcert_options_set_text(attcert_options *options, const char *name, const char *value,
                                        attcert_error *err) {
  attcert_status status = check_given(options, name, err);
  if (status != ATTCERT_OK) return status;
  attcert_options changed = *options;
  if (strcmp(name, "scratch") == 0) {
    changed.scratch = value;
    return take(options, &changed, err);
  }
  if (strcmp(name, "engine") != 0)
    return attcert_fail(err, ATTCERT_INPUT, "option '%s' is none, expected engine or scratch", name);
  for (attcert_engine e = ATTCERT_ENGINE_AUTO; value != NULL && attcert_engine_name(e) != NULL; e++) {
    if (strcmp(value, attcert_engine_name(e)) != 0) continue;
    changed.engine = e;
    return take(options, &changed, err);
  }
  return attcert_fail(err, ATTCERT_INPUT,
                      "engine: expected auto, mpfr, dense, deflated, pointwise, random or frobenius, got '%s'",
                      value != NULL ? value : "NULL");
}

void attcert_options_set_progress(attcert_options *options, attcert_progress progress, void *context) {
  options->progress = progress;
  options->progress_context = context;
}

/* ---- in the default environment ---------------------------------------------------------------------------------- */

attcert_status attcert_options_set_number(attcert_options *options, const char *name, double value,
                                          attcert_error *err) {
  environment before;
  const attcert_status status = environment_enter(&before, err);
  return environment_leave(&before, status == ATTCERT_OK ? set_number(options, name, value, err) : status);
}
