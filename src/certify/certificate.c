/* Options and certificates of the public API: defaults, names, life cycle. */
#include "certify/certificate.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { BOUND_PRECISION = 53, DEFAULT_PRECISION = 128, MIN_PRECISION = 53, MAX_PRECISION = 65536 };

const char *attcert_engine_name(attcert_engine engine) {
  static const char *const name[] = {"auto", "mpfr", "dense", "deflated", "pointwise"};
  return name[engine];
}

void attcert_options_default(attcert_options *options) {
  *options = (attcert_options){.engine = ATTCERT_ENGINE_AUTO, .precision = DEFAULT_PRECISION};
}

attcert_status attcert_options_check(const attcert_options *options, attcert_error *err) {
  if (options->engine < ATTCERT_ENGINE_AUTO || options->engine > ATTCERT_ENGINE_POINTWISE)
    return attcert_fail(err, ATTCERT_INPUT, "engine: %d is none, expected auto, mpfr, dense, deflated or pointwise",
                        (int)options->engine);
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
  volatile double half = DBL_MIN;
  half *= 0.5;
  if (fegetround() != FE_TONEAREST || half == 0.0)
    return attcert_fail(err, ATTCERT_INPUT, "floating-point environment: expected rounding to nearest with subnormals");
  return ATTCERT_OK;
}

void attcert_certificate_init(attcert_certificate *certificate) {
  memset(certificate, 0, sizeof *certificate);
  mpfr_init2(certificate->lower, BOUND_PRECISION);
  mpfr_init2(certificate->upper, BOUND_PRECISION);
  certificate_reset(certificate);
}

void certificate_reset(attcert_certificate *certificate) {
  attcert_matrix_clear(&certificate->vector);
  mpfr_set_zero(certificate->lower, 1);
  mpfr_set_inf(certificate->upper, 1);
  certificate->relative_width = INFINITY;
  certificate->tolerance_met = false;
  certificate->estimate = 0.0;
  certificate->precision = 0;
  certificate->plan[0] = '\0';
  certificate->seconds = (attcert_seconds){0};
}

void attcert_certificate_clear(attcert_certificate *certificate) {
  mpfr_clear(certificate->lower);
  mpfr_clear(certificate->upper);
  attcert_matrix_clear(&certificate->vector);
}
