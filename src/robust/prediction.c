#include "robust/prediction.h"

#include "base/arrays.h"
#include "interval/interval_convert.h"
#include "linalg/blas/blas_probe.h"
#include "network/affine/step_affine.h"

#include <stdlib.h>
#include <string.h>

/* SCORES: intervals of scores at a time, so that many tokens of a large vocabulary fit. */
enum { LAST_BITS = 64, STEP_BITS = 2, MOST_BITS = 1024, SCORES = 1 << 20 };

#define NARROW 1e-9 /* a part of the row's largest score */

typedef struct {
  const network_steps *network;
  const robust_prediction_place *at;
  robust_prediction *result;
  step_enclosure *value; /* [steps + 1] */
  int *last;             /* [steps + 1]: the last step that reads the value */
  range *score;          /* [classes]: of a row */
  int step_bits;
  bool narrow; /* every row so far */
} pass;

/* ---- a row of scores --------------------------------------------------------------------------------------------- */

/* A point of it; of a range without ends, none that counts. */
static double middle_of(range score) {
  return range_finite(score) ? 0.5 * score.lo + 0.5 * score.hi : -INFINITY;
}

/* Among the scores kept so far, the largest first; of equal ones the first label. */
static void keep_score(robust_score *kept, int *count, int most, int label, range score) {
  const double middle = middle_of(score);
  int at = *count;
  if (at == most && !(middle > middle_of(kept[most - 1].score))) return;
  if (at == most) at--;
  for (; at > 0 && middle > middle_of(kept[at - 1].score); at--) kept[at] = kept[at - 1];
  kept[at] = (robust_score){label, score};
  if (*count < most) ++*count;
}

/* The largest of the others' scores is between the largest of their lower and of their upper ends. */
static void find_largest(robust_row *row, const range *score, int classes) {
  range others = {-INFINITY, -INFINITY};
  for (int c = 0; c < classes; c++) {
    if (c == row->label) continue;
    if (row->rival < 0 || score[c].hi > others.hi) row->rival = c;
    others.lo = range_larger(others.lo, score[c].lo);
    others.hi = range_larger(others.hi, score[c].hi);
  }
  row->margin = range_sub(score[row->label], others);
}

/* Of a score whose sign is certain, how far it is from 0; else minus how far it may be on the side with less of it. */
static range distance_of(range score) {
  return score.lo >= -score.hi ? score : (range){-score.hi, -score.lo};
}

static void find_signs(robust_row *row, const range *score, int classes) {
  row->margin = (range){INFINITY, INFINITY};
  for (int c = 0; c < classes; c++) {
    const range distance = distance_of(score[c]);
    if (row->rival < 0 || distance.lo < row->margin.lo) row->rival = c;
    row->margin.lo = range_smaller(row->margin.lo, distance.lo);
    row->margin.hi = range_smaller(row->margin.hi, distance.hi);
  }
}

static bool is_narrow(const range *score, int classes) {
  double size = 0.0, width = 0.0;
  for (int c = 0; c < classes; c++) {
    size = range_larger(size, range_magnitude(score[c]));
    width = range_larger(width, score[c].hi - score[c].lo);
  }
  return width <= NARROW * size;
}

static void read_row(pass *p, int number, const interval *entry) {
  robust_prediction *const result = p->result;
  robust_row *const row = &result->row[number];
  robust_score *const kept = result->score + (size_t)number * (size_t)result->top;
  const int classes = result->classes;
  int count = 0;
  for (int c = 0; c < classes; c++) {
    p->score[c] = (range){interval_get_d_lower(&entry[c]), interval_get_d_upper(&entry[c])};
    keep_score(kept, &count, result->top, c, p->score[c]);
  }
  *row = (robust_row){.label = -1, .rival = -1};
  if (p->at->each_sign) {
    find_signs(row, p->score, classes);
  } else {
    row->label = kept[0].label;
    find_largest(row, p->score, classes);
  }
  p->narrow = p->narrow && is_narrow(p->score, classes);
}

/* ---- forward ----------------------------------------------------------------------------------------------------- */

static void scratch_of_step(step_scratch *scratch, const pass *p, int s) {
  step_scratch_init(scratch, LAST_BITS + p->step_bits * (p->network->count - s));
  scratch->product_bits = scratch->precision;
}

static attcert_status take_step(pass *p, int s, attcert_error *err) {
  step_scratch scratch;
  scratch_of_step(&scratch, p, s);
  const attcert_status status = network_enclose(p->value, p->network, s, &scratch, err);
  step_scratch_clear(&scratch);
  for (int v = 0; v <= s; v++) {
    if (p->last[v] <= s) step_enclosure_clear(&p->value[v]);
  }
  return status;
}

static void read_rows(pass *p, int first, const step_enclosure *y) {
  for (int i = 0; i < y->rows; i++) read_row(p, first + i, step_entry(y, i, 0));
}

/* Rows of the last step where that is an affine map, which takes each by itself. */
static attcert_status take_scores(pass *p, int first, int rows, attcert_error *err) {
  const int s = p->network->count - 1;
  step of = p->network->step[s];
  const step_enclosure *const all = &p->value[of.input[0]];
  const step_enclosure x = {rows, all->cols, step_entry(all, first, 0)}, *const in[] = {&x};
  step_scratch scratch;
  step_enclosure y;
  of.rows = rows;
  scratch_of_step(&scratch, p, s);
  attcert_status status = step_enclosure_init(&y, rows, of.cols, scratch.precision, err);
  if (status == ATTCERT_OK) status = of.kind->enclose(&y, &of, in, &scratch, err);
  if (status == ATTCERT_OK) read_rows(p, first, &y);
  step_enclosure_clear(&y);
  step_scratch_clear(&scratch);
  return status;
}

/* The last step: block by block where its rows can be told apart. */
static attcert_status finish(pass *p, attcert_error *err) {
  const int last = p->network->count - 1, rows = p->result->rows, fit = SCORES / p->result->classes;
  const int block = fit > 1 ? fit : 1;
  attcert_status status = ATTCERT_OK;
  if (p->network->step[last].kind != &step_affine) {
    status = take_step(p, last, err);
    if (status == ATTCERT_OK) read_rows(p, 0, &p->value[last + 1]);
    return status;
  }
  for (int i = 0; i < rows && status == ATTCERT_OK; i += block) {
    status = robust_watch_report(p->at->watch, (last + (double)i / rows) / p->network->count, err);
    if (status == ATTCERT_OK) status = take_scores(p, i, rows - i < block ? rows - i : block, err);
  }
  return status;
}

static attcert_status go_forward(pass *p, attcert_error *err) {
  step_scratch scratch;
  scratch_of_step(&scratch, p, 0);
  p->result->bits = (int)scratch.precision;
  attcert_status status = network_enclose_input(p->value, p->at->x, &scratch, err);
  step_scratch_clear(&scratch);
  for (int s = 0; s < p->network->count - 1 && status == ATTCERT_OK; s++) {
    status = robust_watch_report(p->at->watch, (double)s / p->network->count, err);
    if (status == ATTCERT_OK) status = take_step(p, s, err);
  }
  if (status == ATTCERT_OK) status = finish(p, err);
  for (int v = 0; v <= p->network->count; v++) step_enclosure_clear(&p->value[v]);
  return status;
}

static attcert_status allocate(robust_prediction *result, const network_steps *network, int top, attcert_error *err) {
  result->rows = network_rows(network, network->count);
  result->classes = network_cols(network, network->count);
  result->top = top < 1 ? 1 : top < result->classes ? top : result->classes;
  const array_table table = {
      {ARRAY(result->row, (size_t)result->rows), ARRAY(result->score, (size_t)result->rows, (size_t)result->top)}};
  return array_table_allocate(&table, err, "%d answers", result->rows);
}

attcert_status robust_prediction_enclose(robust_prediction *prediction, const network_steps *network,
                                         const robust_prediction_place *at, attcert_error *err) {
  const size_t values = (size_t)network->count + 1;
  pass p = {.network = network, .at = at, .result = prediction, .step_bits = STEP_BITS};
  *prediction = (robust_prediction){0};
  attcert_status status = blas_probe_once(err);
  if (status == ATTCERT_OK) status = allocate(prediction, network, at->top, err);
  if (status != ATTCERT_OK) return status;
  const array_table table = {
      {ARRAY(p.value, values), ARRAY(p.last, values), ARRAY(p.score, (size_t)prediction->classes)}};
  status = array_table_allocate(&table, err, "a pass of %d steps", network->count);
  if (status != ATTCERT_OK) return status;
  network_last_uses(p.last, network);
  while (status == ATTCERT_OK && !p.narrow && prediction->bits < MOST_BITS) {
    p.narrow = true;
    status = go_forward(&p, err);
    p.step_bits *= 2;
  }
  array_table_release(&table);
  return status;
}

void robust_prediction_clear(robust_prediction *prediction) {
  free(prediction->row);
  free(prediction->score);
  *prediction = (robust_prediction){0};
}

bool robust_prediction_decided(const robust_prediction *prediction) {
  for (int i = 0; i < prediction->rows; i++)
    if (!robust_row_decided(&prediction->row[i])) return false;
  return true;
}

attcert_status robust_prediction_status(const robust_prediction *prediction) {
  return robust_prediction_decided(prediction) ? ATTCERT_OK : ATTCERT_UNDECIDED;
}
