/* The pipeline: layer in intervals, a proposed direction and its certified image, an upper-bound engine; more bits wherever
 * the intervals, not the mathematics, limit the width. */
#include "attcert.h"

#include "certify/cholesky_certificate.h"
#include "certify/dense.h"
#include "certify/dense_matrix.h"
#include "certify/direction.h"
#include "certify/explicit_gram.h"
#include "certify/lanczos.h"
#include "certify/midpoint_layer.h"
#include "certify/parallel.h"
#include "certify/plan.h"
#include "certify/pointwise.h"
#include "certify/rounding.h"
#include "certify/structured_jacobian.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Widths that the engines are held to when none is asked: above them a sharper engine is tried where there is one. */
static const double DENSE_WIDTH = 1e-10, MPFR_WIDTH = 1e-12;

/* Bits at which an enclosure of 0 is taken as final: a non-zero norm would be below 2^-1000 of the terms that cancel. */
enum { ZERO_PRECISION = 1024 };

typedef struct {
  attcert_certificate *certificate;
  const attcert_layer *layer;
  const attcert_matrix *x;
  const attcert_options *options;
  attcert_error *err;
  plan plan;
  int threads;
  layer_enclosure e;
  midpoint_layer m;
} run;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void report(const run *r, const char *stage) {
  if (r->options->progress != NULL) r->options->progress(r->options->progress_context, stage, 0.0);
}

/* (upper - lower) / upper, rounded up. */
static void update_width(const run *r) {
  attcert_certificate *const c = r->certificate;
  mpfr_t width;
  mpfr_init2(width, 64);
  mpfr_sub(width, c->upper, c->lower, MPFR_RNDU);
  if (!mpfr_zero_p(width)) mpfr_div(width, width, c->upper, MPFR_RNDU);
  c->relative_width = mpfr_inf_p(c->upper) ? INFINITY : mpfr_get_d(width, MPFR_RNDU);
  c->tolerance_met = r->options->tolerance <= 0.0 || c->relative_width <= r->options->tolerance;
  mpfr_clear(width);
}

static void improve_upper(const run *r, mpfr_srcptr upper, attcert_engine engine) {
  attcert_certificate *const c = r->certificate;
  if (mpfr_cmp(upper, c->upper) < 0) {
    mpfr_set(c->upper, upper, MPFR_RNDU);
    c->engine = engine;
  }
  update_width(r);
}

/* The layer in intervals and in scaled doubles, at the least precision where the doubles, not the bits, limit sharpness. */
static attcert_status evaluate_layer(run *r, int precision) {
  for (;; precision *= 2) {
    report(r, "layer in intervals");
    attcert_status status = layer_enclosure_init(&r->e, r->layer, r->x, precision, r->threads, r->err);
    if (status != ATTCERT_OK) return status;
    status = midpoint_layer_init(&r->m, r->layer, &r->e, r->threads, r->err);
    r->certificate->precision = precision;
    if (status != ATTCERT_OK || r->m.zero || r->m.excess <= 0x1p-60 || 2 * precision > r->plan.layer_precision_cap)
      return status;
    midpoint_layer_clear(&r->m);
    layer_enclosure_clear(&r->e);
  }
}

/* Takes u as the certifying direction when its image is longer than what is known. *sharp: the interval is narrow. */
static attcert_status improve_lower(run *r, const double *u, bool *sharp) {
  attcert_certificate *const c = r->certificate;
  interval ratio;
  mpfr_t width;
  interval_init(&ratio, r->e.precision);
  mpfr_init2(width, 64);
  report(r, "certified lower bound");
  const attcert_status status = direction_enclosure(&ratio, r->layer, &r->e, u, r->threads, r->err);
  if (status == ATTCERT_OK && mpfr_cmp(ratio.lo, c->lower) >= 0) {
    mpfr_set(c->lower, ratio.lo, MPFR_RNDD);
    memcpy(c->vector.data, u, (size_t)c->vector.rows * (size_t)c->vector.cols * sizeof(double));
  }
  mpfr_sub(width, ratio.hi, ratio.lo, MPFR_RNDU);
  mpfr_mul_2ui(width, width, 50, MPFR_RNDU);
  *sharp = mpfr_number_p(width) && mpfr_cmp(width, ratio.lo) <= 0;
  mpfr_clear(width);
  interval_clear(&ratio);
  return status;
}

/* Uncertified: sigma ~ ||J~|| and the direction that attains it, in units of the midpoint layer. */
static attcert_status propose(run *r, double *u, double *sigma) {
  structured_jacobian s;
  attcert_status status = structured_jacobian_init(&s, &r->m, r->err);
  if (status != ATTCERT_OK) return status;
  const linear_operator jacobian = structured_jacobian_operator(&s);
  status = lanczos_top(u, sigma, &jacobian, r->options, r->err);
  structured_jacobian_clear(&s);
  mpfr_t estimate;
  mpfr_init2(estimate, 53);
  mpfr_set_d(estimate, *sigma, MPFR_RNDN);
  mpfr_mul_2si(estimate, estimate, r->m.exponent, MPFR_RNDN);
  r->certificate->estimate = mpfr_get_d(estimate, MPFR_RNDN);
  mpfr_clear(estimate);
  return status;
}

static void forget_layer(run *r) {
  midpoint_layer_clear(&r->m);
  layer_enclosure_clear(&r->e);
}

/* Layer and lower bound, with more bits while the direction's interval is not narrow. */
static attcert_status bound_below(run *r, double *u, double *sigma) {
  const double start = now();
  attcert_status status = evaluate_layer(r, r->options->precision);
  r->certificate->seconds.layer = now() - start;
  while (status == ATTCERT_OK && !r->m.zero) {
    bool sharp = false;
    status = propose(r, u, sigma);
    if (status == ATTCERT_OK) status = improve_lower(r, u, &sharp);
    const int precision = r->certificate->precision;
    const bool hopeless = mpfr_zero_p(r->certificate->lower) && precision >= ZERO_PRECISION;
    if (status != ATTCERT_OK || sharp || hopeless || 2 * precision > r->plan.layer_precision_cap) break;
    forget_layer(r);
    status = evaluate_layer(r, 2 * precision);
  }
  r->certificate->seconds.lower = now() - start - r->certificate->seconds.layer;
  return status;
}

/* A direction and an estimate of ||J||^2 from the explicit midpoints, better than the structured ones when heads cancel. */
static attcert_status propose_explicit(run *r, const explicit_jacobian *j, double *u, mpfr_t estimate) {
  double *const a = malloc((size_t)j->rows * (size_t)j->cols * sizeof(double));
  if (a == NULL) return attcert_fail(r->err, ATTCERT_RESOURCE, "out of memory: a %d x %d matrix", j->rows, j->cols);
  long exponent;
  double sigma = 0.0;
  bool sharp;
  explicit_jacobian_to_double(a, &exponent, j);
  const dense_matrix matrix = {a, j->rows, j->cols};
  const linear_operator jacobian = dense_matrix_operator(&matrix);
  attcert_status status = lanczos_top(u, &sigma, &jacobian, NULL, r->err);
  free(a);
  if (status == ATTCERT_OK && sigma > 0.0) status = improve_lower(r, u, &sharp);
  mpfr_set_d(estimate, sigma, MPFR_RNDN);
  mpfr_mul_2si(estimate, estimate, exponent, MPFR_RNDN);
  mpfr_max(estimate, estimate, r->certificate->lower, MPFR_RNDN);
  mpfr_sqr(estimate, estimate, MPFR_RNDN);
  return status;
}

/* lambda >= the Gram matrix's largest eigenvalue, by double arithmetic on its rounded entries. */
static attcert_status rounded_gram_upper(mpfr_t lambda, const run *r, const explicit_gram *g, mpfr_srcptr guess) {
  const size_t side = (size_t)g->n;
  double *const a = malloc(side * side * sizeof(double)), error;
  if (a == NULL) return attcert_fail(r->err, ATTCERT_RESOURCE, "out of memory: a Gram matrix of side %d", g->n);
  long exponent;
  explicit_gram_to_double(a, &exponent, &error, g);
  mpfr_t scaled;
  mpfr_init2(scaled, 53);
  mpfr_mul_2si(scaled, guess, -exponent, MPFR_RNDN);
  const attcert_status status =
      largest_eigenvalue_upper(lambda, a, g->n, mpfr_get_d(scaled, MPFR_RNDN), r->options, r->err);
  mpfr_add_d(lambda, lambda, error, MPFR_RNDU);
  mpfr_mul_2si(lambda, lambda, exponent, MPFR_RNDU);
  mpfr_clear(scaled);
  free(a);
  return status;
}

/* Upper bound from the explicit Jacobian at the enclosure's precision: factorised in MPFR, or in double for `dense`. */
static attcert_status bound_explicit(run *r, double *u, attcert_engine engine) {
  explicit_jacobian j;
  explicit_gram g;
  report(r, "explicit Jacobian");
  attcert_status status = explicit_jacobian_init(&j, r->layer, &r->e, r->threads, r->err);
  if (status != ATTCERT_OK) return status;
  mpfr_t estimate, upper;
  mpfr_init2(estimate, r->e.precision);
  mpfr_init2(upper, 128);
  status = propose_explicit(r, &j, u, estimate);
  if (status == ATTCERT_OK) {
    report(r, "Gram matrix in MPFR");
    status = explicit_gram_init(&g, &j, r->e.precision, r->options, r->err);
    if (status == ATTCERT_OK) {
      const double asked = r->options->tolerance > 0.0 ? r->options->tolerance / 4.0 : 1.0;
      if (engine == ATTCERT_ENGINE_MPFR)
        status = explicit_gram_upper(upper, &g, estimate, fmin(2e-14, asked), r->options, r->err);
      else
        status = rounded_gram_upper(upper, r, &g, estimate);
      explicit_gram_clear(&g);
    }
  }
  if (status == ATTCERT_OK) {
    mpfr_sqrt(upper, upper, MPFR_RNDU);
    mpfr_add(upper, upper, j.radius, MPFR_RNDU);
    improve_upper(r, upper, engine);
  }
  mpfr_clear(estimate);
  mpfr_clear(upper);
  explicit_jacobian_clear(&j);
  return status;
}

/* The explicit bound with more bits while it is wider than asked. */
static attcert_status bound_reference(run *r, double *u, attcert_engine engine) {
  const double asked = r->options->tolerance > 0.0 ? r->options->tolerance : INFINITY;
  const double width = fmin(asked, engine == ATTCERT_ENGINE_MPFR ? MPFR_WIDTH : DENSE_WIDTH);
  attcert_status status = bound_explicit(r, u, engine);
  for (;;) {
    const int precision = r->certificate->precision;
    const bool hopeless = mpfr_zero_p(r->certificate->lower) && precision >= ZERO_PRECISION;
    if (status != ATTCERT_OK || r->certificate->relative_width <= width || hopeless) return status;
    if (2 * precision > r->plan.explicit_precision_cap || 2 * precision > r->plan.layer_precision_cap) return status;
    forget_layer(r);
    status = evaluate_layer(r, 2 * precision);
    if (status == ATTCERT_OK) status = bound_explicit(r, u, engine);
  }
}

static attcert_status bound_pointwise(run *r) {
  mpfr_t upper;
  mpfr_init2(upper, 64);
  const attcert_status status = pointwise_upper(upper, r->layer, &r->e, &r->m, r->options, r->err);
  if (status == ATTCERT_OK) improve_upper(r, upper, ATTCERT_ENGINE_POINTWISE);
  mpfr_clear(upper);
  return status;
}

static attcert_status bound_dense(run *r, double sigma) {
  mpfr_t upper;
  mpfr_init2(upper, 128);
  const attcert_status status = dense_upper(upper, &r->m, sigma, r->options, r->err);
  if (status == ATTCERT_OK) improve_upper(r, upper, ATTCERT_ENGINE_DENSE);
  mpfr_clear(upper);
  return status;
}

static void extend_plan(const run *r, const char *what) {
  char *const text = r->certificate->plan;
  const size_t used = strlen(text);
  snprintf(text + used, sizeof r->certificate->plan - used, "; %s", what);
}

/* The dense bound, and where it is too wide for its promise or for what was asked, one from the explicit Jacobian. */
static attcert_status bound_dense_or_better(run *r, double *u, double sigma) {
  const bool automatic = r->options->engine == ATTCERT_ENGINE_AUTO;
  const double asked = r->options->tolerance > 0.0 ? r->options->tolerance : INFINITY;
  attcert_status status = bound_dense(r, sigma);
  if (status == ATTCERT_RESOURCE && automatic) {
    extend_plan(r, "memory ran out, so the upper end is the pointwise bound: valid but loose");
    status = bound_pointwise(r);
  } else if (status == ATTCERT_OK && r->plan.explicit_feasible &&
             r->certificate->relative_width > fmin(asked, DENSE_WIDTH)) {
    extend_plan(r, automatic ? "too wide in double, so repeated with the mpfr engine"
                             : "too wide in double, so its Gram matrix was formed in MPFR");
    status = bound_reference(r, u, automatic ? ATTCERT_ENGINE_MPFR : ATTCERT_ENGINE_DENSE);
  }
  return status;
}

static attcert_status bound_above(run *r, double *u, double sigma) {
  const double start = now();
  attcert_status status;
  if (r->plan.engine == ATTCERT_ENGINE_MPFR)
    status = bound_reference(r, u, ATTCERT_ENGINE_MPFR);
  else if (r->plan.engine == ATTCERT_ENGINE_DENSE)
    status = bound_dense_or_better(r, u, sigma);
  else
    status = bound_pointwise(r);
  r->certificate->seconds.upper = now() - start;
  return status;
}

static void certify_zero(run *r) {
  mpfr_set_zero(r->certificate->lower, 1);
  mpfr_set_zero(r->certificate->upper, 1);
  r->certificate->engine = r->plan.engine;
  update_width(r);
}

static uint64_t peak_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

/* Everything but the plan and the clock. */
static attcert_status certify(run *r) {
  attcert_certificate *const c = r->certificate;
  attcert_status status = attcert_matrix_init(&c->vector, r->x->rows, r->x->cols, r->err);
  double *const u = malloc((size_t)r->x->rows * (size_t)r->x->cols * sizeof(double)), sigma = 0.0;
  if (u == NULL) status = attcert_fail(r->err, ATTCERT_RESOURCE, "out of memory: a direction of %d tokens", r->x->rows);
  if (status == ATTCERT_OK) status = bound_below(r, u, &sigma);
  if (status == ATTCERT_OK && r->m.zero)
    certify_zero(r);
  else if (status == ATTCERT_OK)
    status = bound_above(r, u, sigma);
  free(u);
  forget_layer(r);
  return status;
}

attcert_status attcert_certify(attcert_certificate *certificate, const attcert_layer *layer, const attcert_matrix *x,
                               const attcert_options *options, attcert_error *err) {
  run r = {.certificate = certificate, .layer = layer, .x = x, .options = options, .err = err};
  const double start = now();
  r.threads = parallel_threads(options->threads);
  attcert_status status = attcert_layer_check(layer, x, err);
  if (status == ATTCERT_OK)
    status = plan_make(&r.plan, certificate->plan, sizeof certificate->plan, layer, x->rows, options, err);
  if (status == ATTCERT_OK) {
    certificate->engine = r.plan.engine;
    report(&r, certificate->plan);
    status = certify(&r);
  }
  certificate->seconds.total = now() - start;
  certificate->peak_memory = peak_memory();
  return status;
}

attcert_status attcert_direction(mpfr_t lo, mpfr_t hi, const attcert_layer *layer, const attcert_matrix *x,
                                 const attcert_matrix *u, const attcert_options *options, attcert_error *err) {
  attcert_status status = attcert_layer_check(layer, x, err);
  if (status != ATTCERT_OK) return status;
  if (u->rows != x->rows || u->cols != x->cols)
    return attcert_fail(err, ATTCERT_INPUT, "direction: %d x %d, expected the input's shape %d x %d", u->rows, u->cols,
                        x->rows, x->cols);
  bool nonzero = false;
  for (size_t i = 0; i < (size_t)u->rows * (size_t)u->cols; i++) {
    if (!isfinite(u->data[i]))
      return attcert_fail(err, ATTCERT_INPUT, "direction: entry %zu is %g, expected a finite number", i, u->data[i]);
    nonzero = nonzero || u->data[i] != 0.0;
  }
  if (!nonzero) return attcert_fail(err, ATTCERT_INPUT, "direction: all entries are zero, expected a non-zero vector");
  const int threads = parallel_threads(options->threads);
  layer_enclosure e;
  status = layer_enclosure_init(&e, layer, x, options->precision, threads, err);
  if (status != ATTCERT_OK) return status;
  interval ratio;
  interval_init(&ratio, e.precision);
  status = direction_enclosure(&ratio, layer, &e, u->data, threads, err);
  mpfr_set(lo, ratio.lo, MPFR_RNDD);
  mpfr_set(hi, ratio.hi, MPFR_RNDU);
  interval_clear(&ratio);
  layer_enclosure_clear(&e);
  return status;
}
