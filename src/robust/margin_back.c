#include "robust/margin_back.h"

#include "base/arrays.h"
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

static attcert_status branch(double *bound, back *b, attcert_error *err) {
  const robust_back *const of = b->of;
  split_model *const m = &b->model;
  split_row row;
  attcert_status status = ATTCERT_OK;
  *bound = -INFINITY;
  if (m->symbols == NULL) {
    status = split_model_init(m, of->network, of->value, of->symbols, MOST_OPEN, of->watch, err);
    if (status == ATTCERT_OK) status = split_search_narrow(m, of->watch, err);
  }
  if (status != ATTCERT_OK || m->open.count == 0) return status;
  const double parts = WORK / ((double)m->open.count * (m->columns + m->open.count));
  status = split_row_init(&row, m, err);
  if (status == ATTCERT_OK) status = split_model_row(&row, m, of->network, of->value, of->network->count, b->w, err);
  if (status == ATTCERT_OK) status = split_search(bound, m, &row, (int)fmin(parts, MOST_PARTS), of->watch, err);
  split_row_clear(&row);
  return status;
}

static attcert_status improve(double *low, back *b, int other, int classes, attcert_error *err) {
  const robust_back *const of = b->of;
  double bound;
  memset(b->w, 0, (size_t)classes * sizeof *b->w);
  b->w[of->label] = 1.0;
  b->w[other] = -1.0;
  attcert_status status = robust_lower_search(&bound, &b->lower, of->network->count, b->w, SLOPE_STEPS, of->watch, err);
  if (status == ATTCERT_OK && bound > *low) *low = bound;
  if (status == ATTCERT_OK && of->thorough && !(*low > 0.0)) status = branch(&bound, b, err);
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
