#include "randomized/randomized_upper.h"

#include "base/progress_report.h"
#include "randomized/randomized_pilot.h"
#include "randomized/randomized_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How close the end has come is looked at every LOOK steps. */
enum { LOOK = 4, STARTS_LEAST = 4, STEPS_USUAL = 64, ATTEMPTS_MOST = 2 };

/* What roundings leave of B, relative to error / lambda, at the width w: FLOOR / sqrt(w) where eigenvalues are dense,
 * FLOOR_OF_ONE / w where the largest is alone. A start's threshold is to be above. Measured, and nothing depends on
 * them but the time. */
static const double FLOOR = 6.0, FLOOR_OF_ONE = 0.125;

/* Widths beyond which those are not measured, and the largest eigenvalue of what is left beside that of G below which
 * more starts would not be needed. */
static const double WIDEST = 0.5, LEAST_REST = 0.0625;

/* A bound that LOOK steps bring less than this share of the way to what is asked will not get there. */
static const double STALLED = 1e-3;

uint64_t randomized_upper_bytes(size_t length) {
  return randomized_lanczos_bytes(length, RANDOMIZED_STARTS_MOST, STEPS_USUAL) + length * sizeof(double);
}

/* The fewest starts whose threshold stands out of the roundings where an end at `width` above the largest eigenvalue,
 * about `value`, is asked for, or the most: products are what costs, and they are about starts ln(sqrt(N)) + ln(1 /
 * failure). */
static int choose_starts(const randomized_operator *g, double failure_log2, double value, double width) {
  const double left = fmax(FLOOR / sqrt(width), FLOOR_OF_ONE / width);
  const double noise = left * g->error / value * sqrt((double)g->length);
  int starts = STARTS_LEAST;
  while (starts < RANDOMIZED_STARTS_MOST && !(randomized_start_threshold(failure_log2, starts, g->length) > noise))
    starts++;
  while (starts < RANDOMIZED_STARTS_MOST && g->parts > 1 && starts % g->parts != 0) starts++;
  return starts;
}

/* Recurrences of what is left of G under way. */
typedef struct {
  randomized_lanczos l;
  randomized_question *question;
  const randomized_deflation *found; /* a direction whose Rayleigh quotient of G is found->sigma */
  randomized_deflation less;         /* the same, or nothing */
  double t;                          /* the threshold of a start, not scaled */
  double of_first, largest;          /* Ritz values of what is left */
} bounding;

/* The Ritz values: the first start's, and the largest. What is left is no more than G, so that they estimate that from
 * below, too. */
static attcert_status find_estimates(randomized_answer *a, bounding *b, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (int s = 0; s < b->l.starts && status == ATTCERT_OK; s++) {
    double value;
    status = randomized_lanczos_ritz(&value, NULL, &b->l, s, 0, err);
    if (s == 0) b->of_first = value;
    if (status == ATTCERT_OK) b->largest = s == 0 ? value : fmax(b->largest, value);
  }
  a->of_vector = fmax(b->found->sigma, b->of_first);
  a->estimate = fmax(a->estimate, fmax(b->found->sigma, b->largest));
  a->steps = b->l.steps;
  return status;
}

/* Of ATTEMPTS_MOST, of which one being wrong makes the end wrong. */
static double failure_of_attempt(const randomized_question *question) {
  return question->failure_log2 - log2(ATTEMPTS_MOST);
}

static double threshold_of(const randomized_lanczos *l, int s, double t) {
  return ldexp(t, -l->exponent[s]);
}

/* An end that all starts exclude is wrong only if each has a component of at most t. */
static bool excludes(const bounding *b, double mu) {
  bool excluded = mu > 0.0;
  for (int s = 0; s < b->l.starts && excluded; s++)
    excluded = randomized_bound_excludes(&b->l.recurrence[s], mu, threshold_of(&b->l, s, b->t));
  return excluded;
}

/* About the least such end. */
static double least_excluded(const bounding *b) {
  double mu = 0.0;
  for (int s = 0; s < b->l.starts; s++) {
    const randomized_recurrence *const r = &b->l.recurrence[s];
    const double threshold = threshold_of(&b->l, s, b->t);
    /* The first term of B alone is rho_0 / (lam - alpha_0). */
    mu = fmax(mu, randomized_bound_least(r, fmax(b->largest, r->residual[0] / threshold), threshold));
  }
  return mu > 0.0 ? mu : INFINITY;
}

/* An end for G from a vector's Rayleigh quotient, to be reached: lower ends come from the vector, by roundings below
 * its value. Nothing that can be reached is left where they take most of the width. */
static double end_asked_for(double of_vector, const randomized_question *question) {
  const double width = question->width * (1.0 - 0x1p-10), left = width - question->loss / sqrt(of_vector);
  const double asked = fmax(left, 0.5 * width);
  return of_vector * (1.0 + asked) * (1.0 + asked);
}

static double width_of(double end, const randomized_answer *a) {
  return sqrt(end / a->of_vector) - 1.0;
}

static attcert_status run(randomized_answer *a, bounding *b, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  randomized_lanczos *const l = &b->l;
  const int most = l->g->length < RANDOMIZED_STEPS_MOST ? (int)l->g->length + 1 : RANDOMIZED_STEPS_MOST;
  double before = INFINITY;
  while (status == ATTCERT_OK && l->steps < most) {
    status = progress_report(b->question->options, "recurrences from random starts", 0.0, err);
    if (status == ATTCERT_OK) status = randomized_lanczos_step(l, err);
    if (status == ATTCERT_OK) status = find_estimates(a, b, err);
    if (status != ATTCERT_OK) break;
    const double asked = end_asked_for(a->of_vector, b->question);
    const bool reached = excludes(b, randomized_deflation_mu(&b->less, asked));
    const bool last = l->steps == most || randomized_lanczos_ended(l);
    if (reached) a->upper = fmin(a->upper, asked);
    if (!reached && !last && l->steps % LOOK != 0) continue;
    const double end = randomized_deflation_end(&b->less, least_excluded(b)), width = width_of(end, a);
    a->upper = fmin(a->upper, end);
    if (reached || last || before - width < STALLED * (before - b->question->width)) break;
    before = width;
  }
  return status;
}

/* The better of the two vectors. */
static attcert_status choose_vector(double *vector, const bounding *b, attcert_error *err) {
  double weight[RANDOMIZED_STEPS_MOST], value;
  if (b->found->sigma >= b->of_first) {
    memcpy(vector, b->found->v, b->found->length * sizeof *vector);
    return ATTCERT_OK;
  }
  const attcert_status status = randomized_lanczos_ritz(&value, weight, &b->l, 0, 0, err);
  if (status == ATTCERT_OK) randomized_lanczos_combine(vector, weight, &b->l);
  return status;
}

/* Takes the direction out where that leaves at least half of what is asked to the bound of what is left. */
static void take_out(bounding *b) {
  const double sigma = b->found->sigma, asked = end_asked_for(sigma, b->question);
  b->less = *b->found;
  if (!(sigma > 0.0 && 2.0 * randomized_deflation_mu(&b->less, asked) >= asked + sigma)) b->less.sigma = 0.0;
}

/* Starts, and the distance above what is left that its end has to be found in, as a width. */
typedef struct {
  int starts;
  double width;
} effort;

/* If the largest eigenvalue of what is left is about the pilot's next one. */
static effort effort_for_rest(const bounding *b, const randomized_operator *g, const randomized_pilot *p) {
  if (b->less.sigma == 0.0) return (effort){RANDOMIZED_STARTS_MOST, b->question->width};
  const double rest = fmax(p->rest, LEAST_REST * p->top);
  const double mu = randomized_deflation_mu(&b->less, end_asked_for(b->less.sigma, b->question));
  const double width = fmin(WIDEST, sqrt(mu / rest) - 1.0);
  return (effort){choose_starts(g, failure_of_attempt(b->question), rest, width), width};
}

/* Whether starts would take more products than they may: about ln(2 sqrt(N) / t) / sqrt(8 width) steps each. */
static bool takes_too_many(const bounding *b, const randomized_operator *g, effort e) {
  const double t = randomized_start_threshold(failure_of_attempt(b->question), e.starts, g->length);
  const double products = e.starts * log(2.0 * sqrt((double)g->length) / t) / sqrt(8.0 * e.width);
  return b->question->most_products > 0.0 && !(products <= b->question->most_products);
}

static attcert_status attempt(randomized_answer *a, double *vector, bounding *b, const randomized_operator *rest,
                              attcert_error *err) {
  b->t = randomized_start_threshold(failure_of_attempt(b->question), a->starts, rest->length);
  attcert_status status = randomized_lanczos_init(&b->l, rest, a->starts, &b->question->bits, err);
  if (status == ATTCERT_OK) status = run(a, b, err);
  if (status == ATTCERT_OK) status = choose_vector(vector, b, err);
  randomized_lanczos_clear(&b->l);
  return status;
}

/* Few starts, as many as do where what is left is well below the direction's value; where that is not so, or they were
 * not enough, as many as any G needs, which is about right: where those were not enough, the most. */
static attcert_status bound_rest(randomized_answer *a, double *vector, const randomized_operator *g,
                                 randomized_question *question, const randomized_pilot *p, attcert_error *err) {
  bounding b = {.question = question, .found = &p->found};
  randomized_operator rest = *g;
  take_out(&b);
  rest.less = &b.less;
  const effort any = {choose_starts(g, failure_of_attempt(question), p->top, question->width), question->width};
  const effort few = effort_for_rest(&b, g, p), first = few.starts <= any.starts ? few : any;
  a->starts = first.starts;
  if (takes_too_many(&b, g, first)) {
    b.of_first = -INFINITY;
    a->of_vector = a->estimate = p->found.sigma;
    return choose_vector(vector, &b, err);
  }
  attcert_status status = attempt(a, vector, &b, &rest, err);
  const effort more = {first.starts < any.starts ? any.starts : RANDOMIZED_STARTS_MOST, question->width};
  if (status != ATTCERT_OK || first.starts == more.starts || width_of(a->upper, a) <= question->width) return status;
  if (first.starts == any.starts && takes_too_many(&b, g, more)) return status;
  a->starts = more.starts;
  return attempt(a, vector, &b, &rest, err);
}

attcert_status randomized_upper(randomized_answer *answer, double *vector, const randomized_operator *g,
                                randomized_question *question, attcert_error *err) {
  randomized_pilot p;
  *answer = (randomized_answer){.upper = INFINITY};
  attcert_status status = randomized_pilot_run(&p, g, question->width, &question->bits, question->options, err);
  if (status == ATTCERT_OK) status = bound_rest(answer, vector, g, question, &p, err);
  free(p.found.v);
  if (status != ATTCERT_OK) answer->upper = INFINITY;
  return status;
}
