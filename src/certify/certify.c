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
#include "certify/plan.h"
#include "certify/shared_problem.h"
#include "linalg/blas/blas_probe.h"

#include <stdlib.h>

/* Whether the sharper engine takes over: where it is feasible, or however long it takes where a width was asked. */
static bool goes_on_to(const certify_run *r, attcert_engine sharper) {
  const int n = r->x->rows;
  if (engine_is_feasible(sharper, r->layer, n, r->options, r->limits.memory)) return true;
  return r->options->engine == ATTCERT_ENGINE_AUTO && !r->certificate->tolerance_met &&
         engine_fits(sharper, r->layer, n, r->options, r->limits.memory);
}

/* Why a bound that is too wide is not repeated; where memory alone decides, the plan has said so. */
static void note_wide(const certify_run *r, const engine_row *row) {
  const engine_row *const sharper = engine_of(row->sharper);
  const double gib = 1024.0 * 1024.0 * 1024.0;
  if (sharper->feasible == NULL) return;
  const uint64_t bytes = engine_bytes(row->sharper, r->layer, r->x->rows, r->options->precision, r->options);
  certify_run_note(r, "too wide %s; the %s engine would take %.2f GiB of memory and about %.0f s%s", row->too_wide,
                   sharper->name, (double)bytes / gib, engine_seconds(row->sharper, r->layer, r->x->rows, r->options),
                   bytes > r->limits.memory ? ", more memory than may be used"
                                            : ": ask for it, or auto for a tolerance");
}

static void note_repeated(const certify_run *r, const engine_row *row) {
  const engine_row *const sharper = engine_of(row->sharper);
  if (sharper->feasible == NULL)
    certify_run_note(r, "too wide %s, so repeated with the %s engine", row->too_wide, sharper->name);
  else
    certify_run_note(r, "too wide %s, so repeated with the %s engine, about %.1f s", row->too_wide, sharper->name,
                     engine_seconds(row->sharper, r->layer, r->x->rows, r->options));
}

static attcert_status bound_by(certify_run *r, attcert_engine engine, double width);

/* Where the engine's bound is wider than `width`: with auto the sharper engine's, otherwise its own second one. */
static attcert_status bound_sharper(certify_run *r, const engine_row *row, double width) {
  const bool automatic = r->options->engine == ATTCERT_ENGINE_AUTO;
  if (row->unhurried && r->options->tolerance <= 0.0) return ATTCERT_OK;
  if (automatic ? row->sharper == ATTCERT_ENGINE_AUTO : row->bound_again == NULL) return ATTCERT_OK;
  if (!goes_on_to(r, row->sharper)) {
    note_wide(r, row);
    return ATTCERT_OK;
  }
  if (!automatic) return row->bound_again(r, width);
  note_repeated(r, row);
  attcert_status status = ATTCERT_OK;
  if (row->lower_in_double != NULL) status = certify_lower_in_intervals(r);
  if (status != ATTCERT_OK) return status;
  return bound_by(r, row->sharper, row->relaxes ? engine_width(row->sharper, r->options) : width);
}

/* Where memory runs out, the bound that takes least; it needs the layer in intervals. */
static attcert_status bound_in_little_memory(certify_run *r, const engine_row *row, double width) {
  if (row->fallback == ATTCERT_ENGINE_AUTO || row->lower_in_double != NULL) return ATTCERT_RESOURCE;
  while (row->fallback != ATTCERT_ENGINE_AUTO) row = engine_of(row->fallback);
  certify_run_note(r, "memory ran out, so the upper end is %s", row->bound_text);
  return row->bound(r, width);
}

/* The engine's bound, and what the policy adds to it. */
static attcert_status bound_by(certify_run *r, attcert_engine engine, double width) {
  const engine_row *const row = engine_of(engine);
  const attcert_status status = row->bound(r, width);
  if (status == ATTCERT_RESOURCE && r->options->engine == ATTCERT_ENGINE_AUTO)
    return bound_in_little_memory(r, row, width);
  const bool wide = r->certificate->relative_width > width;
  return status == ATTCERT_OK && wide ? bound_sharper(r, row, width) : status;
}

static attcert_status bound_above(certify_run *r) {
  const double start = clock_seconds();
  const attcert_status status = bound_by(r, r->engine, engine_width(r->engine, r->options));
  r->certificate->seconds.upper = clock_seconds() - start;
  return certify_run_allreduce_status(r, status);
}

/* Whether the factors of the Jacobian show that it is 0. An engine of which no end rests on them goes on, and finds the
 * intervals of the Jacobian to be [0, 0]. */
static bool is_known_zero(const certify_run *r) {
  return r->m.zero && engine_of(r->engine)->trusts_blas;
}

static void certify_zero(const certify_run *r) {
  mpfr_t zero;
  mpfr_init2(zero, 53);
  mpfr_set_zero(zero, 1);
  certify_run_improve_upper(r, zero, r->engine);
  mpfr_clear(zero);
}

/* Everything but the plan and the clock. */
static attcert_status certify(certify_run *r) {
  const size_t entries = ARRAY_COUNT((size_t)r->x->rows, (size_t)r->x->cols);
  attcert_status status = attcert_matrix_init(&r->certificate->vector, r->x->rows, r->x->cols, r->err);
  r->u = array_new(entries, sizeof *r->u, r->err, "a direction");
  if (r->u == NULL) status = ATTCERT_RESOURCE;
  if (status == ATTCERT_OK && r->options->scratch != NULL) status = engine_of(r->engine)->scratch->open(r);
  status = certify_run_allreduce_status(r, status);
  if (status == ATTCERT_OK) status = certify_lower(r);
  if (status == ATTCERT_OK && is_known_zero(r))
    certify_zero(r);
  else if (status == ATTCERT_OK)
    status = bound_above(r);
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
                     .engine_bytes = engine_of(p.engine)->bytes,
                     .limits = p.limits,
                     .threads = parallel_threads(options->threads),
                     .scratch = {.descriptor = -1}};
    certificate->engine = p.engine;
    status = certify_run_report(&r, certificate->plan);
    if (status == ATTCERT_OK && engine_of(p.engine)->trusts_blas)
      status = certify_run_allreduce_status(&r, blas_probe_once(err));
    if (status == ATTCERT_OK) status = certify(&r);
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
