/* The pipeline: layer in intervals, a proposed direction and its certified image, an upper-bound engine; more bits wherever
 * the intervals, not the mathematics, limit the width. */
#include "attcert.h"
#include "base/arrays.h"

#include "base/parallel.h"
#include "base/process_group.h"
#include "certify/certificate.h"
#include "certify/certification.h"
#include "certify/engine/deflated.h"
#include "certify/engine/dense.h"
#include "certify/engine/mpfr_engine.h"
#include "certify/engine/pointwise.h"
#include "certify/jacobian/factored_jacobian_direction.h"
#include "certify/jacobian/factored_jacobian_from_doubles.h"
#include "certify/jacobian/structured_jacobian.h"
#include "certify/shared_problem.h"
#include "linalg/lanczos.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Widths that the engines are held to when none is asked: above them a sharper engine is tried where there is one. */
static const double DENSE_WIDTH = 1e-10, MPFR_WIDTH = 1e-12, DEFLATED_WIDTH = 1e-2;

/* The least width to try double arithmetic for; of the asked width, what its lower bound may lose. */
static const double ROUNDED_WIDTH = 1e-10, ROUNDED_SHARE = 0.25;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Every process takes the proposal of the first: theirs may differ where their processors do. */
static attcert_status share_proposal(const certification *r, double *u, double *sigma, attcert_status status) {
  const attcert_process_group *const group = r->options->group;
  status = certification_allreduce_status(r, status);
  if (status != ATTCERT_OK) return status;
  process_group_broadcast(group, u, sizeof(double) * (size_t)r->x->rows * (size_t)r->x->cols, 0);
  process_group_broadcast(group, sigma, sizeof *sigma, 0);
  return ATTCERT_OK;
}

/* sigma is in units of the factored Jacobian. */
static void keep_estimate(const certification *r, double sigma) {
  mpfr_t estimate;
  mpfr_init2(estimate, 53);
  mpfr_set_d(estimate, sigma, MPFR_RNDN);
  mpfr_mul_2si(estimate, estimate, r->m.exponent, MPFR_RNDN);
  r->certificate->estimate = mpfr_get_d(estimate, MPFR_RNDN);
  mpfr_clear(estimate);
}

/* Uncertified: sigma ~ ||J~|| and the direction that attains it, in units of the factored Jacobian. */
static attcert_status propose(certification *r, double *u, double *sigma) {
  structured_jacobian s = {0};
  attcert_status status = structured_jacobian_init(&s, &r->m, 1, r->err);
  if (status == ATTCERT_OK) {
    const linear_operator jacobian = structured_jacobian_operator(&s);
    status = lanczos_top(u, sigma, &jacobian, r->options, r->err);
  }
  structured_jacobian_clear(&s);
  status = share_proposal(r, u, sigma, status);
  keep_estimate(r, *sigma);
  return status;
}

static void extend_plan(const certification *r, const char *what) {
  char *const text = r->certificate->plan;
  const size_t used = strlen(text);
  snprintf(text + used, sizeof r->certificate->plan - used, "; %s", what);
}

/* Takes the direction and its lower bound from products in double, when what these lose is little beside what was asked. */
static attcert_status bound_direction_in_double(certification *r, const double *u, bool *sharp) {
  attcert_certificate *const c = r->certificate;
  mpfr_t lower;
  mpfr_init2(lower, mpfr_get_prec(c->lower));
  const attcert_status status = factored_jacobian_direction_lower(lower, &r->m, &r->d.errors, u, r->err);
  const double loss = c->estimate - mpfr_get_d(lower, MPFR_RNDD);
  *sharp = status == ATTCERT_OK && loss <= ROUNDED_SHARE * r->options->tolerance * c->estimate;
  if (*sharp) {
    mpfr_set(c->lower, lower, MPFR_RNDD);
    c->estimate = fmax(c->estimate, mpfr_get_d(lower, MPFR_RNDN)); /* sigma is that of u before one more product */
    memcpy(c->vector.data, u, (size_t)c->vector.rows * (size_t)c->vector.cols * sizeof(double));
  }
  mpfr_clear(lower);
  return status;
}

/* An empty basis, which may take what memory the rest of the run leaves. */
static attcert_status begin_deflation(certification *r) {
  const uint64_t base = plan_bytes(ATTCERT_ENGINE_POINTWISE, r->layer, r->x->rows, r->options->precision, r->options);
  return deflated_init(&r->d, &r->m, r->plan.memory - base, r->err);
}

/* Layer and lower bound in double, roundings bounded a priori, the direction from the basis that the upper end will need; *done: sharp
 * enough for the asked width. */
static attcert_status bound_below_in_double(certification *r, double *u, double *sigma, bool *done) {
  const double start = now();
  certification_report(r, "layer in double");
  attcert_status status = factored_jacobian_from_doubles(&r->m, done, r->layer, r->x, r->threads, r->err);
  r->certificate->precision = DBL_MANT_DIG;
  r->certificate->seconds.layer = now() - start;
  if (status == ATTCERT_OK && *done && !r->m.zero) {
    certification_report(r, "basis of the deflation");
    status = begin_deflation(r);
    if (status == ATTCERT_OK)
      status = deflated_propose(u, sigma, done, &r->d, r->options->tolerance, r->options, r->err);
    keep_estimate(r, *sigma);
    if (status == ATTCERT_OK && *done) status = bound_direction_in_double(r, u, done);
  }
  r->certificate->seconds.lower = now() - start - r->certificate->seconds.layer;
  if (status == ATTCERT_OK && *done) extend_plan(r, "layer in double, its roundings bounded a priori");
  return status;
}

/* Layer and lower bound, with more bits while the direction's interval is not narrow. */
static attcert_status bound_below_in_intervals(certification *r, double *u, double *sigma) {
  const double start = now();
  attcert_status status = certification_evaluate(r, r->options->precision);
  r->certificate->seconds.layer = now() - start;
  while (status == ATTCERT_OK && !r->m.zero) {
    bool sharp = false;
    status = propose(r, u, sigma);
    if (status == ATTCERT_OK) status = certification_allreduce_status(r, certification_improve_lower(r, u, &sharp));
    if (status != ATTCERT_OK || sharp || !certification_may_refine(r, r->plan.layer_precision_cap, r->plan.engine))
      break;
    status = certification_evaluate(r, 2 * r->certificate->precision);
  }
  r->certificate->seconds.lower = now() - start - r->certificate->seconds.layer;
  return status;
}

/* Double arithmetic will do where an engine that stays in it was chosen for a width that was asked. Not in a group, whose processes
 * might decide differently. */
static attcert_status bound_below(certification *r, double *u, double *sigma) {
  bool done = false;
  attcert_status status = ATTCERT_OK;
  if (r->plan.engine == ATTCERT_ENGINE_DEFLATED && r->options->tolerance >= ROUNDED_WIDTH && r->options->group == NULL)
    status = bound_below_in_double(r, u, sigma, &done);
  return status != ATTCERT_OK || done ? status : bound_below_in_intervals(r, u, sigma);
}

/* What was asked, or the engine's promise when that is narrower. */
static double width_wanted(const certification *r, double promised) {
  return r->options->tolerance > 0.0 ? fmin(r->options->tolerance, promised) : promised;
}

static attcert_status bound_pointwise(certification *r) {
  mpfr_t upper;
  mpfr_init2(upper, 64);
  const attcert_status status = pointwise_upper(upper, r->layer, &r->e, &r->m, r->options, r->err);
  if (status == ATTCERT_OK) certification_improve_upper(r, upper, ATTCERT_ENGINE_POINTWISE);
  mpfr_clear(upper);
  return status;
}

static attcert_status bound_dense(certification *r, double sigma) {
  mpfr_t upper;
  mpfr_init2(upper, 128);
  const int precision = r->certificate->precision;
  const panel_storage storage = {.group = r->options->group,
                                 .file = r->options->scratch != NULL ? &r->scratch : NULL,
                                 .window_bytes =
                                     plan_panel_bytes(&r->plan, r->layer, r->x->rows, precision, r->options)};
  const attcert_status status = dense_upper(upper, &r->m, sigma, &storage, r->options, r->err);
  if (status == ATTCERT_OK) certification_improve_upper(r, upper, ATTCERT_ENGINE_DENSE);
  mpfr_clear(upper);
  return status;
}

static attcert_status bound_deflated(certification *r, double sigma) {
  const double width = r->options->tolerance > 0.0 ? r->options->tolerance : DEFLATED_WIDTH;
  mpfr_t upper;
  mpfr_init2(upper, 128);
  attcert_status status = r->d.basis.size > 0 ? ATTCERT_OK : begin_deflation(r);
  if (status == ATTCERT_OK) status = deflated_upper(upper, &r->d, sigma, width, r->options, r->err);
  deflated_clear(&r->d);
  if (status == ATTCERT_OK) certification_improve_upper(r, upper, ATTCERT_ENGINE_DEFLATED);
  mpfr_clear(upper);
  return status;
}

/* The dense bound, and where it is too wide for its promise or for what was asked, one from the explicit Jacobian. */
static attcert_status bound_dense_or_better(certification *r, double *u, double sigma) {
  const bool automatic = r->options->engine == ATTCERT_ENGINE_AUTO;
  attcert_status status = bound_dense(r, sigma);
  if (status == ATTCERT_RESOURCE && automatic) {
    extend_plan(r, "memory ran out, so the upper end is the pointwise bound: valid but loose");
    status = bound_pointwise(r);
  } else if (status == ATTCERT_OK && r->plan.explicit_feasible &&
             r->certificate->relative_width > width_wanted(r, DENSE_WIDTH)) {
    extend_plan(r, automatic ? "too wide in double, so repeated with the mpfr engine"
                             : "too wide in double, so its Gram matrix was formed in integers");
    status =
        mpfr_engine_bound(r, u, automatic ? ATTCERT_ENGINE_MPFR : ATTCERT_ENGINE_DENSE, width_wanted(r, DENSE_WIDTH));
  }
  return status;
}

/* The bound by deflation, and where it is too wide for what was asked, the dense one if that fits in memory. */
static attcert_status bound_deflated_or_better(certification *r, double *u, double sigma) {
  const attcert_status status = bound_deflated(r, sigma);
  const bool wide = r->options->tolerance > 0.0 && r->certificate->relative_width > r->options->tolerance;
  if (status != ATTCERT_OK || !wide || r->options->engine != ATTCERT_ENGINE_AUTO || r->plan.dense > r->plan.memory)
    return status;
  extend_plan(r, "too wide by deflation, so repeated with the dense engine");
  const attcert_status below = bound_below_in_intervals(r, u, &sigma);
  return below == ATTCERT_OK ? bound_dense_or_better(r, u, sigma) : below;
}

static attcert_status bound_above(certification *r, double *u, double sigma) {
  const double start = now();
  attcert_status status;
  if (r->plan.engine == ATTCERT_ENGINE_MPFR)
    status = mpfr_engine_bound(r, u, ATTCERT_ENGINE_MPFR, width_wanted(r, MPFR_WIDTH));
  else if (r->plan.engine == ATTCERT_ENGINE_DENSE)
    status = bound_dense_or_better(r, u, sigma);
  else if (r->plan.engine == ATTCERT_ENGINE_DEFLATED)
    status = bound_deflated_or_better(r, u, sigma);
  else
    status = bound_pointwise(r);
  r->certificate->seconds.upper = now() - start;
  return certification_allreduce_status(r, status);
}

/* The scratch file, with room for what the plan puts there: now rather than after a long run. */
static attcert_status open_scratch(certification *r) {
  if (r->options->scratch == NULL) return ATTCERT_OK;
  const attcert_status status = panel_file_open(&r->scratch, r->options->scratch, r->err);
  if (status != ATTCERT_OK || r->plan.windows == 1) return status;
  const panels a = panels_shape(r->plan.side, r->options->group);
  return panel_file_reserve(&r->scratch, panel_store_file_bytes(&a), r->err);
}

static void certify_zero(const certification *r) {
  mpfr_t zero;
  mpfr_init2(zero, 53);
  mpfr_set_zero(zero, 1);
  certification_improve_upper(r, zero, r->plan.engine);
  mpfr_clear(zero);
}

static uint64_t peak_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

/* Everything but the plan and the clock. */
static attcert_status certify(certification *r) {
  attcert_certificate *const c = r->certificate;
  attcert_status status = attcert_matrix_init(&c->vector, r->x->rows, r->x->cols, r->err);
  double *const u = array_new(ARRAY_COUNT((size_t)r->x->rows, (size_t)r->x->cols), sizeof *u, r->err, "a direction");
  double sigma = 0.0;
  if (u == NULL) status = ATTCERT_RESOURCE;
  if (status == ATTCERT_OK) status = open_scratch(r);
  status = certification_allreduce_status(r, status);
  if (status == ATTCERT_OK) status = bound_below(r, u, &sigma);
  if (status == ATTCERT_OK && r->m.zero)
    certify_zero(r);
  else if (status == ATTCERT_OK)
    status = bound_above(r, u, sigma);
  free(u);
  panel_file_close(&r->scratch);
  certification_release(r);
  return status;
}

attcert_status attcert_certify(attcert_certificate *certificate, const attcert_layer *layer, const attcert_matrix *x,
                               const attcert_options *options, attcert_error *err) {
  certification r = {.certificate = certificate,
                     .layer = layer,
                     .x = x,
                     .options = options,
                     .err = err,
                     .scratch = {.descriptor = -1}};
  const double start = now();
  certificate_reset(certificate);
  r.threads = parallel_threads(options->threads);
  attcert_status status = attcert_options_check(options, err);
  if (status == ATTCERT_OK) status = attcert_layer_check(layer, x, err);
  status = process_group_allreduce_status(options->group, status, err);
  if (status == ATTCERT_OK) status = shared_problem_check(layer, x, options, err);
  if (status == ATTCERT_OK)
    status = plan_make(&r.plan, certificate->plan, sizeof certificate->plan, layer, x->rows, options, err);
  if (status == ATTCERT_OK) {
    certificate->engine = r.plan.engine;
    certification_report(&r, certificate->plan);
    status = certify(&r);
  }
  certificate->seconds.total = now() - start;
  certificate->peak_memory = peak_memory();
  return status;
}
