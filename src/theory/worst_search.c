#include "theory/worst_search.h"

#include "certify/lanczos.h"
#include "certify/plan.h"
#include "theory/worst_ascent.h"
#include "theory/worst_ball.h"
#include "theory/worst_starts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void worst_result_clear(worst_result *result) {
  attcert_matrix_clear(&result->x);
  free(result->record);
  *result = (worst_result){0};
}

/* The layer with an input of this shape. */
static attcert_status check_layer(const attcert_layer *layer, int n, attcert_error *err) {
  attcert_matrix zero;
  attcert_status status = attcert_matrix_init(&zero, n, layer->dim, err);
  if (status == ATTCERT_OK) status = attcert_layer_check(layer, &zero, err);
  attcert_matrix_clear(&zero);
  return status;
}

static attcert_status check_memory(const attcert_layer *layer, const worst_options *search,
                                   const attcert_options *options, attcert_error *err) {
  const uint64_t inputs = (uint64_t)search->tokens * (uint64_t)layer->dim, memory = plan_memory(options);
  const uint64_t needed = worst_attention_bytes(layer, search->tokens) +
                          worst_starts_bytes(layer, search->tokens, search->random) + lanczos_bytes((size_t)inputs) +
                          8 * inputs * sizeof(double);
  if (needed <= memory) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_RESOURCE, "the search over %d tokens needs %llu bytes, %llu may be used",
                      search->tokens, (unsigned long long)needed, (unsigned long long)memory);
}

static void show_progress(const attcert_options *options, const char *name, int index, int count) {
  char stage[128];
  if (options->progress == NULL) return;
  snprintf(stage, sizeof stage, "start %d of %d (%s)", index + 1, count, name);
  options->progress(options->progress_context, stage, (double)index / count);
}

/* x takes the place of the best so far when it is better. */
static void keep_better(worst_result *result, attcert_matrix *x, int index) {
  const double value = result->record[index].after;
  if (!isfinite(value) || (result->best >= 0 && value <= result->record[result->best].after)) return;
  attcert_matrix_clear(&result->x);
  result->x = *x;
  *x = (attcert_matrix){0};
  result->best = index;
}

static attcert_status climb_from(worst_result *result, worst_start *start, worst_attention *a,
                                 const worst_options *search, attcert_error *err) {
  worst_climb climb;
  worst_record *const record = &result->record[result->count];
  const attcert_status status = worst_ascend(&start->x, &climb, a, search->radius, search->steps, err);
  if (status != ATTCERT_OK) return status;
  *record = (worst_record){.before = climb.before, .after = climb.after, .steps = climb.steps};
  snprintf(record->name, sizeof record->name, "%s", start->name);
  keep_better(result, &start->x, result->count++);
  return ATTCERT_OK;
}

static attcert_status climb_from_all(worst_result *result, worst_starts *starts, worst_attention *a,
                                     const worst_options *search, const attcert_options *options, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  result->record = calloc((size_t)starts->count + 1, sizeof(worst_record));
  if (result->record == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %d starts", starts->count);
  for (int i = 0; i < starts->count && status == ATTCERT_OK; i++) {
    show_progress(options, starts->start[i].name, i, starts->count);
    status = climb_from(result, &starts->start[i], a, search, err);
  }
  if (status != ATTCERT_OK || result->best >= 0) return status;
  if (result->count == 0)
    return attcert_fail(err, ATTCERT_INPUT,
                        "no search is possible: the layer admits no construction, expected at least "
                        "one random start");
  return attcert_fail(err, ATTCERT_INPUT,
                      "no search is possible: attention in double overflows at each of %d starts, expected smaller "
                      "weights or a smaller radius than %g",
                      result->count, search->radius);
}

attcert_status worst_search(worst_result *result, const attcert_layer *layer, const worst_options *search,
                            const attcert_options *options, attcert_error *err) {
  *result = (worst_result){.best = -1};
  worst_attention a = {0};
  worst_starts starts = {0};
  attcert_status status = check_layer(layer, search->tokens, err);
  if (status == ATTCERT_OK) status = check_memory(layer, search, options, err);
  if (status == ATTCERT_OK) status = worst_attention_init(&a, layer, search->tokens, err);
  if (status == ATTCERT_OK)
    status = worst_starts_init(&starts, layer, search->tokens, search->radius, search->random, search->seed, err);
  if (status == ATTCERT_OK) status = climb_from_all(result, &starts, &a, search, options, err);
  worst_starts_clear(&starts);
  worst_attention_clear(&a);
  if (status == ATTCERT_OK)
    worst_ball_enter(&result->x, search->radius);
  else
    worst_result_clear(result);
  return status;
}
