#include "ball/ball_upper.h"

#include "ball/ball_curvature.h"
#include "base/arrays.h"
#include "base/parallel.h"
#include "base/progress_report.h"
#include "interval/interval_convert.h"
#include "theory/layer_norms.h"
#include "theory/product_norm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 32 };

/* T at the end of every step: the heads' sum, or the sum of their squares. */
typedef struct {
  mpfr_t curvature[STEPS];
  bool squares;
} profile;

static void profile_init(profile *p, bool squares) {
  p->squares = squares;
  for (int i = 0; i < STEPS; i++) {
    mpfr_init2(p->curvature[i], BALL_PRECISION);
    mpfr_set_zero(p->curvature[i], 1);
  }
}

static void profile_clear(profile *p) {
  for (int i = 0; i < STEPS; i++) mpfr_clear(p->curvature[i]);
}

/* A double >= radius step / STEPS: the product rounds once, and the quotient only below the normal doubles. */
static double step_end(double radius, int step) {
  return fmin(radius, nextafter(radius * step / STEPS, INFINITY));
}

static attcert_status add_head(profile *p, const ball_geometry *g, attcert_error *err) {
  ball_curvature_scratch s;
  mpfr_t t;
  mpfr_init2(t, BALL_PRECISION);
  attcert_status status = ball_curvature_scratch_init(&s, g->n, err);
  for (int i = 0; i < STEPS && status == ATTCERT_OK; i++) {
    status = ball_curvature(t, g, step_end(g->region->radius, i + 1), &s, err);
    if (p->squares) mpfr_sqr(t, t, MPFR_RNDU);
    mpfr_add(p->curvature[i], p->curvature[i], t, MPFR_RNDU);
  }
  ball_curvature_scratch_clear(&s);
  mpfr_clear(t);
  return status;
}

/* ||W_h V||, ||V|| without W_O. */
static attcert_status head_value_norm(mpfr_ptr norm, const attcert_layer *layer, int h, attcert_error *err) {
  const size_t k = (size_t)layer->head_dim, width = (size_t)layer->heads * k, rows = (size_t)layer->out_dim;
  const product_factor value = {layer->value_weight + (size_t)h * k * (size_t)layer->dim, false};
  attcert_status status;
  interval enclosed;
  interval_init(&enclosed, THEORY_PRECISION);
  if (layer->output_weight == NULL) {
    status = product_norm_plain(&enclosed, value.data, layer->head_dim, layer->dim, err);
  } else {
    double *const w = array_new(ARRAY_COUNT(rows, k), sizeof *w, err, "a %zu x %zu matrix", rows, k);
    for (size_t i = 0; w != NULL && i < rows; i++)
      memcpy(w + i * k, layer->output_weight + i * width + (size_t)h * k, k * sizeof(double));
    status = w == NULL ? ATTCERT_RESOURCE
                       : product_norm(&enclosed, (product_factor){w, false}, value, layer->out_dim, layer->head_dim,
                                      layer->dim, err);
    free(w);
  }
  mpfr_set(norm, enclosed.hi, MPFR_RNDU);
  interval_clear(&enclosed);
  return status;
}

static attcert_status bound_head(profile *p, const attcert_layer *layer, const layer_enclosure *e,
                                 const ball_region *region, const layer_norms *norms, int h, int threads,
                                 attcert_error *err) {
  ball_products products;
  ball_geometry geometry;
  attcert_status status = ball_products_init(&products, layer, e, h, threads, err);
  if (status == ATTCERT_OK) {
    status = ball_geometry_init(&geometry, &products, region, threads, err);
    mpfr_set(geometry.score, norms->head[h].score.hi, MPFR_RNDU);
    if (status == ATTCERT_OK) status = head_value_norm(geometry.value, layer, h, err);
    if (status == ATTCERT_OK) status = add_head(p, &geometry, err);
    ball_geometry_clear(&geometry);
  }
  ball_products_clear(&products);
  return status;
}

/* growth := root sum_i (radius / STEPS) T_i. */
static void integrate(mpfr_ptr growth, const profile *p, const ball_region *region, int n) {
  mpfr_t sum, t;
  mpfr_inits2(BALL_PRECISION, sum, t, (mpfr_ptr)0);
  mpfr_set_zero(sum, 1);
  for (int i = 0; i < STEPS; i++) {
    mpfr_set(t, p->curvature[i], MPFR_RNDU);
    if (p->squares) mpfr_sqrt(t, t, MPFR_RNDU);
    mpfr_add(sum, sum, t, MPFR_RNDU);
  }
  mpfr_mul_d(sum, sum, region->radius, MPFR_RNDU);
  mpfr_div_ui(sum, sum, STEPS, MPFR_RNDU);
  mpfr_sqrt_ui(t, ball_region_kind(region)->each ? (unsigned long)ball_region_count(region, n) : 1, MPFR_RNDU);
  mpfr_mul(growth, sum, t, MPFR_RNDU);
  mpfr_clears(sum, t, (mpfr_ptr)0);
}

attcert_status ball_growth(mpfr_ptr growth, const attcert_layer *layer, const layer_norms *norms,
                           const layer_enclosure *e, const ball_region *region, const attcert_options *options,
                           attcert_error *err) {
  profile p;
  mpfr_set_zero(growth, 1);
  if (region->radius == 0.0) return ATTCERT_OK;
  if (!(region->radius < INFINITY)) { /* of a hull: there is no double above it */
    mpfr_set_inf(growth, 1);
    return ATTCERT_OK;
  }
  attcert_status status = ATTCERT_OK;
  profile_init(&p, layer->output_weight == NULL);
  for (int h = 0; h < layer->heads && status == ATTCERT_OK; h++) {
    status = progress_report(options, "second derivative", (double)h / layer->heads, err);
    if (status == ATTCERT_OK)
      status = bound_head(&p, layer, e, region, norms, h, parallel_threads(options->threads), err);
  }
  if (status == ATTCERT_OK) integrate(growth, &p, region, e->n);
  profile_clear(&p);
  return status;
}

uint64_t ball_growth_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  return ball_products_bytes(layer, n, precision) + ball_geometry_bytes(n);
}
