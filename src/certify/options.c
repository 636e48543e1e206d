/* Options of the public API: defaults and checks. */
#include "attcert.h"
#include "base/environment.h"
#include "certify/engine/engine.h"

#include <math.h>

static const double DEFAULT_FAILURE = 0x1p-100;
enum { DEFAULT_PRECISION = 128, MIN_PRECISION = 53, MAX_PRECISION = 65536 };

void attcert_options_default(attcert_options *options) {
  if (options == NULL) return;
  *options =
      (attcert_options){.engine = ATTCERT_ENGINE_AUTO, .precision = DEFAULT_PRECISION, .failure = DEFAULT_FAILURE};
}

static attcert_status refuse_engine(attcert_engine engine, attcert_error *err) {
  const attcert_engine first = ATTCERT_ENGINE_AUTO;
  attcert_engine last = first;
  while (attcert_engine_name(last + 1) != NULL) last++;
  return attcert_fail(err, ATTCERT_INPUT, "engine: %d is none, expected one from %d, %s, to %d, %s", (int)engine, first,
                      attcert_engine_name(first), last, attcert_engine_name(last));
}

static attcert_status check_random(const attcert_options *options, attcert_error *err) {
  if (!(options->failure >= 0.0 && options->failure <= 0.5))
    return attcert_fail(err, ATTCERT_INPUT, "failure: %g, expected a probability of at most 1/2, or 0 for none",
                        options->failure);
  if (options->engine != ATTCERT_ENGINE_RANDOM) return ATTCERT_OK;
  if (options->failure == 0.0)
    return attcert_fail(err, ATTCERT_INPUT, "failure: 0, expected a probability for the engine random to fail with");
  if (options->group != NULL)
    return attcert_fail(err, ATTCERT_INPUT, "engine: random, expected another where processes share a run");
  return ATTCERT_OK;
}

static attcert_status check(const attcert_options *options, attcert_error *err) {
  if (options == NULL) return attcert_fail(err, ATTCERT_INPUT, "options: NULL, expected attcert_options");
  if (attcert_engine_name(options->engine) == NULL) return refuse_engine(options->engine, err);
  if (options->precision < MIN_PRECISION || options->precision > MAX_PRECISION)
    return attcert_fail(err, ATTCERT_INPUT, "precision: %d bits, expected %d to %d", options->precision, MIN_PRECISION,
                        MAX_PRECISION);
  if (!(options->tolerance >= 0.0) || isinf(options->tolerance))
    return attcert_fail(err, ATTCERT_INPUT, "tolerance: %g, expected a relative width, or 0 for none",
                        options->tolerance);
  if (options->threads < 0)
    return attcert_fail(err, ATTCERT_INPUT, "threads: %d, expected at least 1, or 0 for all", options->threads);
  if (options->scratch != NULL && engine_of(options->engine)->scratch == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "scratch: only the engine dense has something to put there");
  return check_random(options, err);
}

attcert_status attcert_options_check(const attcert_options *options, attcert_error *err) {
  environment before;
  attcert_status status = environment_enter(&before, err);
  if (status == ATTCERT_OK) status = check(options, err);
  return environment_leave(&before, status);
}
