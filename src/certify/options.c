/* Options of the public API: defaults and checks. */
#include "attcert.h"
#include "base/arithmetic.h"

#include <math.h>

enum { DEFAULT_PRECISION = 128, MIN_PRECISION = 53, MAX_PRECISION = 65536 };

void attcert_options_default(attcert_options *options) {
  if (options == NULL) return;
  *options = (attcert_options){.engine = ATTCERT_ENGINE_AUTO, .precision = DEFAULT_PRECISION};
}

/* MPFR's range of exponents belongs to a thread: those that are started have the default one, so nothing else would do
 * for all of them. */
static attcert_status check_environment(attcert_error *err) {
  const char *const expectation = arithmetic_expectation();
  if (expectation != NULL)
    return attcert_fail(err, ATTCERT_INPUT,
                        "floating-point environment: expected rounding to nearest with subnormals, "
                        "and so %s",
                        expectation);
  if (mpfr_get_emin() > MPFR_EMIN_DEFAULT || mpfr_get_emax() < MPFR_EMAX_DEFAULT)
    return attcert_fail(err, ATTCERT_INPUT,
                        "MPFR's exponents: from %ld to %ld, expected at least the default range, "
                        "from %ld to %ld",
                        (long)mpfr_get_emin(), (long)mpfr_get_emax(), (long)MPFR_EMIN_DEFAULT, (long)MPFR_EMAX_DEFAULT);
  return ATTCERT_OK;
}

attcert_status attcert_options_check(const attcert_options *options, attcert_error *err) {
  if (options == NULL) return attcert_fail(err, ATTCERT_INPUT, "options: NULL, expected attcert_options");
  if (attcert_engine_name(options->engine) == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "engine: %d is none, expected one from %d, %s, to %d, %s",
                        (int)options->engine, ATTCERT_ENGINE_AUTO, attcert_engine_name(ATTCERT_ENGINE_AUTO),
                        ATTCERT_ENGINE_POINTWISE, attcert_engine_name(ATTCERT_ENGINE_POINTWISE));
  if (options->precision < MIN_PRECISION || options->precision > MAX_PRECISION)
    return attcert_fail(err, ATTCERT_INPUT, "precision: %d bits, expected %d to %d", options->precision, MIN_PRECISION,
                        MAX_PRECISION);
  if (!(options->tolerance >= 0.0) || isinf(options->tolerance))
    return attcert_fail(err, ATTCERT_INPUT, "tolerance: %g, expected a relative width, or 0 for none",
                        options->tolerance);
  if (options->threads < 0)
    return attcert_fail(err, ATTCERT_INPUT, "threads: %d, expected at least 1, or 0 for all", options->threads);
  if (options->scratch != NULL && options->engine != ATTCERT_ENGINE_DENSE)
    return attcert_fail(err, ATTCERT_INPUT, "scratch: only the engine dense has something to put there");
  return check_environment(err);
}
