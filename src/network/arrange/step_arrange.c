#include "network/arrange/step_arrange.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "linalg/rounding/upward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t entries_of(const step_arrangement *of) {
  return (size_t)of->rows * (size_t)of->cols;
}

static double constant_at(const step_arrangement *of, size_t at) {
  return of->constant != NULL ? of->constant[at] : 0.0;
}

/* The rows of an input of so many columns that row i reads, each once; returns how many. */
static int rows_read(step_source *row, const step_arrangement *of, int i, int in_cols) {
  const int *const from = of->from + (size_t)i * (size_t)of->cols;
  int count = 0;
  for (int c = 0; c < of->cols; c++) {
    if (from[c] < 0) continue;
    int k = count - 1;
    while (k >= 0 && row[k].row != from[c] / in_cols) k--;
    if (k < 0) row[count++] = (step_source){0, from[c] / in_cols};
  }
  return count;
}

static int sources(step_source *from, const step *s, const step_row *row) {
  return rows_read(from, s->of, row->row, row->in_cols);
}

/* The constants are weights. */
static attcert_status round_constants(void **of, const step *s, int in_cols, const step_format *format,
                                      attcert_error *err) {
  step_arrangement own = *(const step_arrangement *)s->of;
  (void)in_cols;
  *of = step_execution_round(&(step_weights){&own.constant, entries_of(&own)}, 1, sizeof own, format, err);
  if (*of == NULL) return ATTCERT_RESOURCE;
  memcpy(*of, &own, sizeof own);
  return ATTCERT_OK;
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

typedef struct {
  step_source *row;           /* [rows of the input] */
  const form_layout **layout; /* [rows of the input]: theirs */
} rows_of_input;

static attcert_status unite_rows(form *out, int i, const step_arrangement *of, const form *in, const rows_of_input *r,
                                 const form_symbols *symbols, attcert_error *err) {
  const int count = rows_read(r->row, of, i, in->cols);
  for (int k = 0; k < count; k++) r->layout[k] = &in->row[r->row[k].row].layout;
  return operation_row_layout(out, i, r->layout, count, symbols->count, symbols, err);
}

static void copy_entry(form *out, int i, int c, const form *in, int from) {
  const size_t at = (size_t)i * (size_t)out->cols + (size_t)c;
  const form_row *const source = &in->row[from / in->cols], *const row = &out->row[i];
  const size_t entry = (size_t)(from % in->cols) * (size_t)form_layout_columns(&source->layout);
  double *const to = row->linear + (size_t)c * (size_t)form_layout_columns(&row->layout);
  if (source->layout.count > 0) form_layout_add(to, &row->layout, source->linear + entry, &source->layout, 1, 1.0);
  out->center[at] = in->center[from];
  out->radius[at] = in->radius[from];
}

/* Copies, exact. */
static attcert_status forms(form *out, const step *s, const form *const *inputs, form_symbols *symbols, int origin,
                            attcert_error *err) {
  const step_arrangement *const of = s->of;
  const form *const in = inputs[0];
  const size_t rows = (size_t)in->rows;
  (void)origin;
  attcert_status status = form_init(out, of->rows, of->cols, err);
  if (status != ATTCERT_OK) return status;
  const rows_of_input r = {array_new(rows, sizeof(step_source), err, "a list of %zu rows", rows),
                           array_new(rows, sizeof(const form_layout *), err, "a list of %zu layouts", rows)};
  if (r.row == NULL || r.layout == NULL) status = ATTCERT_RESOURCE;
  for (int i = 0; i < of->rows && status == ATTCERT_OK; i++) {
    out->row[i].token = i;
    status = unite_rows(out, i, of, in, &r, symbols, err);
    for (int c = 0; c < of->cols && status == ATTCERT_OK; c++) {
      const size_t at = (size_t)i * (size_t)of->cols + (size_t)c;
      if (of->from[at] >= 0)
        copy_entry(out, i, c, in, of->from[at]);
      else
        out->center[at] = constant_at(of, at);
    }
  }
  free(r.row);
  free(r.layout);
  return status;
}

/* ---- in double and in intervals ---------------------------------------------------------------------------------- */

static attcert_status value(attcert_matrix *y, const step *s, const attcert_matrix *const *x, attcert_error *err) {
  const step_arrangement *const of = s->of;
  (void)err;
  for (size_t k = 0; k < entries_of(of); k++)
    y->data[k] = of->from[k] >= 0 ? x[0]->data[of->from[k]] : constant_at(of, k);
  return ATTCERT_OK;
}

/* x += the transposed derivative times y: an entry gets what each of its copies has. */
static void add_back(double *x, const step_arrangement *of, const double *y) {
  for (size_t k = 0; k < entries_of(of); k++) {
    if (of->from[k] >= 0) x[of->from[k]] += y[k];
  }
}

static attcert_status pull_back(attcert_matrix *const *dx, const step *s, const attcert_matrix *const *x,
                                const attcert_matrix *dy, attcert_error *err) {
  (void)x;
  (void)err;
  add_back(dx[0]->data, s->of, dy->data);
  return ATTCERT_OK;
}

static attcert_status enclose(step_enclosure *y, const step *s, const step_enclosure *const *x, step_scratch *scratch,
                              attcert_error *err) {
  const step_arrangement *const of = s->of;
  (void)scratch;
  (void)err;
  for (size_t k = 0; k < entries_of(of); k++) {
    if (of->from[k] >= 0)
      interval_set(&y->entry[k], &x[0]->entry[of->from[k]]);
    else
      interval_set_d(&y->entry[k], constant_at(of, k));
  }
  return ATTCERT_OK;
}

static attcert_status enclose_pull_back(step_enclosure *const *dx, const step *s, const step_enclosure *const *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  const step_arrangement *const of = s->of;
  (void)x;
  (void)scratch;
  (void)err;
  for (size_t k = 0; k < entries_of(of); k++) {
    interval *const to = of->from[k] >= 0 ? &dx[0]->entry[of->from[k]] : NULL;
    if (to != NULL) interval_add(to, to, &dy->entry[k]);
  }
  return ATTCERT_OK;
}

/* D^T D is diagonal: how many times each entry is read, m at most. Products with D are copies; with D^T they take m - 1
 * roundings of sums, of an absolute value that has the norm of D. */
static attcert_status linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                attcert_error *err) {
  const step_arrangement *const of = l->step->of;
  const size_t entries = (size_t)x[0]->rows * (size_t)x[0]->cols;
  int most = 0;
  (void)scratch;
  int *const copies = array_new(entries, sizeof *copies, err, "the copies of %zu entries", entries);
  if (copies == NULL) return ATTCERT_RESOURCE;
  for (size_t k = 0; k < entries_of(of); k++) {
    if (of->from[k] >= 0 && ++copies[of->from[k]] > most) most = copies[of->from[k]];
  }
  free(copies);
  const double norm = most > 1 ? round_up_nonnegative(sqrt(most), 1.0) : most;
  l->size[0] = (step_linear_size){.norm = norm, .pulled = most > 1 ? upward_mul(gamma_upper(most - 1.0), norm) : 0.0};
  return ATTCERT_OK;
}

static void push(double *y, const step_linear *l, const double *const *x, int count, double *scratch) {
  const step_arrangement *const of = l->step->of;
  const size_t in = (size_t)l->rows[0] * (size_t)l->cols[0], out = entries_of(of);
  (void)scratch;
  for (size_t b = 0; b < (size_t)count; b++) {
    for (size_t k = 0; k < out; k++) y[b * out + k] = of->from[k] >= 0 ? x[0][b * in + (size_t)of->from[k]] : 0.0;
  }
}

static void pull(double *const *x, const step_linear *l, const double *y, int count, double *scratch) {
  const step_arrangement *const of = l->step->of;
  const size_t in = (size_t)l->rows[0] * (size_t)l->cols[0], out = entries_of(of);
  (void)scratch;
  memset(x[0], 0, (size_t)count * in * sizeof *y);
  for (size_t b = 0; b < (size_t)count; b++) add_back(x[0] + b * in, of, y + b * out);
}

const step_kind step_arrange = {.name = "arrange",
                                .sources = sources,
                                .forms = forms,
                                .lower = step_lower_affine,
                                .round = round_constants,
                                .value = value,
                                .pull_back = pull_back,
                                .enclose = enclose,
                                .enclose_pull_back = enclose_pull_back,
                                .linearize = linearize,
                                .push = push,
                                .pull = pull};

/* ---- building ---------------------------------------------------------------------------------------------------- */

static attcert_status check(const step_arrangement *of, size_t entries, attcert_error *err) {
  if (of->rows < 1 || of->cols < 1)
    return attcert_fail(err, ATTCERT_INPUT, "an arrangement has %d rows and %d columns, expected one or more", of->rows,
                        of->cols);
  for (size_t k = 0; k < entries_of(of); k++) {
    if (of->from[k] < -1 || (of->from[k] >= 0 && (size_t)of->from[k] >= entries))
      return attcert_fail(err, ATTCERT_INPUT, "entry %zu of an arrangement is entry %d of the input, which has %zu", k,
                          of->from[k], entries);
    if (of->from[k] < 0 && !isfinite(constant_at(of, k)))
      return attcert_fail(err, ATTCERT_INPUT, "the constant of entry %zu of an arrangement is not finite", k);
  }
  return ATTCERT_OK;
}

int step_arrange_add(network_builder *b, int value, const step_arrangement *of) {
  if (b->status == ATTCERT_OK) b->status = check(of, network_entries(b->network, value), b->err);
  const void *const own = network_copy(b, of, sizeof *of);
  return network_add(
      b, (step){.kind = &step_arrange, .of = own, .input = {value}, .inputs = 1, .rows = of->rows, .cols = of->cols});
}
