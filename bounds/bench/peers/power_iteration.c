/* v := J^T J v / ||J^T J v||, lambda = ||J v||^2 with ||v|| = 1: each lambda is a lower estimate of ||J||^2, up to
 * rounding. */
#include "peers.h"

#include "base/uniform.h"
#include "certify/jacobian/structured_jacobian.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

/* Stops once lambda changes by less than absolute + relative lambda, or after `most` iterations. */
typedef struct {
  double absolute, relative;
  int most;
} stopping_rule;

static const stopping_rule published[] = {
    [PUBLISHED_BERT] = {1e-4, 0.0, 100},
    [PUBLISHED_GPT2] = {5e-4, 0.0, 500},
    [PUBLISHED_RANDOM_GPT2] = {1e-3, 0.0, 1000},
};

/* Where no rule stops it: far beyond what any needs. */
enum { MOST_ITERATIONS = 100000 };

static const double RELATIVE_CHANGE = 1e-6;

typedef struct {
  linear_operator jacobian;
  double *v, *image;
  stopping_rule rule;
} iteration;

/* False when out of memory. */
static bool iteration_init(iteration *t, const linear_operator *jacobian) {
  t->jacobian = *jacobian;
  t->v = malloc((size_t)jacobian->cols * sizeof(double));
  t->image = malloc((size_t)jacobian->rows * sizeof(double));
  return t->v != NULL && t->image != NULL;
}

static void normalize(double *v, int n) {
  cblas_dscal(n, 1.0 / cblas_dnrm2(n, v, 1), v, 1);
}

/* lambda, which is 0 before the first step; sets how many iterations there were and whether the rule stopped them. */
static double iterate(measurement *result, const iteration *t) {
  const linear_operator *const j = &t->jacobian;
  double lambda = 0.0;
  result->converged = false;
  for (int i = 0; i < j->cols; i++) t->v[i] = uniform_entry((uint64_t)i);
  normalize(t->v, j->cols);
  result->most_iterations = t->rule.most;
  for (result->iterations = 0; result->iterations < t->rule.most && !result->converged;) {
    const double previous = lambda;
    j->apply(j->context, t->image, t->v, false);
    lambda = cblas_ddot(j->rows, t->image, 1, t->image, 1);
    result->iterations++;
    result->converged = fabs(lambda - previous) < t->rule.absolute + t->rule.relative * lambda;
    if (result->converged) break;
    j->apply(j->context, t->v, t->image, true);
    normalize(t->v, j->cols);
  }
  return lambda;
}

static attcert_status power_iteration(measurement *result, const given_layer *g, stopping_rule rule,
                                      attcert_error *err) {
  factored_jacobian m;
  structured_jacobian s = {0};
  iteration t = {0};
  double lambda = 0.0;
  attcert_status status = given_layer_factors(&m, g, err);
  if (status == ATTCERT_OK) status = structured_jacobian_init(&s, &m, 1, err);
  if (status == ATTCERT_OK) {
    const linear_operator jacobian = structured_jacobian_operator(&s);
    t.rule = rule;
    t.rule.absolute = ldexp(rule.absolute, -2 * (int)m.exponent); /* it is about J, J~ is a power of two smaller */
    if (!iteration_init(&t, &jacobian))
      status = attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a vector of length %d", jacobian.cols);
  }
  while (status == ATTCERT_OK && measurement_due(result)) {
    measurement_start(result);
    lambda = iterate(result, &t);
    measurement_stop(result);
  }
  if (status == ATTCERT_OK) {
    result->norm = ldexp(sqrt(lambda), (int)m.exponent);
    result->rounding = structured_jacobian_roundings(&m, true) * 0x1p-53;
  }
  free(t.v);
  free(t.image);
  structured_jacobian_clear(&s);
  factored_jacobian_clear(&m);
  return status;
}

attcert_status power_iteration_published(measurement *result, const given_layer *g, attcert_error *err) {
  return power_iteration(result, g, published[g->like], err);
}

attcert_status power_iteration_absolute(measurement *result, const given_layer *g, double change, attcert_error *err) {
  return power_iteration(result, g, (stopping_rule){change, 0.0, MOST_ITERATIONS}, err);
}

attcert_status power_iteration_relative(measurement *result, const given_layer *g, attcert_error *err) {
  return power_iteration(result, g, (stopping_rule){0.0, RELATIVE_CHANGE, MOST_ITERATIONS}, err);
}
