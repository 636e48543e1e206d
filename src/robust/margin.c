#include "robust/margin.h"

#include "base/arrays.h"
#include "linalg/rounding/rounding.h"
#include "robust/input_symbols.h"
#include "robust/margin_back.h"
#include "robust/narrow.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const network_steps *network;
  form *value; /* [steps + 1]; released after their last use */
  int *last;   /* [steps + 1]: the last step that reads the value */
  form_symbols symbols;
  const step_format *format;
  bool kept;             /* values are not released */
  bool thorough;         /* ranges are narrowed */
  network_needed needed; /* where it is thorough */
  const robust_found *known;
} run;

/* ---- the input --------------------------------------------------------------------------------------------------- */

/* v_j - center, column by column, of a hull's vertices; what the differences round goes to the radius. */
static void put_vertices(form *x, int word, const ball_hull *hull) {
  const size_t cols = (size_t)x->cols, count = (size_t)(hull->first[word + 1] - hull->first[word]);
  const double *const vertex = hull->vertex + (size_t)hull->first[word] * cols;
  for (size_t c = 0; c < cols; c++) {
    double largest = 0.0;
    for (size_t j = 0; j < count; j++) {
      const double difference = vertex[j * cols + c] - x->center[(size_t)word * cols + c];
      x->row[word].linear[c * count + j] = difference;
      largest = range_larger(largest, fabs(difference));
    }
    x->radius[(size_t)word * cols + c] = round_up_nonnegative(UNIT_ROUNDOFF * largest, 1.0);
  }
}

/* The symbols of a word, if it moves; the identity in its row, but for entries that do not move. */
static attcert_status move_word(run *r, form *x, int word, const ball_region *region, attcert_error *err) {
  form_layout layout = {0};
  int first;
  attcert_status status = robust_input_symbols(&layout, &first, &r->symbols, region, word, x->rows, x->cols, err);
  if (status != ATTCERT_OK || layout.count == 0) return status;
  const size_t cols = (size_t)x->cols, columns = (size_t)form_layout_columns(&layout);
  status = form_set_layout(x, word, &layout, err);
  if (status == ATTCERT_OK && region->hull != NULL) put_vertices(x, word, region->hull);
  for (size_t c = 0; status == ATTCERT_OK && c < cols; c++) {
    if (region->hull == NULL && ball_region_moves_entry(region, (size_t)word * cols + c))
      x->row[word].linear[c * columns + (size_t)first + c] = 1.0;
  }
  return status;
}

static attcert_status make_input(run *r, const robust_ball *ball, attcert_error *err) {
  const attcert_matrix *const input = ball->input;
  form *const x = &r->value[0];
  attcert_status status = form_init(x, input->rows, input->cols, err);
  if (status != ATTCERT_OK) return status;
  memcpy(x->center, input->data, (size_t)input->rows * (size_t)input->cols * sizeof(double));
  for (int i = 0; i < input->rows && status == ATTCERT_OK; i++) {
    x->row[i].token = i;
    status = move_word(r, x, i, &ball->region, err);
  }
  if (status == ATTCERT_OK) status = form_measure(x, &r->symbols, err);
  if (status == ATTCERT_OK && r->format != NULL) step_execution_input(x, r->format);
  return status;
}

/* ---- the steps --------------------------------------------------------------------------------------------------- */

/* What executing the step of value s + 1 in the format adds, as symbols. */
static attcert_status execute_step(run *r, const step *of, int s, const form *const *in, attcert_error *err) {
  form absorbed = {0};
  attcert_status status = ATTCERT_OK;
  if (of->kind->execution != NULL) status = of->kind->execution(&r->value[s + 1], of, in, &r->symbols, r->format, err);
  if (status == ATTCERT_OK) status = operation_absorb(&absorbed, &r->value[s + 1], &r->symbols, s, err);
  if (status == ATTCERT_OK) status = form_measure(&absorbed, &r->symbols, err);
  form_clear(&r->value[s + 1]);
  r->value[s + 1] = absorbed;
  return status;
}

/* Of an execution: the step with rounded weights, and what its arithmetic adds. */
static attcert_status take_step(run *r, int s, attcert_error *err) {
  step of = r->network->step[s];
  const form *in[STEP_MAX_INPUTS];
  void *rounded = NULL;
  attcert_status status = ATTCERT_OK;
  for (int k = 0; k < of.inputs; k++) in[k] = &r->value[of.input[k]];
  if (r->thorough && of.kind->draws && ((const range_curve *)of.of)->straight)
    status = robust_narrow(r->value, r->network, &r->needed, &r->symbols, of.input[0], err);
  if (status == ATTCERT_OK && r->format != NULL && of.kind->round != NULL)
    status = of.kind->round(&rounded, &of, in[0]->cols, r->format, err);
  if (rounded != NULL) of.of = rounded;
  if (status == ATTCERT_OK) status = of.kind->forms(&r->value[s + 1], &of, in, &r->symbols, s, err);
  if (status == ATTCERT_OK) status = form_measure(&r->value[s + 1], &r->symbols, err);
  if (status == ATTCERT_OK && r->format != NULL) status = execute_step(r, &of, s, in, err);
  for (int k = 0; k < of.inputs && !r->kept; k++) {
    if (r->last[of.input[k]] == s) form_clear(&r->value[of.input[k]]);
  }
  free(rounded);
  return status;
}

/* The value with fewer symbols, where the plan says so; what they lose has a place behind that of the radii. */
static attcert_status merge_value(run *r, const robust_plan *plan, int value, attcert_error *err) {
  const int before = plan->merge[value];
  if (before == 0) return ATTCERT_OK;
  const attcert_status status = operation_merge(&r->value[value], before, &r->symbols, r->network->count + 1, err);
  return status == ATTCERT_OK ? form_measure(&r->value[value], &r->symbols, err) : status;
}

/* ---- the margin -------------------------------------------------------------------------------------------------- */

static int largest_score(const form *scores) {
  int best = 0;
  for (int c = 1; c < scores->cols; c++) {
    if (scores->center[c] > scores->center[best]) best = c;
  }
  return best;
}

/* What the difference (a row over the layout) loses to first order and to each step; `shared`: to the words that share
 * a ball. */
static void share_losses(robust_margin *result, const double *row, const form_layout *layout,
                         const form_symbols *symbols, double shared, int steps) {
  result->first_order = shared;
  memset(result->loss, 0, ((size_t)steps + 2) * sizeof *result->loss);
  for (int s = 0; s < layout->count; s++) {
    const form_segment *const segment = &symbols->segment[layout->id[s]];
    if (segment->input) continue;
    const double lost = form_segment_support(row + layout->start[s], segment);
    if (segment->origin < 0)
      result->first_order = round_up_nonnegative(result->first_order + lost, 1.0);
    else
      result->loss[segment->origin] += lost;
  }
  for (int s = 0; s < steps + 2; s++) result->loss[s] = round_up_nonnegative(result->loss[s], layout->count);
}

/* score_label - score_other: narrows the margin, and is the rival where it is the lowest. *low: its bound. */
static attcert_status compare(robust_margin *result, double *low, const form *scores, int other,
                              const form_symbols *symbols, int steps, attcert_error *err) {
  const form_layout *const layout = &scores->row[0].layout;
  const size_t columns = (size_t)form_layout_columns(layout), a = (size_t)result->label, b = (size_t)other;
  double *const row = array_new(columns, sizeof *row, err, "a margin of %zu symbols", columns);
  if (row == NULL) return ATTCERT_RESOURCE;
  for (size_t k = 0; k < columns; k++)
    row[k] = scores->row[0].linear[a * columns + k] - scores->row[0].linear[b * columns + k];
  const form_support support = form_support_of(row, layout, symbols);
  const double rounding = UNIT_ROUNDOFF * (scores->support[a].magnitude + scores->support[b].magnitude);
  const double radius = round_up_nonnegative(scores->radius[a] + scores->radius[b] + rounding, 6.0);
  const double reach = round_up_nonnegative(support.input + support.other + radius, 3.0);
  const range center = range_sub(range_of(scores->center[a]), range_of(scores->center[b]));
  const range margin = range_add(center, (range){-reach, reach});
  *low = margin.lo;
  if (!(margin.lo >= result->margin.lo)) {
    result->rival = other;
    result->center = range_middle(center);
    share_losses(result, row, layout, symbols, support.input, steps);
    result->loss[steps] = radius;
    result->margin.lo = margin.lo;
  }
  result->margin.hi = range_smaller(result->margin.hi, margin.hi);
  free(row);
  return ATTCERT_OK;
}

/* Bounds that are not positive are tried from the scores back. */
static attcert_status look_back(robust_margin *result, const run *r, double *low, const robust_watch *watch,
                                attcert_error *err) {
  const int classes = r->value[r->network->count].cols;
  const robust_back back = {.network = r->network,
                            .value = r->value,
                            .symbols = &r->symbols,
                            .needed = &r->needed,
                            .watch = watch,
                            .label = result->label,
                            .thorough = r->thorough,
                            .known = r->known,
                            .found = &result->found};
  const attcert_status status = robust_back_improve(low, &back, err);
  if (status == ATTCERT_OK) result->margin.lo = low[robust_back_lowest(low, result->label, classes)];
  return status;
}

static attcert_status read_margin(robust_margin *result, const run *r, const robust_ball *ball, attcert_error *err) {
  const form *const scores = &r->value[r->network->count];
  double *const low = array_new((size_t)scores->cols, sizeof *low, err, "%d classes", scores->cols);
  attcert_status status = low != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
  result->label = ball->label >= 0 ? ball->label : largest_score(scores);
  result->margin = (range){INFINITY, INFINITY};
  for (int c = 0; c < scores->cols && status == ATTCERT_OK; c++) {
    if (c != result->label) status = compare(result, &low[c], scores, c, &r->symbols, r->network->count, err);
  }
  if (status == ATTCERT_OK && r->kept && !(result->margin.lo > 0.0) && scores->cols > 1)
    status = look_back(result, r, low, ball->watch, err);
  free(low);
  return status;
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

static attcert_status run_steps(robust_margin *result, run *r, const robust_ball *ball, robust_observer observer,
                                void *context, attcert_error *err) {
  attcert_status status = make_input(r, ball, err);
  if (status == ATTCERT_OK) status = merge_value(r, &result->plan, 0, err);
  if (status == ATTCERT_OK && observer != NULL) status = observer(context, 0, &r->value[0], &r->symbols);
  for (int s = 0; s < r->network->count && status == ATTCERT_OK; s++) {
    status = robust_watch_report(ball->watch, (double)s / r->network->count, err);
    if (status == ATTCERT_OK) status = take_step(r, s, err);
    if (status == ATTCERT_OK) status = merge_value(r, &result->plan, s + 1, err);
    if (status == ATTCERT_UNDECIDED) result->ended = s;
    if (status == ATTCERT_OK && observer != NULL) status = observer(context, s + 1, &r->value[s + 1], &r->symbols);
  }
  return status == ATTCERT_OK ? read_margin(result, r, ball, err) : status;
}

attcert_status robust_margin_observe(robust_margin *result, const network_steps *network, const robust_ball *ball,
                                     robust_observer observer, void *context, attcert_error *err) {
  const size_t values = (size_t)network->count + 1;
  run r = {.network = network, .format = ball->format, .known = ball->found};
  *result = (robust_margin){.margin = {-INFINITY, INFINITY}, .label = ball->label, .rival = -1, .ended = -1};
  const array_table table = {{ARRAY(r.value, values), ARRAY(r.last, values), ARRAY(result->loss, values + 1)}};
  attcert_status status = array_table_allocate(&table, err, "a run of %d steps", network->count);
  if (status != ATTCERT_OK) return status;
  network_last_uses(r.last, network);
  status = robust_plan_make(&result->plan, network, &ball->region, ball->format != NULL, ball->memory, err);
  r.kept = result->plan.kept;
  r.thorough = result->found.narrowed = r.kept && ball->thorough;
  if (status == ATTCERT_OK && r.thorough) status = network_needed_init(&r.needed, network, err);
  if (status == ATTCERT_OK) status = run_steps(result, &r, ball, observer, context, err);
  for (size_t v = 0; v < values; v++) form_clear(&r.value[v]);
  form_symbols_clear(&r.symbols);
  network_needed_clear(&r.needed);
  free(r.value);
  free(r.last);
  return status == ATTCERT_UNDECIDED ? ATTCERT_OK : status;
}

attcert_status robust_margin_evaluate(robust_margin *result, const network_steps *network, const robust_ball *ball,
                                      attcert_error *err) {
  return robust_margin_observe(result, network, ball, NULL, NULL, err);
}

attcert_status robust_margin_improve(robust_margin *result, const network_steps *network, const robust_ball *ball,
                                     bool at_once, bool last, attcert_error *err) {
  robust_ball at = *ball;
  at.thorough = at_once;
  const attcert_status status = robust_margin_evaluate(result, network, &at, err);
  if (status != ATTCERT_OK || result->margin.lo > 0.0 || at_once || !last || !result->plan.kept) return status;
  at.thorough = true;
  robust_margin_clear(result);
  return robust_margin_evaluate(result, network, &at, err);
}

void robust_margin_clear(robust_margin *result) {
  free(result->loss);
  result->loss = NULL;
  robust_plan_clear(&result->plan);
  robust_found_clear(&result->found);
}
