#include "network/step_linear.h"

#include "base/arrays.h"
#include "interval/interval_convert.h"
#include "linalg/rounding/upward.h"
#include "robust/range/range.h"

#include <string.h>

attcert_status step_linear_numbers(step_linear *l, size_t count, attcert_error *err) {
  l->number = array_new(count, sizeof *l->number, err, "a derivative of %zu numbers", count);
  return l->number != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
}

double step_linear_row(double *mid, const interval *row, int n, interval_scratch *ws) {
  double squares = 0.0, miss;
  bool exact = true; /* zeros, for instance, next to which what squares underflow by is not small */
  for (int c = 0; c < n; c++) {
    interval_get_midrad(&mid[c], &miss, &row[c], ws);
    squares += miss * miss;
    exact = exact && miss == 0.0;
  }
  return exact ? 0.0 : round_up_nonnegative(sqrt(round_up_nonnegative(squares, (double)n)), 1.0);
}

/* ---- derivatives that act on each row, or each part of one, by itself -------------------------------------------- */

static int rows_of(const step_linear *l) {
  return l->rows[0] * l->parts;
}

static int cols_of(const step_linear *l) {
  return l->cols[0] / l->parts;
}

/* Row i of number `which` of input k: 0 a, 1 u_0, 2 w_0, 3 u_1 ... */
static double *numbers_of(const step_linear *l, int k, int i, int which) {
  const size_t rows = (size_t)rows_of(l), cols = (size_t)cols_of(l), kinds = 1 + 2 * (size_t)l->ranks;
  return l->number + (((size_t)k * kinds + (size_t)which) * rows + (size_t)i) * cols;
}

attcert_status step_linear_rows_init(step_linear *l, int parts, int ranks, attcert_error *err) {
  l->parts = parts;
  l->ranks = ranks;
  return step_linear_numbers(
      l, ARRAY_COUNT((size_t)l->inputs, 1 + 2 * (size_t)ranks, (size_t)l->rows[0], (size_t)l->cols[0]), err);
}

/* |u w^T - u~ w~^T| <= m_u ||w~|| + ||u~|| m_w + m_u m_w. */
void step_linear_rows_set(step_linear *l, int k, int i, const interval *diagonal, const interval *const *pairs,
                          interval_scratch *ws) {
  double *const a = numbers_of(l, k, i, 0);
  const int cols = cols_of(l);
  double size = 0.0, missed = 0.0;
  for (int c = 0; c < cols; c++) {
    double miss;
    interval_get_midrad(&a[c], &miss, &diagonal[c], ws);
    size = range_larger(size, fabs(a[c]));
    missed = range_larger(missed, miss);
  }
  for (int r = 0; r < l->ranks; r++) {
    double *const u = numbers_of(l, k, i, 2 * r + 1), *const w = numbers_of(l, k, i, 2 * r + 2);
    const double of_u = step_linear_row(u, pairs[2 * r], cols, ws),
                 of_w = step_linear_row(w, pairs[2 * r + 1], cols, ws);
    const double long_u = norm_upper(u, (size_t)cols), long_w = norm_upper(w, (size_t)cols);
    size = upward_add(size, upward_mul(long_u, long_w));
    if (!(long_u < STEP_LINEAR_TOO_LONG) || !(long_w < STEP_LINEAR_TOO_LONG)) missed = INFINITY;
    missed = upward_add3(missed, upward_mul(of_u, upward_add(long_w, of_w)), upward_mul(long_u, of_w));
  }
  l->size[k].norm = range_larger(l->size[k].norm, size);
  l->size[k].missed = range_larger(l->size[k].missed, missed);
}

void step_linear_rows_finish(step_linear *l, int k, double norm) {
  step_linear_size *const size = &l->size[k];
  const double dot = l->ranks > 0 ? (double)cols_of(l) : 0.0;
  const double path = dot + 2.0 * (double)l->inputs * (1.0 + (double)l->ranks);
  size->pushed = size->pulled = upward_mul(gamma_upper(path), size->norm);
  size->norm = isnan(norm) ? upward_add(size->norm, size->missed) : norm;
}

attcert_status step_linear_columns(step_linear *l, step_linear_column *column, step_scratch *scratch,
                                   attcert_error *err) {
  step_enclosure row;
  attcert_status status = step_linear_rows_init(l, 1, 0, err);
  if (status == ATTCERT_OK) status = step_enclosure_init(&row, 1, l->cols[0], scratch->precision, err);
  if (status != ATTCERT_OK) return status;
  for (int c = 0; c < row.cols; c++) column(&row.entry[c], l->step, c, scratch);
  for (int i = 0; i < l->rows[0]; i++) step_linear_rows_set(l, 0, i, row.entry, NULL, &scratch->ws);
  step_linear_rows_finish(l, 0, NAN);
  step_enclosure_clear(&row);
  return ATTCERT_OK;
}

/* to += D from for a row of input k, or the transpose: then the two of each pair change places. */
static void add_row(double *to, const double *from, const step_linear *l, int k, int i, bool transpose) {
  const double *const a = numbers_of(l, k, i, 0);
  const int cols = cols_of(l);
  for (int c = 0; c < cols; c++) to[c] += a[c] * from[c];
  for (int r = 0; r < l->ranks; r++) {
    const double *const u = numbers_of(l, k, i, 2 * r + (transpose ? 2 : 1));
    const double *const w = numbers_of(l, k, i, 2 * r + (transpose ? 1 : 2));
    double along = 0.0;
    for (int c = 0; c < cols; c++) along += w[c] * from[c];
    for (int c = 0; c < cols; c++) to[c] += u[c] * along;
  }
}

void step_linear_rows_push(double *y, const step_linear *l, const double *const *x, int count, double *scratch) {
  const size_t rows = (size_t)rows_of(l), cols = (size_t)cols_of(l);
  (void)scratch;
  memset(y, 0, (size_t)count * rows * cols * sizeof *y);
  for (size_t j = 0; j < (size_t)count * rows; j++) {
    for (int k = 0; k < l->inputs; k++) add_row(y + j * cols, x[k] + j * cols, l, k, (int)(j % rows), false);
  }
}

void step_linear_rows_pull(double *const *x, const step_linear *l, const double *y, int count, double *scratch) {
  const size_t rows = (size_t)rows_of(l), cols = (size_t)cols_of(l);
  (void)scratch;
  for (int k = 0; k < l->inputs; k++) {
    memset(x[k], 0, (size_t)count * rows * cols * sizeof *y);
    for (size_t j = 0; j < (size_t)count * rows; j++)
      add_row(x[k] + j * cols, y + j * cols, l, k, (int)(j % rows), true);
  }
}
