#include "certify/certify_lower.h"

#include "base/clock.h"
#include "certify/engine/certify_ends.h"
#include "certify/engine/engine.h"
#include "certify/engine/proposal.h"
#include "certify/jacobian/factored_jacobian_from_doubles.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The least width to try double arithmetic for; of the asked width, what its lower bound may lose. */
static const double ROUNDED_WIDTH = 1e-10, ROUNDED_SHARE = 0.25;

/* Takes the engine's direction and its lower bound, when what products in double lose is little beside what was
 * asked. */
static attcert_status direction_in_double(certify_run *r, bool *sharp) {
  attcert_certificate *const c = r->certificate;
  const double width = engine_width(r->engine, r->options);
  mpfr_t lower;
  mpfr_init2(lower, mpfr_get_prec(c->lower));
  const attcert_status status = engine_of(r->engine)->lower_in_double(lower, sharp, r, width);
  certify_run_keep_estimate(r);
  const double loss = c->estimate - mpfr_get_d(lower, MPFR_RNDD);
  *sharp = status == ATTCERT_OK && *sharp && loss <= ROUNDED_SHARE * width * c->estimate;
  if (*sharp) {
    mpfr_set(c->lower, lower, MPFR_RNDD);
    c->estimate = fmax(c->estimate, mpfr_get_d(lower, MPFR_RNDN)); /* sigma is that of u before one more product */
    memcpy(c->vector.data, r->u, (size_t)c->vector.rows * (size_t)c->vector.cols * sizeof(double));
    certify_ends_update(c, r->options->tolerance); /* an engine may have an upper end already */
  }
  mpfr_clear(lower);
  return status;
}

/* Layer and lower bound in double, roundings bounded a priori; *done: sharp enough for the asked width. */
static attcert_status lower_in_double(certify_run *r, bool *done) {
  const double start = clock_seconds();
  attcert_status status = certify_run_report(r, "layer in double");
  if (status == ATTCERT_OK) status = factored_jacobian_from_doubles(&r->m, done, r->layer, r->x, r->threads, r->err);
  r->certificate->precision = DBL_MANT_DIG;
  r->certificate->seconds.layer = clock_seconds() - start;
  if (status == ATTCERT_OK && *done && !r->m.zero) status = direction_in_double(r, done);
  r->certificate->seconds.lower = clock_seconds() - start - r->certificate->seconds.layer;
  if (status == ATTCERT_OK && *done) certify_run_note(r, "layer in double, its roundings bounded a priori");
  return status;
}

attcert_status certify_lower_in_intervals(certify_run *r) {
  const double start = clock_seconds();
  attcert_status status = certify_run_evaluate(r, r->options->precision);
  r->certificate->seconds.layer = clock_seconds() - start;
  while (status == ATTCERT_OK && !r->m.zero) {
    bool sharp = false;
    status = proposal_find(r->u, &r->sigma, &r->m, NULL, r->options, r->err);
    certify_run_keep_estimate(r);
    if (status == ATTCERT_OK) status = certify_run_allreduce_status(r, certify_run_improve_lower(r, r->u, &sharp));
    if (status != ATTCERT_OK || sharp || !certify_run_may_refine(r, r->limits.layer_precision_cap, r->engine_bytes))
      break;
    status = certify_run_evaluate(r, 2 * r->certificate->precision);
  }
  r->certificate->seconds.lower = clock_seconds() - start - r->certificate->seconds.layer;
  return status;
}

bool certify_lower_tries_double(attcert_engine engine, const attcert_options *options) {
  const engine_row *const row = engine_of(engine);
  const bool asked = options->tolerance > 0.0 || row->unhurried;
  return row->lower_in_double != NULL && asked && engine_width(engine, options) >= ROUNDED_WIDTH &&
         options->group == NULL;
}

attcert_status certify_lower(certify_run *r) {
  bool done = false;
  attcert_status status = ATTCERT_OK;
  if (certify_lower_tries_double(r->engine, r->options)) status = lower_in_double(r, &done);
  return status != ATTCERT_OK || done ? status : certify_lower_in_intervals(r);
}
