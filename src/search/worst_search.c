#include "search/worst_search.h"

#include "base/arrays.h"
#include "base/byte_text.h"
#include "base/progress_report.h"
#include "certify/plan.h"
#include "linalg/operator/lanczos.h"
#include "search/worst_ascent.h"
#include "search/worst_starts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void worst_result_clear(worst_result *result) {
  attcert_matrix_clear(&result->x);
  free(result->record);
  *result = (worst_result){0};
}

/* The layer with an input of this shape. */
static attcert_status check_shapes(const attcert_layer *layer, int n, attcert_error *err) {
  attcert_matrix zero;
  attcert_status status = attcert_matrix_init(&zero, n, layer->dim, err);
  if (status == ATTCERT_OK) status = attcert_layer_check(layer, &zero, err);
  attcert_matrix_clear(&zero);
  return status;
}

static attcert_status check_search_memory(const attcert_layer *layer, const worst_options *search,
                                          const attcert_options *options, attcert_error *err) {
  const uint64_t inputs = (uint64_t)search->tokens * (uint64_t)layer->dim, memory = plan_memory(options);
  const uint64_t needed = worst_attention_bytes(layer, search->tokens) +
                          worst_starts_bytes(layer, search->tokens, search->random) + lanczos_bytes((size_t)inputs) +
                          worst_ascent_bytes(layer, search->tokens);
  char text[BYTE_TEXT_SIZE], limit[BYTE_TEXT_SIZE];
  if (needed <= memory) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_RESOURCE, "the search over %d tokens needs %s, %s may be used", search->tokens,
                      byte_text(text, needed), byte_text(limit, memory));
}

/* ---- ascent ------------------------------------------------------------------------------------------------------ */

/* So many steps from every start; then the candidates, those with the largest norms, go on. */
enum { FIRST_STEPS = 20, CANDIDATES = 8 };

typedef struct {
  worst_result *result;
  worst_starts starts; /* record i of the result is of start i */
  worst_attention a;
  const worst_options *search;
  const attcert_options *options;
} ascent_run;

/* In a line "start 3 of 12"; done: the share of the whole search. */
static attcert_status show_progress(const ascent_run *c, int index, double done, attcert_error *err) {
  char stage[128];
  snprintf(stage, sizeof stage, "start %d of %d (%s)", index + 1, c->starts.count, c->starts.start[index].name);
  return progress_report(c->options, stage, done, err);
}

/* Start i goes on from where it is, by at most `steps` steps. */
static attcert_status ascend_from(ascent_run *c, int i, int steps, attcert_error *err) {
  worst_ascent report;
  worst_record *const record = &c->result->record[i];
  const ball_region ball = {.radius = c->search->radius, .kind = BALL_TOKEN};
  const attcert_status status = worst_ascend(&c->starts.start[i].x, NULL, &report, &c->a, NULL, &ball, steps, err);
  if (status != ATTCERT_OK) return status;
  if (record->steps == 0) record->before = report.before;
  record->after = report.after;
  record->steps += report.steps;
  return ATTCERT_OK;
}

static attcert_status ascend_all(ascent_run *c, int steps, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  const int count = c->starts.count;
  for (int i = 0; i < count && status == ATTCERT_OK; i++) {
    status = show_progress(c, i, 0.5 * i / count, err);
    snprintf(c->result->record[i].name, sizeof c->result->record[i].name, "%s", c->starts.start[i].name);
    if (status == ATTCERT_OK) status = ascend_from(c, i, steps, err);
  }
  return status;
}

/* Of the records not yet taken, the one with the largest norm; -1 when none is a number. */
static int best_record(const worst_result *result, const bool *taken) {
  int best = -1;
  for (int i = 0; i < result->count; i++) {
    const double value = result->record[i].after;
    if ((taken != NULL && taken[i]) || !isfinite(value)) continue;
    if (best < 0 || value > result->record[best].after) best = i;
  }
  return best;
}

static attcert_status ascend_candidates(ascent_run *c, int steps, attcert_error *err) {
  bool *const taken = array_new((size_t)c->starts.count, sizeof *taken, err, "a list of %d starts", c->starts.count);
  attcert_status status = ATTCERT_OK;
  if (taken == NULL) return ATTCERT_RESOURCE;
  for (int round = 0; round < CANDIDATES && status == ATTCERT_OK; round++) {
    const int i = best_record(c->result, taken);
    if (i < 0) break;
    taken[i] = true;
    status = show_progress(c, i, 0.5 + 0.5 * round / CANDIDATES, err);
    if (status == ATTCERT_OK) status = ascend_from(c, i, steps, err);
  }
  free(taken);
  return status;
}

static attcert_status ascend_and_choose(ascent_run *c, attcert_error *err) {
  worst_result *const result = c->result;
  result->count = c->starts.count;
  result->record =
      array_new((size_t)result->count, sizeof *result->record, err, "a record of %d starts", result->count);
  if (result->record == NULL) return ATTCERT_RESOURCE;
  const int steps = c->search->steps, first = steps < FIRST_STEPS ? steps : FIRST_STEPS;
  attcert_status status = ascend_all(c, first, err);
  if (status == ATTCERT_OK && steps > first) status = ascend_candidates(c, steps - first, err);
  if (status != ATTCERT_OK) return status;
  result->best = best_record(result, NULL);
  if (result->count == 0)
    return attcert_fail(err, ATTCERT_INPUT,
                        "no search is possible: the layer admits no construction, expected at least one random start");
  if (result->best < 0)
    return attcert_fail(err, ATTCERT_INPUT,
                        "no search is possible: attention in double overflows at each of %d starts, expected smaller "
                        "weights or a smaller radius than %g",
                        result->count, c->search->radius);
  result->x = c->starts.start[result->best].x;
  c->starts.start[result->best].x = (attcert_matrix){0};
  return ATTCERT_OK;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

attcert_status worst_search(worst_result *result, const attcert_layer *layer, const worst_options *search,
                            const attcert_options *options, attcert_error *err) {
  *result = (worst_result){.best = -1};
  ascent_run c = {.result = result, .search = search, .options = options};
  attcert_status status = check_shapes(layer, search->tokens, err);
  if (status == ATTCERT_OK) status = check_search_memory(layer, search, options, err);
  if (status == ATTCERT_OK) status = worst_attention_init(&c.a, layer, search->tokens, err);
  if (status == ATTCERT_OK)
    status = worst_starts_init(&c.starts, layer, search->tokens, search->radius, search->random, search->seed, err);
  if (status == ATTCERT_OK) status = ascend_and_choose(&c, err);
  worst_starts_clear(&c.starts);
  worst_attention_clear(&c.a);
  if (status == ATTCERT_OK)
    ball_region_enter(&result->x, NULL, &(ball_region){.radius = search->radius, .kind = BALL_TOKEN});
  else
    worst_result_clear(result);
  return status;
}
