/* The pipeline: layer in intervals, a proposed direction and its certified image, an upper-bound engine; more bits
 * wherever the intervals, not the mathematics, limit the width. */
#include "attcert.h"
#include "base/arrays.h"

#include "base/clock.h"
#include "base/environment.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/process_group.h"
#include "certify/certificate.h"
#include "certify/certify_lower.h"
#include "certify/engine/engine.h"
#include "certify/engine/mpfr_engine.h"
#include "certify/plan.h"
#include "certify/shared_problem.h"
#include "linalg/blas_probe.h"

#include <stdio.h>
#include <stdlib.h>

/* Whether the mpfr engine takes over from dense: within patience, or however long it takes where a width was asked. */
static bool goes_on_to_mpfr(const certify_run *r, const plan *p) {
  if (r->options->engine != ATTCERT_ENGINE_AUTO || p->explicit_feasible) return p->explicit_feasible;
  return !r->certificate->tolerance_met && p->mpfr <= p->limits.memory;
}

/* Why a bound that is too wide is not repeated. */
static void note_wide(const certify_run *r, const plan *p) {
  const double gib = 1024.0 * 1024.0 * 1024.0;
  char text[160];
  snprintf(text, sizeof text, "too wide in double; the mpfr engine would take %.2f GiB of memory and about %.0f s%s",
           (double)p->mpfr / gib, p->mpfr_seconds,
           p->mpfr > p->limits.memory ? ", more memory than may be used" : ": ask for it, or auto for a tolerance");
  certify_run_note(r, text);
}

/* The dense bound, and where it is too wide for its promise or for what was asked, one from the explicit Jacobian. */
static attcert_status bound_dense_or_better(certify_run *r, const plan *p) {
  const bool automatic = r->options->engine == ATTCERT_ENGINE_AUTO;
  const double width = engine_width(ATTCERT_ENGINE_DENSE, r->options);
  const attcert_status status = engine_of(ATTCERT_ENGINE_DENSE)->bound(r, width);
  if (status == ATTCERT_RESOURCE && automatic) {
    certify_run_note(r, "memory ran out, so the upper end is the pointwise bound: valid but loose");
    return engine_of(ATTCERT_ENGINE_POINTWISE)->bound(r, width);
  }
  const bool wide = r->certificate->relative_width > width;
  if (status != ATTCERT_OK || !wide) return status;
  if (!goes_on_to_mpfr(r, p)) {
    note_wide(r, p);
    return status;
  }
  if (automatic) {
    char text[96];
    snprintf(text, sizeof text, "too wide in double, so repeated with the mpfr engine, about %.1f s", p->mpfr_seconds);
    certify_run_note(r, text);
    return engine_of(ATTCERT_ENGINE_MPFR)->bound(r, width);
  }
  certify_run_note(r, "too wide in double, so its Gram matrix was formed in integers");
  return mpfr_engine_bound_in_double(r, width);
}

/* The bound by deflation, and where it is too wide for what was asked, the dense one if that fits in memory. */
static attcert_status bound_deflated_or_better(certify_run *r, const plan *p) {
  const double width = engine_width(ATTCERT_ENGINE_DEFLATED, r->options);
  const attcert_status status = engine_of(ATTCERT_ENGINE_DEFLATED)->bound(r, width);
  const bool wide = r->options->tolerance > 0.0 && r->certificate->relative_width > width;
  if (status != ATTCERT_OK || !wide || r->options->engine != ATTCERT_ENGINE_AUTO || p->dense > p->limits.memory)
    return status;
  certify_run_note(r, "too wide by deflation, so repeated with the dense engine");
  const attcert_status below = certify_lower_in_intervals(r);
  return below == ATTCERT_OK ? bound_dense_or_better(r, p) : below;
}

/* The planned engine's bound, and what the policy adds to it. */
static attcert_status bound_above(certify_run *r, const plan *p) {
  const double start = clock_seconds();
  attcert_status status;
  if (p->engine == ATTCERT_ENGINE_DENSE)
    status = bound_dense_or_better(r, p);
  else if (p->engine == ATTCERT_ENGINE_DEFLATED)
    status = bound_deflated_or_better(r, p);
  else
    status = engine_of(p->engine)->bound(r, engine_width(p->engine, r->options));
  r->certificate->seconds.upper = clock_seconds() - start;
  return certify_run_allreduce_status(r, status);
}

/* Whether the factors of the Jacobian show that it is 0. No end of the engine mpfr rests on them: it goes on, and finds
 * the intervals of the Jacobian to be [0, 0]. */
static bool is_known_zero(const certify_run *r) {
  return r->m.zero && r->engine != ATTCERT_ENGINE_MPFR;
}

static void certify_zero(const certify_run *r) {
  mpfr_t zero;
  mpfr_init2(zero, 53);
  mpfr_set_zero(zero, 1);
  certify_run_improve_upper(r, zero, r->engine);
  mpfr_clear(zero);
}

/* Everything but the plan and the clock. */
static attcert_status certify(certify_run *r, const plan *p) {
  const size_t entries = ARRAY_COUNT((size_t)r->x->rows, (size_t)r->x->cols);
  attcert_status status = attcert_matrix_init(&r->certificate->vector, r->x->rows, r->x->cols, r->err);
  r->u = array_new(entries, sizeof *r->u, r->err, "a direction");
  if (r->u == NULL) status = ATTCERT_RESOURCE;
  if (status == ATTCERT_OK && r->options->scratch != NULL) status = dense_open_scratch(r, &p->windows);
  status = certify_run_allreduce_status(r, status);
  if (status == ATTCERT_OK) status = certify_lower(r);
  if (status == ATTCERT_OK && is_known_zero(r))
    certify_zero(r);
  else if (status == ATTCERT_OK)
    status = bound_above(r, p);
  free(r->u);
  panel_file_close(&r->scratch);
  certify_run_release(r);
  return status;
}

/* Input and options in order, and the same in every process of a group; entered: whether the environment is. */
static attcert_status check(attcert_status entered, const attcert_layer *layer, const attcert_matrix *x,
                            const attcert_options *options, attcert_error *err) {
  attcert_status status = entered == ATTCERT_OK ? attcert_options_check(options, err) : entered;
  if (options == NULL) return status;
  if (status == ATTCERT_OK) status = attcert_layer_check(layer, x, err);
  status = process_group_allreduce_status(options->group, status, err);
  return status == ATTCERT_OK ? shared_problem_check(layer, x, options, err) : status;
}

static attcert_status run(attcert_certificate *certificate, attcert_status entered, const attcert_layer *layer,
                          const attcert_matrix *x, const attcert_options *options, attcert_error *err) {
  const double start = clock_seconds();
  plan p;
  certificate_reset(certificate);
  attcert_status status = check(entered, layer, x, options, err);
  if (status == ATTCERT_OK)
    status = plan_make(&p, certificate->plan, sizeof certificate->plan, layer, x->rows, options, err);
  if (status == ATTCERT_OK) {
    certify_run r = {.certificate = certificate,
                     .layer = layer,
                     .x = x,
                     .options = options,
                     .err = err,
                     .engine = p.engine,
                     .limits = p.limits,
                     .threads = parallel_threads(options->threads),
                     .scratch = {.descriptor = -1}};
    certificate->engine = p.engine;
    status = certify_run_report(&r, certificate->plan);
    /* no bound of the mpfr engine rests on BLAS */
    if (status == ATTCERT_OK && p.engine != ATTCERT_ENGINE_MPFR)
      status = certify_run_allreduce_status(&r, blas_probe_once(err));
    if (status == ATTCERT_OK) status = certify(&r, &p);
    if (!certificate_is_enclosure(certificate)) status = certificate_refuse(certificate, err);
  }
  certificate->seconds.total = clock_seconds() - start;
  certificate->peak_memory = memory_peak();
  return status;
}

attcert_status attcert_certify(attcert_certificate *certificate, const attcert_layer *layer, const attcert_matrix *x,
                               const attcert_options *options, attcert_error *err) {
  if (certificate == NULL) return attcert_fail(err, ATTCERT_INPUT, "certificate: NULL, expected one to write to");
  environment before;
  const attcert_status entered = environment_enter(&before, err);
  return environment_leave(&before, run(certificate, entered, layer, x, options, err));
}
