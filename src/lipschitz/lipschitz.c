#include "lipschitz/lipschitz.h"

#include "base/arrays.h"
#include "base/byte_text.h"
#include "base/clock.h"
#include "base/environment.h"
#include "base/memory.h"
#include "base/progress_report.h"
#include "certify/certificate.h"
#include "certify/engine/certify_ends.h"
#include "certify/plan.h"
#include "linalg/blas/blas_probe.h"
#include "linalg/norm/euclidean_norm.h"
#include "linalg/rounding/norm_lower.h"
#include "lipschitz/lipschitz_run.h"
#include "randomized/randomized_start.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The width of random starts where none is asked, and of the norms of parts; a run is worth their cost where rounding
 * is more than a share of the width. */
static const double DENSE_WIDTH = 1e-7, RANDOM_WIDTH = 1e-2, PART_WIDTH = 0.25, ROUNDING_SHARE = 0.125;

typedef struct {
  attcert_engine engine;
  uint64_t (*bytes)(size_t rows, size_t cols);
  lipschitz_bound *bound; /* by products; NULL: the engine has its own Jacobian */
} engine_entry;

static const engine_entry dense = {ATTCERT_ENGINE_DENSE, lipschitz_dense_bytes, lipschitz_dense};
static const engine_entry explicit = {ATTCERT_ENGINE_MPFR, lipschitz_mpfr_bytes, NULL};
static const engine_entry by_starts = {ATTCERT_ENGINE_RANDOM, lipschitz_random_bytes, lipschitz_random};

/* NULL and a message: another engine. */
static const engine_entry *choose_engine(const attcert_options *o, size_t side, attcert_error *err) {
  switch (o->engine) {
  case ATTCERT_ENGINE_AUTO:
    return o->failure == 0.0 || side <= LIPSCHITZ_DENSE_SIDE ? &dense : &by_starts;
  case ATTCERT_ENGINE_DENSE:
    return &dense;
  case ATTCERT_ENGINE_MPFR:
    return &explicit;
  case ATTCERT_ENGINE_RANDOM:
    return &by_starts;
  default:
    attcert_fail(err, ATTCERT_INPUT,
                 "engine: %s is for the attention of attcert_layer alone, expected auto, mpfr, dense or random",
                 attcert_engine_name(o->engine));
    return NULL;
  }
}

attcert_status lipschitz_check(const network_steps *network, const attcert_matrix *x, const attcert_options *options,
                               attcert_error *err) {
  const attcert_status status = attcert_options_check(options, err);
  if (status != ATTCERT_OK) return status;
  if (x->rows != network->tokens || x->cols != network->dim)
    return attcert_fail(err, ATTCERT_INPUT, "input: %d x %d, expected %d x %d", x->rows, x->cols, network->tokens,
                        network->dim);
  if (options->scratch != NULL)
    return attcert_fail(err, ATTCERT_INPUT, "scratch: expected none for a function made of steps");
  if (options->group == NULL || options->group->size == 1) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "a group of %d processes, expected one for a function made of steps",
                      options->group->size);
}

/* The plan's line, and whether memory does for it. */
static attcert_status plan_run(attcert_certificate *c, const engine_entry *engine, const network_steps *network,
                               const attcert_options *options, attcert_error *err) {
  const size_t rows = network_entries(network, network->count), cols = network_entries(network, 0);
  const uint64_t products = engine->bound != NULL ? network_linear_bytes(network, LIPSCHITZ_VECTORS) : 0;
  const uint64_t bytes = memory_add(products, engine->bytes(rows, cols));
  const uint64_t may = plan_memory(options);
  char needed[BYTE_TEXT_SIZE], limit[BYTE_TEXT_SIZE];
  snprintf(c->plan, sizeof c->plan, "engine %s, a Jacobian of %zu x %zu %s of %d steps, %s of memory",
           attcert_engine_name(engine->engine), rows, cols, engine->bound != NULL ? "by products" : "in intervals",
           network->count, byte_text(needed, bytes));
  if (rows > INT32_MAX / 2 || cols > INT32_MAX / 2)
    return attcert_fail(err, ATTCERT_RESOURCE, "a Jacobian of %zu x %zu, expected sides below 2^30", rows, cols);
  if (bytes <= may) return engine == &explicit ? lipschitz_mpfr_check(network, err) : ATTCERT_OK;
  return attcert_fail(err, ATTCERT_RESOURCE, "the %s engine needs %s for a Jacobian of %zu x %zu, %s may be used",
                      attcert_engine_name(engine->engine), byte_text(needed, bytes), rows, cols, byte_text(limit, may));
}

/* ---- roundings --------------------------------------------------------------------------------------------------- */

/* What products make of the norm that the engine bounds. */
static double rounding_error(const lipschitz_run *r, const network_part *part, const engine_entry *engine) {
  return engine == &dense ? lipschitz_dense_error(r, part) : network_part_error(part);
}

/* ||J u|| of a few power steps from equal entries: an estimate from below, uncertified; u: cols entries, z: rows. */
static double estimate_norm(const lipschitz_run *r, const network_part *whole, double *u, double *z) {
  enum { STEPS = 4 };
  const size_t rows = lipschitz_rows(r, whole), cols = lipschitz_cols(r, whole);
  for (size_t k = 0; k < cols; k++) u[k] = 1.0 + (double)(k % 7) / 7.0;
  for (int k = 0; k < STEPS; k++) {
    if (!euclidean_normalize(u, (int)cols)) return 0.0;
    network_linear_multiply(&r->jacobian, whole, z, u, 1, false);
    network_linear_multiply(&r->jacobian, whole, u, z, 1, true);
  }
  return euclidean_norm(z, (int)rows);
}

attcert_status lipschitz_refine_parts(lipschitz_run *r, lipschitz_bound *bound, double *u) {
  network_linear *const l = &r->jacobian;
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < l->parts && status == ATTCERT_OK; i++) {
    double upper;
    status = bound(&upper, u, r, &l->part[i], PART_WIDTH);
    if (status == ATTCERT_OK && upper < l->part[i].norm) l->part[i].norm = upper;
  }
  return status;
}

/* *enough: what is left widens the enclosure by no more than its share. */
static attcert_status settle_roundings(network_part *whole, bool *enough, lipschitz_run *r, const engine_entry *engine,
                                       double width) {
  network_linear *const l = &r->jacobian;
  const size_t largest = network_most_entries(l->network);
  double *u, *z;
  const array_table table = {{ARRAY(u, largest), ARRAY(z, largest)}};
  attcert_status status = array_table_allocate(&table, r->err, "two directions");
  if (status != ATTCERT_OK) return status;
  *whole = network_linear_whole(l);
  const double allowed = ROUNDING_SHARE * width * estimate_norm(r, whole, u, z);
  if (l->parts > 1 && !(rounding_error(r, whole, engine) <= allowed))
    status = lipschitz_refine_parts(r, engine->bound, u);
  *whole = network_linear_whole(l);
  *enough = rounding_error(r, whole, engine) <= allowed;
  array_table_release(&table);
  return status;
}

/* ---- both ends --------------------------------------------------------------------------------------------------- */

/* ||J u|| / ||u|| for the certificate's direction u, made a unit vector. */
static attcert_status raise_lower(lipschitz_run *r, const network_part *whole) {
  attcert_certificate *const c = r->certificate;
  const size_t rows = lipschitz_rows(r, whole), cols = lipschitz_cols(r, whole);
  double *const image = array_new(rows, sizeof *image, r->err, "the image of a direction");
  if (image == NULL) return ATTCERT_RESOURCE;
  if (euclidean_normalize(c->vector.data, (int)cols)) {
    mpfr_t lower;
    network_linear_multiply(&r->jacobian, whole, image, c->vector.data, 1, false);
    mpfr_init2(lower, 53);
    mpfr_set_d(lower, norm_lower_along(image, rows, whole->error[0], c->vector.data, cols), MPFR_RNDD);
    certify_ends_raise_lower(c, lower);
    mpfr_clear(lower);
    c->estimate = euclidean_norm(image, (int)rows);
  }
  free(image);
  return ATTCERT_OK;
}

static attcert_status lower_upper(lipschitz_run *r, const engine_entry *engine, const network_part *whole,
                                  double width) {
  attcert_certificate *const c = r->certificate;
  double bound = INFINITY;
  const attcert_status status = engine->bound(&bound, c->vector.data, r, whole, width);
  if (status != ATTCERT_OK) return status;
  mpfr_t upper;
  mpfr_init2(upper, 53);
  mpfr_set_d(upper, bound, MPFR_RNDU);
  if (certify_ends_lower_upper(c, upper) && engine == &by_starts) {
    c->failure_log2 = randomized_failure_log2(r->options->failure);
    c->seeded = r->options->seeded;
  }
  mpfr_clear(upper);
  return ATTCERT_OK;
}

static attcert_status enclose_whole(lipschitz_run *r, const engine_entry *engine, const network_part *whole,
                                    double width) {
  attcert_certificate *const c = r->certificate;
  if (!isfinite(whole->error[0] + whole->error[1]))
    return attcert_fail(r->err, ATTCERT_RESOURCE,
                        "derivatives beyond 2^100 on the way through the network, or of no bound: expected smaller "
                        "weights and inputs");
  const double start = clock_seconds();
  attcert_status status = lower_upper(r, engine, whole, width);
  c->seconds.upper = clock_seconds() - start;
  if (status == ATTCERT_OK) status = raise_lower(r, whole);
  if (status == ATTCERT_OK) certify_ends_update(c, r->options->tolerance);
  c->seconds.lower = clock_seconds() - start - c->seconds.upper;
  return status;
}

/* The derivatives by products in double where that is enough for the width of random starts. */
static attcert_status linearize_steps(network_part *whole, lipschitz_run *r, const engine_entry *engine,
                                      const network_steps *network, const attcert_matrix *x, double width) {
  attcert_status status = ATTCERT_OK;
  bool enough = false;
  for (int in_double = engine == &by_starts; in_double >= 0 && !enough && status == ATTCERT_OK; in_double--) {
    network_linear_clear(&r->jacobian);
    status = network_linear_init(&r->jacobian, network, x, LIPSCHITZ_VECTORS, in_double != 0, r->options, r->err);
    if (status == ATTCERT_OK) status = settle_roundings(whole, &enough, r, engine, width);
  }
  return status;
}

static attcert_status with_jacobian(lipschitz_run *r, const engine_entry *engine, const network_steps *network,
                                    const attcert_matrix *x) {
  const double start = clock_seconds(), tolerance = r->options->tolerance;
  const double width = tolerance > 0.0 ? tolerance : engine == &dense ? DENSE_WIDTH : RANDOM_WIDTH;
  attcert_certificate *const c = r->certificate;
  network_part whole = {0};
  attcert_status status = linearize_steps(&whole, r, engine, network, x, width);
  c->seconds.layer = clock_seconds() - start;
  c->precision = r->jacobian.precision;
  if (status == ATTCERT_OK) status = enclose_whole(r, engine, &whole, width);
  network_linear_clear(&r->jacobian);
  return status;
}

static size_t shorter_side(const network_steps *network) {
  const size_t rows = network_entries(network, network->count), cols = network_entries(network, 0);
  return rows < cols ? rows : cols;
}

static attcert_status certify_steps(attcert_certificate *c, attcert_status entered, const network_steps *network,
                                    const attcert_matrix *x, const attcert_options *options, attcert_error *err) {
  const double start = clock_seconds();
  certificate_reset(c);
  attcert_status status = entered == ATTCERT_OK ? lipschitz_check(network, x, options, err) : entered;
  const engine_entry *const engine = status == ATTCERT_OK ? choose_engine(options, shorter_side(network), err) : NULL;
  if (engine == NULL) return status != ATTCERT_OK ? status : ATTCERT_INPUT;
  lipschitz_run r = {.certificate = c, .options = options, .err = err, .network = network};
  /* of every part, once more where derivatives are made anew, and of the whole */
  if (engine == &by_starts)
    r.failure_log2 = floor(randomized_failure_log2(options->failure) - log2(2.0 * network->count + 1.0));
  status = plan_run(c, engine, network, options, err);
  if (status == ATTCERT_OK) status = progress_report(options, c->plan, 0, err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(&c->vector, x->rows, x->cols, err);
  if (status == ATTCERT_OK) status = blas_probe_once(err);
  c->engine = engine->engine;
  if (status == ATTCERT_OK && engine->bound == NULL)
    status = lipschitz_mpfr(&r, x);
  else if (status == ATTCERT_OK)
    status = with_jacobian(&r, engine, network, x);
  if (!certificate_is_enclosure(c)) status = certificate_refuse(c, err);
  c->seconds.total = clock_seconds() - start;
  c->peak_memory = memory_peak();
  return status;
}

attcert_status lipschitz_certify(attcert_certificate *certificate, const network_steps *network,
                                 const attcert_matrix *x, const attcert_options *options, attcert_error *err) {
  environment before;
  const attcert_status entered = environment_enter(&before, err);
  return environment_leave(&before, certify_steps(certificate, entered, network, x, options, err));
}
