#include "randomized/randomized_pilot.h"

#include "base/arrays.h"
#include "base/progress_report.h"

#include <math.h>

enum { STEPS_LEAST = 4, STEPS_MOST = 64 };

/* Of the width, what v may cost where the next eigenvalue is far; where it is near, half. */
static const double SHARE = 0.0625;

/* The two largest Ritz values, the vector of the first, and whether that is close enough: a residual r of it leaves
 * about r^2 / (the distance to the next eigenvalue) of what was asked. */
static attcert_status look(randomized_pilot *p, double *weight, bool *enough, const randomized_lanczos *l, double width,
                           attcert_error *err) {
  double next, weight_of_next[RANDOMIZED_STEPS_MOST];
  const int last = l->recurrence[0].steps - 1;
  const double beta = l->recurrence[0].beta[last];
  attcert_status status = randomized_lanczos_ritz(&p->top, weight, l, 0, 0, err);
  if (status == ATTCERT_OK) status = randomized_lanczos_ritz(&next, weight_of_next, l, 0, 1, err);
  if (status != ATTCERT_OK) return status;
  const double residual = beta * fabs(weight[last]);
  p->rest = last > 0 ? fmin(p->top, next + beta * fabs(weight_of_next[last])) : 0.0;
  const double distance = p->top * (1.0 + 2.0 * width) - p->rest;
  const double most = width * p->top * fmin(SHARE * distance, width * p->top);
  *enough = last + 1 >= STEPS_LEAST && residual * residual <= most;
  return ATTCERT_OK;
}

static attcert_status find_vector(double *weight, randomized_pilot *p, randomized_lanczos *l, double width,
                                  const attcert_options *options, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  bool enough = false;
  while (status == ATTCERT_OK && !enough && l->steps < STEPS_MOST && !randomized_lanczos_ended(l)) {
    status = progress_report(options, "recurrence of a direction", 0.0, err);
    if (status == ATTCERT_OK) status = randomized_lanczos_step(l, err);
    if (status == ATTCERT_OK) status = look(p, weight, &enough, l, width, err);
  }
  if (status == ATTCERT_OK) randomized_lanczos_combine(p->found.v, weight, l);
  return status;
}

attcert_status randomized_pilot_run(randomized_pilot *p, const randomized_operator *g, double width,
                                    randomized_bits *bits, const attcert_options *options, attcert_error *err) {
  randomized_lanczos l;
  double weight[RANDOMIZED_STEPS_MOST] = {0};
  *p = (randomized_pilot){.found.length = g->length};
  attcert_status status = randomized_lanczos_init(&l, g, 1, bits, err);
  p->found.v = array_new(g->length, sizeof(double), err, "a direction");
  if (p->found.v == NULL) status = ATTCERT_RESOURCE;
  if (status == ATTCERT_OK) status = find_vector(weight, p, &l, width, options, err);
  if (status == ATTCERT_OK) {
    g->apply(g->context, l.image, p->found.v, 1);
    randomized_deflation_find(&p->found, l.image, g->error);
  }
  randomized_lanczos_clear(&l);
  return status;
}
