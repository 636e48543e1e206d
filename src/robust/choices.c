#include "robust/choices.h"

#include "base/arrays.h"
#include "base/clock.h"
#include "linalg/blas/blas_probe.h"
#include "robust/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void robust_choices_clear(robust_choices *c) {
  free(c->first);
  free(c->row);
  free(c->moves);
  free(c->pick);
  attcert_matrix_clear(&c->middle);
  *c = (robust_choices){0};
}

static int count_of(const robust_choices *c, int i) {
  return c->first[i + 1] - c->first[i];
}

static const double *row_of(const robust_choices *c, int i, int choice) {
  return c->row + (size_t)(c->first[i] + choice) * (size_t)c->dim;
}

/* Any c_i will do: the mean, in double. */
static void find_middle(robust_choices *c) {
  for (int i = 0; i < c->tokens; i++) {
    double *const to = c->middle.data + (size_t)i * (size_t)c->dim;
    for (int k = 0; k < c->dim; k++) {
      for (int j = 0; j < count_of(c, i); j++) to[k] += row_of(c, i, j)[k] / count_of(c, i);
      if (count_of(c, i) == 1) to[k] = row_of(c, i, 0)[k];
    }
  }
}

attcert_status robust_choices_init(robust_choices *c, int tokens, int dim, const int *first, const double *row,
                                   attcert_error *err) {
  const size_t n = (size_t)tokens, all = (size_t)first[tokens];
  *c = (robust_choices){.tokens = tokens, .dim = dim, .combinations = 1.0};
  const array_table table = {
      {ARRAY(c->first, n + 1), ARRAY(c->row, all, (size_t)dim), ARRAY(c->moves, n), ARRAY(c->pick, n)}};
  attcert_status status = array_table_allocate(&table, err, "%zu choices of rows", all);
  if (status == ATTCERT_OK) status = attcert_matrix_init(&c->middle, tokens, dim, err);
  if (status != ATTCERT_OK) return status;
  memcpy(c->first, first, (n + 1) * sizeof *first);
  memcpy(c->row, row, all * (size_t)dim * sizeof *row);
  for (int i = 0; i < tokens; i++) {
    c->moves[i] = count_of(c, i) > 1;
    c->combinations *= count_of(c, i);
  }
  find_middle(c);
  c->hull = (ball_hull){c->first, c->row};
  if (c->combinations > 1.0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "synonyms: every token has one choice, expected several of some token");
}

/* ---- one combination --------------------------------------------------------------------------------------------- */

typedef struct {
  robust_verdict *verdict;
  robust_choices *c;
  const network_steps *network;
  const robust_watch *watch;
  attcert_matrix x;
  int *pick;
  int label;
} search;

static void put_combination(search *s) {
  const size_t row = (size_t)s->c->dim * sizeof(double);
  for (int i = 0; i < s->c->tokens; i++)
    memcpy(s->x.data + (size_t)i * (size_t)s->c->dim, row_of(s->c, i, s->pick[i]), row);
}

/* The margin of the picks, enclosed; one below 0 is the counterexample. */
static attcert_status enclose(range *margin, search *s, attcert_error *err) {
  robust_verdict *const v = s->verdict;
  robust_gradient g;
  const robust_gradient_place at = {.x = &s->x, .label = s->label, .watch = s->watch};
  put_combination(s);
  attcert_status status = robust_gradient_enclose(&g, s->network, &at, err);
  *margin = g.margin;
  s->c->evaluated++;
  if (status != ATTCERT_OK || !(g.margin.hi < 0.0)) return status;
  v->refuted = 0.0;
  v->counterexample_margin = g.margin;
  v->counterexample_rival = g.rival;
  v->counterexample = s->x;
  memcpy(s->c->pick, s->pick, (size_t)s->c->tokens * sizeof *s->pick);
  s->x = (attcert_matrix){0};
  return ATTCERT_OK;
}

/* The next combination; false behind the last one. */
static bool next_combination(search *s) {
  for (int i = 0; i < s->c->tokens; i++) {
    if (++s->pick[i] < count_of(s->c, i)) return true;
    s->pick[i] = 0;
  }
  return false;
}

static attcert_status enumerate_all(search *s, attcert_error *err) {
  range all = {INFINITY, INFINITY}, margin;
  attcert_status status = ATTCERT_OK;
  s->c->enumerated = true;
  do {
    status = robust_watch_report(s->watch, (double)s->c->evaluated / s->c->combinations, err);
    if (status == ATTCERT_OK) status = enclose(&margin, s, err);
    if (status != ATTCERT_OK) return status;
    all.lo = range_smaller(all.lo, margin.lo);
    all.hi = range_smaller(all.hi, margin.hi);
  } while (isinf(s->verdict->refuted) && next_combination(s));
  if (isfinite(s->verdict->refuted)) return ATTCERT_OK;
  s->verdict->bound.margin = all;
  s->verdict->certified = all.lo > 0.0 ? 1.0 : 0.0;
  return ATTCERT_OK;
}

/* ---- the hull ---------------------------------------------------------------------------------------------------- */

static ball_region region_of(const robust_choices *c) {
  return (ball_region){.radius = 1.0, .kind = BALL_TOKEN_SUM, .moves = c->moves, .hull = &c->hull};
}

static attcert_status bound_hull(search *s, const robust_question *question, attcert_error *err) {
  robust_verdict *const v = s->verdict;
  uint64_t memory;
  attcert_status status = robust_verdict_memory(&memory, question, err);
  if (status != ATTCERT_OK) return status;
  const robust_ball ball = {
      .input = &s->c->middle, .region = region_of(s->c), .label = s->label, .memory = memory, .watch = s->watch};
  status = robust_margin_evaluate(&v->bound, s->network, &ball, err);
  v->evaluations++;
  if (status == ATTCERT_OK) v->certified = v->bound.margin.lo > 0.0 ? 1.0 : 0.0;
  return status;
}

/* In double: row by row the choice that lowers the margin most, until none does. */
static attcert_status descend(search *s, int sweeps, attcert_error *err) {
  double least = INFINITY;
  bool lower = true;
  attcert_status status = ATTCERT_OK;
  for (int sweep = 0; sweep < sweeps && lower && status == ATTCERT_OK; sweep++) {
    lower = false;
    for (int i = 0; i < s->c->tokens && status == ATTCERT_OK; i++) {
      int best = s->pick[i];
      status = robust_watch_report(s->watch, (double)i / s->c->tokens, err);
      for (int j = 0; j < count_of(s->c, i) && count_of(s->c, i) > 1 && status == ATTCERT_OK; j++) {
        double margin;
        s->pick[i] = j;
        put_combination(s);
        status = robust_values_margin(&margin, &s->label, NULL, s->network, &s->x, err);
        if (status != ATTCERT_OK || !(margin < least)) continue;
        least = margin;
        best = j;
        lower = true;
      }
      s->pick[i] = best;
    }
  }
  return status;
}

static attcert_status answer(search *s, const robust_question *question, int enumerate, attcert_error *err) {
  range margin;
  if (s->c->combinations <= enumerate) return enumerate_all(s, err);
  attcert_status status = bound_hull(s, question, err);
  if (status != ATTCERT_OK || s->verdict->certified > 0.0 || question->attack == 0) return status;
  status = descend(s, question->attack, err);
  return status == ATTCERT_OK ? enclose(&margin, s, err) : status;
}

attcert_status robust_choices_decide(robust_verdict *verdict, robust_choices *c, const network_steps *network,
                                     robust_ball *ball, const robust_question *question, int enumerate,
                                     attcert_error *err) {
  const double start = clock_seconds();
  robust_watch watch = {question->progress, question->progress_context, "combinations of words"};
  search s = {.verdict = verdict, .c = c, .network = network, .watch = &watch};
  *verdict = (robust_verdict){.executed = {-INFINITY, INFINITY}, .failed = INFINITY, .refuted = INFINITY};
  c->evaluated = 0;
  c->enumerated = false;
  ball->region = region_of(c);
  const robust_gradient_place at = {.x = ball->input, .label = ball->label, .watch = &watch};
  attcert_status status = blas_probe_once(err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(&s.x, c->tokens, c->dim, err);
  s.pick = array_new((size_t)c->tokens, sizeof *s.pick, err, "a choice for each of %d tokens", c->tokens);
  if (s.pick == NULL) status = ATTCERT_RESOURCE;
  if (status == ATTCERT_OK) status = robust_gradient_enclose(&verdict->center, network, &at, err);
  s.label = verdict->center.label;
  verdict->first_order = INFINITY;
  if (status == ATTCERT_OK) status = answer(&s, question, enumerate, err);
  attcert_matrix_clear(&s.x);
  free(s.pick);
  verdict->seconds = clock_seconds() - start;
  return status;
}
