#include "robust/margin_back.h"

#include "base/arrays.h"
#include "robust/lower_slopes.h"
#include "robust/split_search.h"

#include <stdlib.h>
#include <string.h>

/* What branch and bound may take: so many open entries, and bounds of parts that take WORK multiplications, about, for
 * each step of an ascent; minutes. */
enum { SLOPE_STEPS = 30, MOST_OPEN = 1000, MOST_PARTS = 50000 };
#define WORK 1e10

int robust_back_lowest(const double *low, int label, int classes) {
  int best = label == 0 ? 1 : 0;
  for (int c = best + 1; c < classes; c++) {
    if (c != label && low[c] < low[best]) best = c;
  }
  return best;
}

typedef struct {
  const robust_back *of;
  robust_lower lower;
  split_model model; /* from the first time on that it is needed: without symbols before */
  double *w;         /* [classes] */
} back;

/* What is left for what is found. */
static uint64_t room_left(const robust_back *of) {
  const uint64_t taken = robust_found_bytes(of->found);
  return taken < ROBUST_FOUND_BYTES ? ROBUST_FOUND_BYTES - taken : 0;
}

/* ---- walks ------------------------------------------------------------------------------------------------------- */

static attcert_status keep_slopes(back *b, int other, attcert_error *err) {
  const size_t slopes = robust_lower_slopes(&b->lower);
  robust_found_difference *to;
  if (slopes == 0 || slopes * sizeof *to->slope > room_left(b->of)) return ATTCERT_OK;
  const attcert_status status = robust_found_add(&to, b->of->found, other, err);
  if (status != ATTCERT_OK) return status;
  to->slope = array_new(slopes, sizeof *to->slope, err, "%zu slopes", slopes);
  if (to->slope == NULL) return ATTCERT_RESOURCE;
  to->slopes = slopes;
  robust_lower_slopes_take(to->slope, &b->lower);
  return ATTCERT_OK;
}

static attcert_status walk(double *bound, back *b, int other, attcert_error *err) {
  const robust_back *const of = b->of;
  attcert_status status = robust_lower_search(bound, &b->lower, of->network->count, b->w, SLOPE_STEPS, of->watch, err);
  if (status == ATTCERT_OK && *bound > 0.0) status = keep_slopes(b, other, err);
  return status;
}

static attcert_status walk_again(double *bound, back *b, const robust_found_difference *known, attcert_error *err) {
  robust_lower_slopes_put(&b->lower, known->slope);
  const attcert_status status = robust_lower_bound(&b->lower, b->of->network->count, b->w, err);
  *bound = b->lower.best[0];
  return status;
}

/* ---- branch and bound -------------------------------------------------------------------------------------------- */

static attcert_status search_parts(double *bound, back *b, const split_row *row, int other, attcert_error *err) {
  const split_model *const m = &b->model;
  const double parts = WORK / ((double)m->open.count * (m->columns + m->open.count));
  robust_found_difference *to;
  split_tree tree;
  attcert_status status = split_search(bound, &tree, m, row, (int)fmin(parts, MOST_PARTS), b->of->watch, err);
  if (status == ATTCERT_OK && *bound > 0.0) {
    const uint64_t room = room_left(b->of);
    status = robust_found_add(&to, b->of->found, other, err);
    if (status == ATTCERT_OK) status = split_tree_write(to, &tree, room, err);
  }
  split_tree_clear(&tree);
  return status;
}

/* By the parts that are known, or a search for them. */
static attcert_status branch(double *bound, back *b, int other, const robust_found_difference *known,
                             attcert_error *err) {
  const robust_back *const of = b->of;
  split_model *const m = &b->model;
  split_row row;
  attcert_status status = ATTCERT_OK;
  *bound = -INFINITY;
  if (m->symbols == NULL) {
    status = split_model_init(m, of->network, of->needed, of->value, of->symbols, MOST_OPEN, of->watch, err);
    if (status == ATTCERT_OK) status = split_search_narrow(m, of->watch, err);
  }
  if (status != ATTCERT_OK || m->open.count == 0) return status;
  status = split_row_init(&row, m, err);
  if (status == ATTCERT_OK) status = split_model_row(&row, m, of->network, of->value, of->network->count, b->w, err);
  if (status == ATTCERT_OK)
    status = known != NULL ? split_search_again(bound, m, &row, known, err) : search_parts(bound, b, &row, other, err);
  split_row_clear(&row);
  return status;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* What was found before of that class. */
static attcert_status try_known(double *bound, back *b, int other, attcert_error *err) {
  const robust_found_difference *const known = robust_found_of(b->of->known, other);
  *bound = -INFINITY;
  if (known == NULL) return ATTCERT_OK;
  if (known->slopes > 0 && known->slopes == robust_lower_slopes(&b->lower)) return walk_again(bound, b, known, err);
  return known->nodes > 0 && b->of->thorough ? branch(bound, b, other, known, err) : ATTCERT_OK;
}

static attcert_status improve(double *low, back *b, int other, int classes, attcert_error *err) {
  double bound;
  memset(b->w, 0, (size_t)classes * sizeof *b->w);
  b->w[b->of->label] = 1.0;
  b->w[other] = -1.0;
  attcert_status status = try_known(&bound, b, other, err);
  if (status == ATTCERT_OK && bound > *low) *low = bound;
  if (status == ATTCERT_OK && !(*low > 0.0)) status = walk(&bound, b, other, err);
  if (status == ATTCERT_OK && bound > *low) *low = bound;
  if (status == ATTCERT_OK && b->of->thorough && !(*low > 0.0)) status = branch(&bound, b, other, NULL, err);
  if (status == ATTCERT_OK && bound > *low) *low = bound;
  return status;
}

attcert_status robust_back_improve(double *low, const robust_back *of, attcert_error *err) {
  const int classes = of->value[of->network->count].cols;
  back b = {.of = of};
  attcert_status status = robust_lower_init(&b.lower, of->network, of->value, of->symbols, 1, err);
  if (status == ATTCERT_OK) {
    b.w = array_new((size_t)classes, sizeof *b.w, err, "%d classes", classes);
    if (b.w == NULL) status = ATTCERT_RESOURCE;
  }
  for (int tries = 1; tries < classes && status == ATTCERT_OK; tries++) {
    const int other = robust_back_lowest(low, of->label, classes);
    if (low[other] > 0.0) break;
    status = improve(&low[other], &b, other, classes, err);
    if (status == ATTCERT_OK && !(low[other] > 0.0)) break;
  }
  free(b.w);
  split_model_clear(&b.model);
  robust_lower_clear(&b.lower);
  return status;
}
