#include "robust/verdict.h"

#include "base/byte_text.h"
#include "base/clock.h"
#include "base/memory.h"
#include "linalg/blas/blas_probe.h"
#include "linalg/norm/euclidean_norm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STARTS = 2, MOST_EVALUATIONS = 40, MOST_ATTACKS = 10, BLAS_BUFFER = 32 << 20 };

/* The steps of a first attempt, which takes less than a bound does. */
enum { FIRST_ATTACK = 10 };

typedef struct {
  robust_verdict *verdict;
  const network_steps *network;
  robust_ball ball; /* of the label that the center has */
  robust_watch watch;
  const robust_question *question;
  double margin;                      /* at X, of every execution where there is a format: what the bound starts from */
  double loss_certified, loss_failed; /* at these radii: that margin less the bound */
  bool last_certified;                /* how the last evaluation ended */
  int repeats;                        /* of that ending since the other one, after the first */
} reach;

/* What the steps from here on are for. */
static void begin_stage(reach *r, const char *what) {
  snprintf(r->watch.stage, sizeof r->watch.stage, "%s, radius %.4g", what, r->ball.region.radius);
}

/* ---- certified --------------------------------------------------------------------------------------------------- */

/* The bound at `radius`, into the verdict. */
static attcert_status try_radius(reach *r, double radius, attcert_error *err) {
  robust_verdict *const v = r->verdict;
  robust_margin bound;
  r->ball.region.radius = radius;
  begin_stage(r, "bound of the margin");
  const attcert_status status = robust_margin_improve(&bound, r->network, &r->ball, false,
                                                      r->question->radius > 0.0 || r->ball.region.box != NULL, err);
  if (status != ATTCERT_OK) {
    robust_margin_clear(&bound);
    return status;
  }
  const double loss = fmax(r->margin - bound.margin.lo, 0x1p-60 * r->margin);
  const bool certified = bound.margin.lo > 0.0;
  r->repeats = v->evaluations > 0 && certified == r->last_certified ? r->repeats + 1 : 0;
  r->last_certified = certified;
  v->evaluations++;
  if (certified || v->certified == 0.0) {
    robust_margin_clear(&v->bound);
    v->bound = bound;
  } else {
    robust_margin_clear(&bound);
  }
  if (certified) {
    v->certified = radius;
    r->loss_certified = loss;
  } else {
    v->failed = radius;
    r->loss_failed = loss;
  }
  return ATTCERT_OK;
}

/* Where the loss meets the margin: between the two radii a regula falsi in log loss over log radius, which grows faster
 * and faster, so that an end which stays counts half as much each time (the Illinois method); before there are two, a
 * power law. Off by a third of the tolerance towards the side that is still far. */
static double next_radius(const reach *r) {
  const robust_verdict *const v = r->verdict;
  const double margin = r->margin, third = 0.3 * r->question->relative;
  const double stale = ldexp(1.0, -r->repeats);
  if (v->certified == 0.0) {
    const double part = isfinite(r->loss_failed) ? pow(margin / r->loss_failed, 0.25) : 0.0;
    return v->failed * fmin(fmax(part, 0.125), 0.7);
  }
  if (!isfinite(v->failed))
    return v->certified * fmin(fmax(pow(margin / r->loss_certified, 0.4) * (1.0 - third), 1.05), 8.0);
  const double below = log(r->loss_certified / margin) * (r->last_certified ? 1.0 : stale);
  const double ratio = v->failed / v->certified;
  const double above =
      (isfinite(r->loss_failed) ? log(r->loss_failed / margin) : 4.0) * (r->last_certified ? stale : 1.0);
  const double part = below / (below - above), nudge = third / log(ratio);
  return v->certified * pow(ratio, fmin(fmax(part + (part < 0.5 ? nudge : -nudge), 0.1), 0.9));
}

/* An eighth of the first-order limit, or a twentieth of the longest word that moves. */
static double first_radius(const reach *r) {
  const attcert_matrix *const x = r->ball.input;
  double longest = 0.0;
  for (int i = 0; i < x->rows; i++) {
    if (ball_region_moves(&r->ball.region, i))
      longest = fmax(longest, euclidean_norm(x->data + (size_t)i * (size_t)x->cols, x->cols));
  }
  const double radius = fmin(r->verdict->first_order / 8.0, 0.05 * longest);
  return isfinite(radius) && radius > 0.0 ? radius : 1.0;
}

static attcert_status search_certified(reach *r, attcert_error *err) {
  robust_verdict *const v = r->verdict;
  double radius = first_radius(r);
  attcert_status status = ATTCERT_OK;
  while (status == ATTCERT_OK && v->evaluations < MOST_EVALUATIONS) {
    status = try_radius(r, radius, err);
    if (v->certified > 0.0 && v->failed <= v->certified * (1.0 + r->question->relative)) break;
    radius = next_radius(r);
    if (!(radius > 0x1p-300 && radius < 0x1p100)) break;
  }
  return status;
}

/* ---- refuted ----------------------------------------------------------------------------------------------------- */

/* Takes the input (which becomes empty) as a counterexample where its margin, enclosed, is below 0. */
static attcert_status refute(reach *r, attcert_matrix *moved, double radius, attcert_error *err) {
  robust_verdict *const v = r->verdict;
  robust_gradient g;
  const robust_gradient_place at = {.x = moved, .label = r->ball.label, .watch = &r->watch};
  const attcert_status status = robust_gradient_enclose(&g, r->network, &at, err);
  if (status == ATTCERT_OK && g.margin.hi < 0.0) {
    attcert_matrix_clear(&v->counterexample);
    v->counterexample = *moved;
    v->counterexample_margin = g.margin;
    v->counterexample_rival = g.rival;
    v->refuted = radius;
    *moved = (attcert_matrix){0};
  }
  return status;
}

/* Ascents of so many steps in the ball of this radius; *flips where one ends below 0, the input then in *found. */
static attcert_status attack(reach *r, double radius, int steps, int starts, attcert_matrix *found, bool *flips,
                             attcert_error *err) {
  const robust_ascent ascent = {.steps = steps, .starts = starts, .seed = 1};
  attcert_matrix moved;
  double margin;
  r->ball.region.radius = radius;
  *flips = false;
  begin_stage(r, "search for an input that flips");
  const attcert_status status = robust_ascent_run(&moved, &margin, r->network, &r->ball, &ascent, err);
  *flips = status == ATTCERT_OK && margin < 0.0;
  if (*flips) {
    attcert_matrix_clear(found);
    *found = moved;
  } else {
    attcert_matrix_clear(&moved);
  }
  return status;
}

static attcert_status search_refuted(reach *r, attcert_error *err) {
  robust_verdict *const v = r->verdict;
  const double start = isfinite(v->first_order) ? v->first_order : 1.0;
  double above = INFINITY, below = v->certified, radius = fmax(start, 2.0 * below);
  attcert_matrix moved = {0};
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < MOST_ATTACKS && status == ATTCERT_OK && above > below * (1.0 + r->question->relative); i++) {
    bool flips;
    status = attack(r, radius, r->question->attack, STARTS, &moved, &flips, err);
    if (flips)
      above = radius;
    else
      below = radius;
    if (!isfinite(above) && radius > 64.0 * start) break;
    radius = isfinite(above) ? (below > 0.0 ? sqrt(above * below) : above / 2.0) : 2.0 * radius;
  }
  if (status == ATTCERT_OK && moved.data != NULL) status = refute(r, &moved, above, err);
  attcert_matrix_clear(&moved);
  return status;
}

static attcert_status refute_at(reach *r, double radius, int steps, int starts, attcert_error *err) {
  attcert_matrix moved = {0};
  bool flips;
  attcert_status status = attack(r, radius, steps, starts, &moved, &flips, err);
  if (status == ATTCERT_OK && flips) status = refute(r, &moved, radius, err);
  attcert_matrix_clear(&moved);
  return status;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* X itself has another class: every radius is refuted. */
static attcert_status refute_center(reach *r, attcert_error *err) {
  const attcert_matrix *const x = r->ball.input;
  attcert_matrix copy;
  attcert_status status = attcert_matrix_init(&copy, x->rows, x->cols, err);
  if (status != ATTCERT_OK) return status;
  memcpy(copy.data, x->data, (size_t)x->rows * (size_t)x->cols * sizeof(double));
  status = refute(r, &copy, 0.0, err);
  attcert_matrix_clear(&copy);
  return status;
}

attcert_status robust_verdict_memory(uint64_t *memory, const robust_question *question, attcert_error *err) {
  const uint64_t limit = question->memory, before = question->held;
  const uint64_t held = memory_add(before > 0 ? before : memory_peak(), BLAS_BUFFER);
  char needed[BYTE_TEXT_SIZE];
  if (limit > 0 && limit <= held)
    return attcert_fail(err, ATTCERT_RESOURCE, "the network and BLAS take about %s, expected a memory limit above that",
                        byte_text(needed, held));
  *memory = (limit > 0 ? limit - held : memory_available()) / 10 * 9;
  if (question->sharing > 1) *memory /= (uint64_t)question->sharing;
  return ATTCERT_OK;
}

/* The margin at X in every execution. Where it may be negative there, so it may in every ball: the bound at X itself is
 * the one that failed. */
static attcert_status execute_center(reach *r, attcert_error *err) {
  robust_verdict *const v = r->verdict;
  robust_margin bound;
  r->ball.region.radius = 0.0;
  begin_stage(r, "executions at the input");
  const attcert_status status = robust_margin_evaluate(&bound, r->network, &r->ball, err);
  v->executed = bound.margin;
  r->margin = bound.margin.lo;
  if (status != ATTCERT_OK || r->margin > 0.0) {
    robust_margin_clear(&bound);
    return status;
  }
  v->evaluations++;
  v->failed = 0.0;
  v->bound = bound;
  return status;
}

/* One radius: by an attack that succeeds soon, the bound, and all of the attack. */
static attcert_status answer_radius(reach *r, double radius, attcert_error *err) {
  const robust_verdict *const v = r->verdict;
  const int steps = r->question->attack;
  attcert_status status =
      steps > 0 ? refute_at(r, radius, steps < FIRST_ATTACK ? steps : FIRST_ATTACK, 1, err) : ATTCERT_OK;
  if (status == ATTCERT_OK && r->margin > 0.0 && !isfinite(v->refuted)) status = try_radius(r, radius, err);
  if (status != ATTCERT_OK || steps == 0 || isfinite(v->refuted) || v->certified > 0.0) return status;
  return refute_at(r, radius, steps, STARTS, err);
}

static attcert_status answer(reach *r, attcert_error *err) {
  const double radius = r->ball.region.box != NULL ? 1.0 : r->question->radius;
  attcert_status status = ATTCERT_OK;
  if (r->verdict->center.margin.hi < 0.0) return refute_center(r, err);
  r->margin = r->verdict->center.margin.lo;
  if (r->ball.format != NULL) status = execute_center(r, err);
  if (status != ATTCERT_OK) return status;
  if (radius > 0.0) return answer_radius(r, radius, err);
  if (r->margin > 0.0) status = search_certified(r, err);
  return status == ATTCERT_OK && r->question->attack > 0 ? search_refuted(r, err) : status;
}

attcert_status robust_verdict_reach(robust_verdict *verdict, const network_steps *network, const robust_ball *ball,
                                    const robust_question *question, attcert_error *err) {
  const double start = clock_seconds();
  reach r = {.verdict = verdict,
             .network = network,
             .ball = *ball,
             .question = question,
             .watch = {question->progress, question->progress_context, "margin and gradient"}};
  r.ball.watch = &r.watch;
  *verdict = (robust_verdict){.executed = {-INFINITY, INFINITY}, .failed = INFINITY, .refuted = INFINITY};
  const robust_gradient_place at = {ball->input, &ball->region, ball->label, &r.watch};
  attcert_status status = blas_probe_once(err);
  if (status == ATTCERT_OK) status = robust_gradient_enclose(&verdict->center, network, &at, err);
  if (status == ATTCERT_OK) {
    r.ball.label = verdict->center.label;
    verdict->first_order = verdict->center.margin.lo / verdict->center.norm.hi;
    if (!(verdict->first_order > 0.0)) verdict->first_order = INFINITY;
    status = robust_verdict_memory(&r.ball.memory, question, err);
    if (status == ATTCERT_OK) status = answer(&r, err);
  }
  verdict->seconds = clock_seconds() - start;
  return status;
}

attcert_status robust_verdict_verify(robust_margin *bound, const network_steps *network, const robust_ball *ball,
                                     const robust_question *question, attcert_error *err) {
  const robust_watch watch = {question->progress, question->progress_context, "bound of the margin"};
  robust_ball at = *ball;
  at.watch = &watch;
  *bound = (robust_margin){0};
  attcert_status status = blas_probe_once(err);
  if (status == ATTCERT_OK) status = robust_verdict_memory(&at.memory, question, err);
  if (status != ATTCERT_OK) return status;
  return robust_margin_improve(bound, network, &at, ball->found != NULL && ball->found->narrowed, true, err);
}

attcert_status robust_verdict_status(const robust_verdict *v, bool searching) {
  if (v->certified > 0.0) return ATTCERT_OK;
  const bool refuted = v->counterexample.data != NULL && (!searching || v->refuted == 0.0);
  return refuted ? ATTCERT_NEGATIVE : ATTCERT_UNDECIDED;
}

void robust_verdict_clear(robust_verdict *verdict) {
  robust_margin_clear(&verdict->bound);
  attcert_matrix_clear(&verdict->counterexample);
}
