/* An entrywise function phi. Over all that the entry z + e can be (form_range), z its center, a line
 *   phi(z + e) = slope e + height +- error                     (robust/range/range_line.h)
 * scales the entry's form by the slope and makes the height its center; one fresh symbol an entry is bounded by
 *   error + |slope| radius + u |slope| magnitude               the last: the rounding of the scaling.
 *
 * Or a parabola does, whose error is of third order (range_parabola.h). With e = alpha + o, alpha linear in the
 * symbols, |alpha| <= A, |o| <= O, the radius,
 *   phi(z + e) = slope e + square alpha^2 + square (2 alpha o + o^2) + height +- error:
 * square alpha^2 is a row of symbols that the squares of a row have in common (operation_squares.h), of the rest the
 * middle goes to the center. The entries of a row have all lines or all parabolas, whichever promises less: bounds of
 * entries add up, those of squares as orthogonal vectors do. */
#include "base/arrays.h"
#include "base/parallel.h"
#include "linalg/rounding/rounding.h"
#include "network/activation/step_activation.h"
#include "robust/operation/operation_squares.h"
#include "robust/range/range_parabola.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  double *slope, *center, *bound; /* [rows, cols]; bound: of the fresh symbols */
} followed;

typedef struct {
  form *out;
  const form *in;
  const form_symbols *symbols;
  const range_curve *curve;
  followed line, bent; /* by lines, by parabolas */
  double *square;      /* [rows, cols]: of parabolas */
  bool *bends;         /* [rows]: which of both it is */
  double *factor;      /* [cols, cols]: of a row's squares */
  double reach;        /* of what these are of */
} activation_pass;

int step_activation_fresh(const step *s, const step_row *row, int k) {
  return k == 0 ? s->cols : k == 1 ? operation_squares_width(s->cols, row->in_symbols) : 0;
}

/* Of one row, its symbols scaled and the squares' factor. */
uint64_t step_activation_scratch(const step *s, int in_cols, const step_row *row, int columns) {
  const uint64_t cols = (uint64_t)in_cols;
  return operation_squares_width(s->cols, row->in_symbols) > 0 ? cols * ((uint64_t)columns + cols) : 0;
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static void put(const followed *to, const activation_pass *p, size_t at, double slope, range rest) {
  const form *const in = p->in;
  const double scaled = fabs(slope) * (in->radius[at] + UNIT_ROUNDOFF * in->support[at].magnitude);
  to->slope[at] = slope;
  to->center[at] = range_middle(rest);
  to->bound[at] = round_up_nonnegative(range_radius(rest, to->center[at]) + scaled + UNDERFLOW_ALLOWANCE, 6.0);
}

/* 2 alpha o + o^2 = (alpha + o)^2 - alpha^2: at most 2 A O + O^2, at least O^2 - 2 A O, or -A^2 for O >= A. */
static range cross_terms(double a, double o) {
  const range one = range_of(a), other = range_of(o), square = range_mul(other, other);
  const range twice = range_scale(range_mul(one, other), 2.0);
  const double lo = o < a ? range_sub(square, twice).lo : -range_mul(one, one).hi;
  return (range){lo, range_add(square, twice).hi};
}

static void follow_parabola(const activation_pass *p, size_t at, range reach) {
  const form_support *const s = &p->in->support[at];
  const range_parabola along = range_parabola_along(p->curve, reach.lo, reach.hi, p->in->center[at]);
  const double linear = round_up_nonnegative(s->input + s->other, 1.0);
  const range cross = range_scale(cross_terms(linear, p->in->radius[at]), along.square);
  const range error = {-along.error, along.error};
  put(&p->bent, p, at, along.slope, range_add(range_add(range_of(along.height), error), cross));
  p->square[at] = along.square;
}

static void follow_line(const activation_pass *p, size_t at, range reach) {
  const range_line along = range_line_along(p->curve, reach.lo, reach.hi, p->in->center[at]);
  put(&p->line, p, at, along.slope, range_add(range_of(along.height), (range){-along.error, along.error}));
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static int squares_width(const activation_pass *p, int i) {
  return operation_squares_width(p->in->cols, form_layout_input_columns(&p->in->row[i].layout, p->symbols));
}

static range reach_of(const activation_pass *p, int i, size_t c) {
  return range_hull(form_range(p->in, i, (int)c), range_of(p->in->center[(size_t)i * (size_t)p->in->cols + c]));
}

static void follow_lines(void *context, int i) {
  const activation_pass *const p = context;
  const size_t cols = (size_t)p->in->cols;
  for (size_t c = 0; c < cols; c++) follow_line(p, (size_t)i * cols + c, reach_of(p, i, c));
}

static void follow_parabolas(void *context, int i) {
  const activation_pass *const p = context;
  const size_t cols = (size_t)p->in->cols;
  if (!p->bends[i]) return;
  for (size_t c = 0; c < cols; c++) follow_parabola(p, (size_t)i * cols + c, reach_of(p, i, c));
}

static double sum_of_row(const activation_pass *p, const double *x, int i) {
  const size_t cols = (size_t)p->in->cols;
  double sum = 0.0;
  for (size_t c = 0; c < cols; c++) sum += x[(size_t)i * cols + c];
  return sum;
}

/* Rows that may have parabolas: of what lines miss in all, the others have little, and parabolas take longer. */
static void pick_rows(const activation_pass *p) {
  static const double worth = 0.01;
  double largest = 0.0;
  for (int i = 0; i < p->in->rows; i++) largest = fmax(largest, sum_of_row(p, p->line.bound, i));
  for (int i = 0; i < p->in->rows; i++)
    p->bends[i] = squares_width(p, i) > 0 && sum_of_row(p, p->line.bound, i) > worth * largest;
}

/* Whether parabolas promise less: the squares together count twice. */
static bool promises_less(const activation_pass *p, int i, double squares) {
  return sum_of_row(p, p->bent.bound, i) + 2.0 * squares < sum_of_row(p, p->line.bound, i);
}

/* The squares' matrix where the row may have parabolas, and whether it has. */
static attcert_status factor_squares(activation_pass *p, int i, attcert_error *err) {
  const form_row *const from = &p->in->row[i];
  const int columns = form_layout_columns(&from->layout);
  p->reach = 0.0;
  if (!p->bends[i]) return ATTCERT_OK;
  double *const scaled =
      array_new((size_t)p->in->cols * (size_t)columns, sizeof *scaled, err, "a row of %d columns", columns);
  if (scaled == NULL) return ATTCERT_RESOURCE;
  const operation_squares of = {.square = p->square + (size_t)i * (size_t)p->in->cols,
                                .linear = scaled,
                                .count = p->in->cols,
                                .columns = columns};
  const attcert_status status =
      form_ellipsoid(scaled, &p->reach, from->linear, p->in->cols, &from->layout, p->symbols, err);
  p->bends[i] = status == ATTCERT_OK && promises_less(p, i, p->reach * operation_squares_size(&of)) &&
                operation_squares_factor(p->factor, &of);
  if (!p->bends[i]) p->reach = 0.0;
  free(scaled);
  return status;
}

/* Segments of the fresh symbols and of the squares. */
static attcert_status make_symbols(const activation_pass *p, int i, form_symbols *symbols, int origin,
                                   attcert_error *err) {
  const form_layout *const layout = &p->in->row[i].layout;
  const form_segment squares = {.width = squares_width(p, i), .radius = p->reach, .origin = origin};
  const double *const bound = (p->bends[i] ? p->bent : p->line).bound + (size_t)i * (size_t)p->in->cols;
  const int first = symbols->count;
  int id;
  attcert_status status = operation_fresh(symbols, bound, p->in->cols, INFINITY, origin, err);
  if (status == ATTCERT_OK && squares.width > 0) status = form_symbols_add(&id, symbols, &squares, err);
  return status == ATTCERT_OK ? operation_row_layout(p->out, i, &layout, 1, first, symbols, err) : status;
}

static void write_row(const activation_pass *p, int i) {
  const form_row *const from = &p->in->row[i], *const to = &p->out->row[i];
  const size_t columns = (size_t)form_layout_columns(&from->layout), width = (size_t)form_layout_columns(&to->layout);
  const size_t cols = (size_t)p->in->cols, first = (size_t)i * cols;
  const followed *const of = p->bends[i] ? &p->bent : &p->line;
  for (size_t c = 0; c < cols; c++) {
    double *const line = to->linear + c * width;
    p->out->center[first + c] = of->center[first + c];
    for (size_t k = 0; k < columns; k++) line[k] = of->slope[first + c] * from->linear[c * columns + k];
    line[columns + c] = 1.0;
    if (p->bends[i]) memcpy(line + columns + cols, p->factor + c * cols, (c + 1) * sizeof *line);
  }
}

static attcert_status make_row(activation_pass *p, int i, form_symbols *symbols, int origin, attcert_error *err) {
  p->out->row[i].token = p->in->row[i].token;
  attcert_status status = factor_squares(p, i, err);
  if (status == ATTCERT_OK) status = make_symbols(p, i, symbols, origin, err);
  if (status == ATTCERT_OK) write_row(p, i);
  return status;
}

attcert_status step_activation_forms(form *out, const step *s, const form *const *inputs, form_symbols *symbols,
                                     int origin, attcert_error *err) {
  const form *const in = inputs[0];
  const size_t rows = (size_t)in->rows, cols = (size_t)in->cols;
  const size_t squares = in->cols <= OPERATION_MOST_SQUARES ? cols : 0;
  activation_pass p = {.out = out, .in = in, .symbols = symbols, .curve = s->of};
  const array_table table = {{ARRAY(p.line.slope, rows, cols), ARRAY(p.line.center, rows, cols),
                              ARRAY(p.line.bound, rows, cols), ARRAY(p.bent.slope, rows, cols),
                              ARRAY(p.bent.center, rows, cols), ARRAY(p.bent.bound, rows, cols),
                              ARRAY(p.square, rows, cols), ARRAY(p.bends, rows), ARRAY(p.factor, squares, squares)}};
  attcert_status status = form_init(out, in->rows, in->cols, err);
  if (status == ATTCERT_OK) status = array_table_allocate(&table, err, "the lines of %zu x %zu entries", rows, cols);
  if (status != ATTCERT_OK) return status;
  parallel_for(in->rows, parallel_threads(0), follow_lines, &p);
  pick_rows(&p);
  parallel_for(in->rows, parallel_threads(0), follow_parabolas, &p);
  for (int i = 0; i < in->rows && status == ATTCERT_OK; i++) status = make_row(&p, i, symbols, origin, err);
  array_table_release(&table);
  return status;
}
