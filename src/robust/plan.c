#include "robust/plan.h"

#include "base/arrays.h"
#include "network/affine/step_affine.h"
#include "robust/input_symbols.h"

#include <inttypes.h>
#include <stdlib.h>

/* A form without its numbers. */
typedef struct {
  int rows, cols;
  form_layout *row;
} outline;

typedef struct {
  const network_steps *network;
  const ball_region *region;
  bool executed;
  outline *value; /* [steps + 1] */
  int *last;      /* [steps + 1]: network_last_uses */
  int *made;      /* [steps + 1]: the symbols there were before the value */
  form_symbols symbols;
  double products;
  uint64_t forms, scratch; /* bytes of all forms, and of the largest scratch, as if none was merged */
} survey;

static attcert_status outline_init(outline *o, int rows, int cols, attcert_error *err) {
  *o = (outline){.rows = rows, .cols = cols};
  o->row = array_new((size_t)rows, sizeof *o->row, err, "the layouts of %d rows", rows);
  return o->row != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
}

static void outline_clear(outline *o) {
  for (int i = 0; o->row != NULL && i < o->rows; i++) form_layout_clear(&o->row[i]);
  free(o->row);
  *o = (outline){0};
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

static uint64_t doubles(int rows, int columns) {
  return (uint64_t)rows * (uint64_t)columns * sizeof(double);
}

/* Of the form: the linear part, and center, radius and support of each entry. */
static uint64_t form_bytes(const outline *o) {
  uint64_t sum = doubles(o->rows, 5 * o->cols);
  for (int i = 0; i < o->rows; i++)
    sum += doubles(o->cols, form_layout_columns(&o->row[i])) + 2 * sizeof(int) * (uint64_t)o->row[i].count;
  return sum;
}

/* ---- one step ---------------------------------------------------------------------------------------------------- */

static attcert_status add_fresh(survey *v, int width, attcert_error *err) {
  int id;
  const form_segment segment = {.width = width, .radius = INFINITY};
  return form_symbols_add(&id, &v->symbols, &segment, err);
}

/* What the forms of a row are made of (step_kind). */
typedef struct {
  step_source *source;      /* [rows of all inputs] */
  const form_layout **from; /* [rows of all inputs]: their layouts */
} row_parts;

/* Row i of `out`, its sources read and its fresh segments made. */
static attcert_status unite_parts(const row_parts *p, survey *v, outline *out, const step *s, const outline *const *in,
                                  const step_row *row, attcert_error *err) {
  const int first = v->symbols.count;
  attcert_status status = ATTCERT_OK;
  p->source[0] = (step_source){0, row->row};
  const int sources = s->kind->sources != NULL ? s->kind->sources(p->source, s, row) : 1;
  for (int k = 0; k < sources; k++) p->from[k] = &in[p->source[k].input]->row[p->source[k].row];
  for (int k = 0; s->kind->fresh != NULL && status == ATTCERT_OK; k++) {
    const int width = s->kind->fresh(s, row, k);
    if (width == 0) break;
    status = add_fresh(v, width, err);
  }
  if (status != ATTCERT_OK) return status;
  return form_layout_unite(&out->row[row->row], p->from, sources, first, &v->symbols, err);
}

/* Entries of the inputs that one of the row's is made of: those of a row, those of the keys or itself. */
static double mixed(const step *s, const step_row *row) {
  return s->kind == &step_affine ? row->in_cols : s->kind->attended != NULL ? row->attended.count : 1.0;
}

/* Row i; *bytes becomes at least those of its scratch. */
static attcert_status outline_row(uint64_t *bytes, survey *v, outline *out, const step *s, const outline *const *in,
                                  int i, attcert_error *err) {
  step_row row = {.row = i, .in_cols = in[0]->cols};
  if (i < in[0]->rows) row.in_symbols = form_layout_input_columns(&in[0]->row[i], &v->symbols);
  size_t most = 0;
  if (s->kind->attended != NULL) row.attended = s->kind->attended(s, i, in[s->inputs > 1 ? 1 : 0]->rows);
  for (int k = 0; k < s->inputs; k++) most += (size_t)in[k]->rows;
  const row_parts parts = {array_new(most, sizeof(step_source), err, "a list of %zu sources", most),
                           array_new(most, sizeof(const form_layout *), err, "a list of %zu layouts", most)};
  const bool room = parts.source != NULL && parts.from != NULL;
  const attcert_status status = room ? unite_parts(&parts, v, out, s, in, &row, err) : ATTCERT_RESOURCE;
  free(parts.source);
  free(parts.from);
  v->products += mixed(s, &row) * out->cols * form_layout_columns(&out->row[i]);
  if (status != ATTCERT_OK || s->kind->scratch == NULL) return status;
  const uint64_t scratch = sizeof(double) * s->kind->scratch(s, in[0]->cols, &row, form_layout_columns(&out->row[i]));
  if (scratch > *bytes) *bytes = scratch;
  return ATTCERT_OK;
}

/* One more segment a row for what execution adds. */
static attcert_status absorb(survey *v, outline *out, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < out->rows && status == ATTCERT_OK; i++) {
    form_layout before = out->row[i];
    const form_layout *const from = &before;
    const int first = v->symbols.count;
    out->row[i] = (form_layout){0};
    status = add_fresh(v, out->cols, err);
    if (status == ATTCERT_OK) status = form_layout_unite(&out->row[i], &from, 1, first, &v->symbols, err);
    form_layout_clear(&before);
  }
  return status;
}

/* Value s + 1; *bytes: of all forms that are alive then, and the step's scratch. */
static attcert_status survey_step(survey *v, int s, uint64_t *bytes, attcert_error *err) {
  const step *const of = &v->network->step[s];
  outline *const out = &v->value[s + 1];
  const outline *in[STEP_MAX_INPUTS];
  for (int k = 0; k < of->inputs; k++) in[k] = &v->value[of->input[k]];
  v->made[s + 1] = v->symbols.count;
  attcert_status status = outline_init(out, of->rows, of->cols, err);
  *bytes = 0;
  for (int i = 0; i < of->rows && status == ATTCERT_OK; i++) status = outline_row(bytes, v, out, of, in, i, err);
  if (status != ATTCERT_OK) return status;
  v->forms += form_bytes(out);
  if (*bytes > v->scratch) v->scratch = *bytes;
  if (v->executed) {
    const uint64_t before = form_bytes(out);
    status = absorb(v, out, err);
    if (before > *bytes) *bytes = before;
  }
  for (int u = 0; u <= s + 1; u++) {
    if (v->value[u].row != NULL) *bytes += form_bytes(&v->value[u]);
  }
  return status;
}

/* ---- from one value that all later ones come from to the next ---------------------------------------------------- */

static bool is_cut(const survey *v, int value) {
  for (int u = 0; u < value; u++) {
    if (v->last[u] >= value) return false;
  }
  return true;
}

static int next_cut(const survey *v, int value) {
  do value++;
  while (value < v->network->count && !is_cut(v, value));
  return value;
}

/* Values from + 1 to `to`, each until its last use; *peak: the most bytes of a step. */
static attcert_status survey_steps(survey *v, int from, int to, uint64_t *peak, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  *peak = 0;
  for (int s = from; s < to && status == ATTCERT_OK; s++) {
    uint64_t bytes = 0;
    status = survey_step(v, s, &bytes, err);
    if (bytes > *peak) *peak = bytes;
    for (int u = from + 1; u <= s; u++) {
      if (v->last[u] <= s) outline_clear(&v->value[u]);
    }
  }
  return status;
}

/* The value with the symbols older than `before` merged, as operation_merge does; *merged: how many. */
static attcert_status merge_outline(outline *out, survey *v, const outline *in, int before, uint64_t *merged,
                                    attcert_error *err) {
  attcert_status status = outline_init(out, in->rows, in->cols, err);
  *merged = 0;
  for (int i = 0; i < in->rows && status == ATTCERT_OK; i++) {
    const form_layout *const row = &in->row[i];
    const form_layout_run old = form_layout_older(row, before, in->cols, &v->symbols);
    if (old.first == old.last) {
      status = form_layout_set(&out->row[i], row->id, row->count, &v->symbols, err);
      continue;
    }
    *merged += (uint64_t)(row->start[old.last] - row->start[old.first]);
    const int fresh = v->symbols.count;
    status = add_fresh(v, in->cols, err);
    if (status == ATTCERT_OK) status = form_layout_merge(&out->row[i], row, old, fresh, &v->symbols, err);
  }
  return status;
}

/* The steps up to value `to` with as few operations merged at value `from` as the limit asks for. */
static attcert_status plan_stretch(robust_plan *plan, survey *v, int from, int to, uint64_t limit, attcert_error *err) {
  const int symbols = v->symbols.count;
  const double products = v->products;
  outline whole = v->value[from];
  uint64_t peak = 0, merged = 0;
  attcert_status status = ATTCERT_OK;
  for (int k = 0; status == ATTCERT_OK; k++) { /* the symbols of the steps before k are merged */
    const int before = k == 0 ? 0 : k <= from ? v->made[k] : symbols;
    v->symbols.count = symbols;
    v->products = products;
    status = merge_outline(&v->value[from], v, &whole, before, &merged, err);
    if (status == ATTCERT_OK) status = survey_steps(v, from, to, &peak, err);
    plan->merge[from] = before;
    if (status != ATTCERT_OK || limit == 0 || peak <= limit) break;
    if (k > from) {
      status = attcert_fail(err, ATTCERT_RESOURCE,
                            "the forms up to operation %d take %" PRIu64
                            " bytes with all their symbols merged, expected %" PRIu64 " at most",
                            to, peak, limit);
      break;
    }
    for (int u = from; u <= to; u++) outline_clear(&v->value[u]);
  }
  outline_clear(&whole);
  outline_clear(&v->value[from]);
  plan->merged += merged;
  if (peak > plan->bytes) plan->bytes = peak;
  return status;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static attcert_status survey_input(survey *v, attcert_error *err) {
  outline *const x = &v->value[0];
  const int d = v->network->dim;
  attcert_status status = outline_init(x, v->network->tokens, d, err);
  for (int i = 0; i < v->network->tokens && status == ATTCERT_OK; i++) {
    int first;
    status = robust_input_symbols(&x->row[i], &first, &v->symbols, v->region, i, v->network->tokens, d, err);
  }
  v->forms = status == ATTCERT_OK ? form_bytes(x) : 0;
  return status;
}

attcert_status robust_plan_make(robust_plan *plan, const network_steps *network, const ball_region *region,
                                bool executed, uint64_t limit, attcert_error *err) {
  const size_t values = (size_t)network->count + 1;
  survey v = {.network = network, .region = region, .executed = executed};
  *plan = (robust_plan){.limit = limit};
  const array_table table = {{ARRAY(v.value, values), ARRAY(v.last, values), ARRAY(v.made, values)}};
  attcert_status status = array_table_allocate(&table, err, "a plan of %d steps", network->count);
  if (status != ATTCERT_OK) return status;
  plan->merge = array_new(values, sizeof *plan->merge, err, "a plan of %d steps", network->count);
  if (plan->merge == NULL) status = ATTCERT_RESOURCE;
  network_last_uses(v.last, network);
  if (status == ATTCERT_OK) status = survey_input(&v, err);
  for (int from = 0; from < network->count && status == ATTCERT_OK;) {
    const int to = next_cut(&v, from);
    status = plan_stretch(plan, &v, from, to, limit, err);
    from = to;
  }
  const uint64_t all = v.forms + v.scratch;
  plan->kept = !executed && plan->merged == 0 && (limit == 0 || all <= limit);
  if (plan->kept) plan->bytes = all;
  plan->products = v.products;
  for (int s = 0; s < v.symbols.count; s++) plan->symbols += (uint64_t)v.symbols.segment[s].width;
  for (size_t u = 0; u < values; u++) outline_clear(&v.value[u]);
  form_symbols_clear(&v.symbols);
  array_table_release(&table);
  return status;
}

void robust_plan_clear(robust_plan *plan) {
  free(plan->merge);
  plan->merge = NULL;
}
