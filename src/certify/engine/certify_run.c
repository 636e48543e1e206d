#include "certify/engine/certify_run.h"

#include "base/process_group.h"
#include "base/progress_report.h"
#include "certify/engine/certify_ends_along.h"
#include "certify/jacobian/factored_jacobian_from_enclosure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

attcert_status certify_run_report(const certify_run *r, const char *stage) {
  return progress_report(r->options, stage, 0.0, r->err);
}

void certify_run_note(const certify_run *r, const char *format, ...) {
  attcert_certificate *const c = r->certificate;
  char what[sizeof c->plan];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  const size_t used = strlen(c->plan);
  snprintf(c->plan + used, sizeof c->plan - used, "; %s", what);
}

attcert_status certify_run_allreduce_status(const certify_run *r, attcert_status status) {
  return process_group_allreduce_status(r->options->group, status, r->err);
}

void certify_run_release(certify_run *r) {
  deflated_basis_clear(&r->d);
  factored_jacobian_clear(&r->m);
  layer_enclosure_clear(&r->e);
}

/* Within the cap, and within the memory. */
static bool can_double(const certify_run *r, int precision, int precision_cap, engine_bytes_function *engine_bytes) {
  return 2 * precision <= precision_cap &&
         engine_layer_bytes_with(engine_bytes, r->layer, r->x->rows, 2 * precision, r->options) <= r->limits.memory;
}

attcert_status certify_run_evaluate(certify_run *r, int precision) {
  for (;; precision *= 2) {
    certify_run_release(r);
    attcert_status status = certify_run_report(r, "layer in intervals");
    if (status == ATTCERT_OK) status = layer_enclosure_init(&r->e, r->layer, r->x, precision, r->threads, r->err);
    if (status == ATTCERT_OK) status = factored_jacobian_from_enclosure(&r->m, r->layer, &r->e, r->threads, r->err);
    status = certify_run_allreduce_status(r, status);
    r->certificate->precision = precision;
    if (status != ATTCERT_OK || r->m.zero || r->m.excess <= 0x1p-60) return status;
    if (!can_double(r, precision, r->limits.layer_precision_cap, r->engine_bytes)) return status;
  }
}

bool certify_run_may_refine(const certify_run *r, int precision_cap, engine_bytes_function *engine_bytes) {
  const int precision = r->certificate->precision;
  const bool final_zero = mpfr_zero_p(r->certificate->lower) && precision >= CERTIFY_ZERO_PRECISION;
  return !final_zero && can_double(r, precision, precision_cap, engine_bytes);
}

attcert_status certify_run_improve_lower(const certify_run *r, const double *u, bool *sharp) {
  *sharp = false;
  const attcert_status status = certify_run_report(r, "certified lower bound");
  return status == ATTCERT_OK ? certify_run_raise_lower(r, u, sharp) : status;
}

attcert_status certify_run_raise_lower(const certify_run *r, const double *u, bool *sharp) {
  interval ratio;
  interval_init(&ratio, r->e.precision);
  const attcert_status status =
      certify_ends_raise_along(r->certificate, &ratio, r->layer, &r->e, u, r->threads, r->err);
  *sharp = status == ATTCERT_OK && direction_is_narrow(&ratio);
  interval_clear(&ratio);
  return status;
}

void certify_run_keep_estimate(const certify_run *r) {
  mpfr_t estimate;
  mpfr_init2(estimate, 53);
  mpfr_set_d(estimate, r->sigma, MPFR_RNDN);
  mpfr_mul_2si(estimate, estimate, r->m.exponent, MPFR_RNDN);
  r->certificate->estimate = mpfr_get_d(estimate, MPFR_RNDN);
  mpfr_clear(estimate);
}

void certify_run_improve_upper(const certify_run *r, mpfr_srcptr upper, attcert_engine engine) {
  certify_run_improve_likely_upper(r, upper, engine, -INFINITY);
}

void certify_run_improve_likely_upper(const certify_run *r, mpfr_srcptr upper, attcert_engine engine,
                                      double failure_log2) {
  attcert_certificate *const c = r->certificate;
  if (certify_ends_lower_upper(c, upper)) {
    c->engine = engine;
    c->failure_log2 = failure_log2;
    c->seeded = isfinite(failure_log2) && r->options->seeded;
  }
  certify_ends_update(c, r->options->tolerance);
}
