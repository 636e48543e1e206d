#include "randomized/randomized_upper.h"

#include "base/progress_report.h"
#include "linalg/rounding/rounding.h"
#include "randomized/randomized_start.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* PILOT steps of one start tell the scale; how close the end has come is looked at every LOOK steps. */
enum { PILOT = 6, LOOK = 4, STARTS_LEAST = 4, STEPS_USUAL = 64 };

/* What roundings leave of B, relative to error / lambda, at the width w: FLOOR / sqrt(w) where eigenvalues are dense,
 * FLOOR_OF_ONE / w where the largest is alone. A start's threshold is to be above. Measured, and nothing depends on
 * them but the time. */
static const double FLOOR = 6.0, FLOOR_OF_ONE = 0.125;

/* A bound that LOOK steps bring less than this share of the way to what is asked will not get there. */
static const double STALLED = 1e-3;

uint64_t randomized_upper_bytes(size_t length) {
  return randomized_lanczos_bytes(length, RANDOMIZED_STARTS_MOST, STEPS_USUAL);
}

/* *value: about lambda, from below. */
static attcert_status pilot(double *value, const randomized_operator *g, randomized_bits *bits, attcert_error *err) {
  randomized_lanczos l;
  attcert_status status = randomized_lanczos_init(&l, g, 1, bits, err);
  for (int j = 0; j < PILOT && status == ATTCERT_OK; j++) status = randomized_lanczos_step(&l, err);
  if (status == ATTCERT_OK) status = randomized_lanczos_ritz(value, NULL, &l, 0, err);
  randomized_lanczos_clear(&l);
  return status;
}

/* The fewest starts whose threshold stands out of the roundings: products are what costs, and they are about
 * starts ln(sqrt(N)) + ln(1 / failure). */
static int choose_starts(const randomized_operator *g, const randomized_question *question, double value) {
  const double w = question->width, left = fmax(FLOOR / sqrt(w), FLOOR_OF_ONE / w);
  const double noise = left * g->error / value * sqrt((double)g->length);
  int starts = STARTS_LEAST;
  while (starts < RANDOMIZED_STARTS_MOST &&
         !(randomized_start_threshold(question->failure_log2, starts, g->length) > noise))
    starts++;
  while (starts < RANDOMIZED_STARTS_MOST && g->parts > 1 && starts % g->parts != 0) starts++;
  return starts;
}

/* The Ritz values: the first start's, and the largest. */
static attcert_status find_estimates(randomized_answer *a, const randomized_lanczos *l, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (int s = 0; s < l->starts && status == ATTCERT_OK; s++) {
    double value;
    status = randomized_lanczos_ritz(&value, NULL, l, s, err);
    if (s == 0) a->of_vector = value;
    if (status == ATTCERT_OK) a->estimate = fmax(a->estimate, value);
  }
  a->steps = l->steps;
  return status;
}

static double threshold_of(const randomized_lanczos *l, int s, double t) {
  return ldexp(t, -l->exponent[s]);
}

/* An end that all starts exclude is wrong only if each has a component of at most t. */
static bool excludes(const randomized_lanczos *l, double t, double lam) {
  bool excluded = true;
  for (int s = 0; s < l->starts && excluded; s++)
    excluded = randomized_bound_excludes(&l->recurrence[s], lam, threshold_of(l, s, t));
  return excluded;
}

/* About the least such end. */
static double least_excluded(const randomized_answer *a, const randomized_lanczos *l, double t) {
  double upper = 0.0;
  for (int s = 0; s < l->starts; s++) {
    const randomized_recurrence *const r = &l->recurrence[s];
    const double threshold = threshold_of(l, s, t);
    /* The first term of B alone is rho_0 / (lam - alpha_0). */
    upper = fmax(upper, randomized_bound_least(r, fmax(a->estimate, r->residual[0] / threshold), threshold));
  }
  return upper > 0.0 ? upper : INFINITY;
}

/* To be reached: lower ends come from the vector, by roundings below its value. */
static double end_asked_for(const randomized_answer *a, const randomized_question *question) {
  const double width = question->width * (1.0 - 0x1p-10);
  return a->of_vector * (1.0 + width) * (1.0 + width);
}

static double width_of(const randomized_answer *a) {
  return sqrt(a->upper / a->of_vector) - 1.0;
}

static attcert_status run(randomized_answer *a, randomized_lanczos *l, double t, const randomized_question *question,
                          attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  const int most = l->g->length < RANDOMIZED_STEPS_MOST ? (int)l->g->length + 1 : RANDOMIZED_STEPS_MOST;
  double before = INFINITY;
  while (status == ATTCERT_OK && l->steps < most) {
    status = progress_report(question->options, "recurrences from random starts", 0.0, err);
    if (status == ATTCERT_OK) status = randomized_lanczos_step(l, err);
    if (status == ATTCERT_OK) status = find_estimates(a, l, err);
    if (status != ATTCERT_OK) break;
    const double asked = end_asked_for(a, question);
    const bool reached = excludes(l, t, asked), last = l->steps == most || randomized_lanczos_ended(l);
    if (reached) a->upper = fmin(a->upper, asked);
    if (!reached && !last && l->steps % LOOK != 0) continue;
    a->upper = fmin(a->upper, least_excluded(a, l, t));
    const double width = width_of(a);
    if (reached || last || before - width < STALLED * (before - question->width)) break;
    before = width;
  }
  return status;
}

static attcert_status ritz_vector(double *vector, const randomized_lanczos *l, attcert_error *err) {
  double weight[RANDOMIZED_STEPS_MOST], value;
  const attcert_status status = randomized_lanczos_ritz(&value, weight, l, 0, err);
  memset(vector, 0, l->g->length * sizeof *vector);
  for (int j = 0; j < l->recurrence[0].steps && status == ATTCERT_OK; j++)
    cblas_daxpy((int)l->g->length, weight[j], l->kept[j], 1, vector, 1);
  return status;
}

attcert_status randomized_upper(randomized_answer *answer, double *vector, const randomized_operator *g,
                                randomized_question *question, attcert_error *err) {
  randomized_lanczos l = {0};
  double value = 0.0;
  *answer = (randomized_answer){.upper = INFINITY};
  attcert_status status = pilot(&value, g, &question->bits, err);
  if (status != ATTCERT_OK) return status;
  answer->starts = choose_starts(g, question, value);
  const double t = randomized_start_threshold(question->failure_log2, answer->starts, g->length);
  status = randomized_lanczos_init(&l, g, answer->starts, &question->bits, err);
  if (status == ATTCERT_OK) status = run(answer, &l, t, question, err);
  if (status == ATTCERT_OK) status = ritz_vector(vector, &l, err);
  randomized_lanczos_clear(&l);
  if (status != ATTCERT_OK) answer->upper = INFINITY;
  return status;
}
