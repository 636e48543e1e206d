#include "network/step_normalize.h"

#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"

#include <math.h>

int step_normalize_fresh(int cols, int parts, int k) {
  return k >= 2 * parts ? 0 : k % 2 == 0 ? 1 : cols / parts;
}

void step_normalize(interval *z, int n, double epsilon, step_scratch *scratch) {
  interval *const s = &scratch->t[0], *const d = &scratch->t[1], *const t = &scratch->t[2];
  interval_set_si(d, n);
  interval_set_zero(s);
  for (int a = 0; a < n; a++) {
    interval_sqr(t, &z[a], &scratch->ws);
    interval_add(s, s, t);
  }
  interval_div(s, s, d, &scratch->ws);
  interval_set_d(t, epsilon);
  interval_add(s, s, t);
  interval_sqrt(s, s);
  for (int a = 0; a < n; a++) interval_div(&z[a], &z[a], s, &scratch->ws);
}

void step_normalize_gain(interval *g, const double *gain, const interval *dy, int n, step_scratch *scratch) {
  interval *const t = &scratch->t[4];
  for (int a = 0; a < n; a++) {
    interval_set_d(t, gain[a]);
    interval_mul(&g[a], t, &dy[a], &scratch->ws);
  }
}

/* As the header has it; t[2] holds the sum of g, or 0. Uses t[3] and t[4]. */
static void pull_back_row(interval *dx, const interval *z, const interval *g, int n, step_scratch *scratch) {
  const interval *const s = &scratch->t[0], *const d = &scratch->t[1], *const sum = &scratch->t[2];
  interval *const along = &scratch->t[3], *const t = &scratch->t[4];
  interval_dot(along, z, g, (size_t)n, &scratch->ws);
  for (int a = 0; a < n; a++) {
    interval_fma(t, &z[a], along, sum, &scratch->ws);
    interval_div(t, t, d, &scratch->ws);
    interval_sub(t, &g[a], t);
    interval_div(t, t, s, &scratch->ws);
    interval_add(&dx[a], &dx[a], t);
  }
}

attcert_status step_normalize_pull_back(const step_enclosure *dx, const step_normalization *of, const step_enclosure *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err) {
  const int n = dy->cols / of->parts;
  interval *const sum = &scratch->t[2];
  step_enclosure rows; /* z, g */
  const attcert_status status = step_enclosure_init(&rows, 2, n, scratch->precision, err);
  if (status != ATTCERT_OK) return status;
  for (int i = 0; i < dy->rows * of->parts; i++) {
    const int row = i / of->parts, first = i % of->parts * n;
    interval *const z = rows.entry, *const g = rows.entry + n;
    of->part(z, step_entry(x, row, first), n, of->epsilon, scratch);
    step_normalize_gain(g, of->gain + first, step_entry(dy, row, first), n, scratch);
    interval_set_zero(sum);
    for (int a = 0; a < n && of->centered; a++) interval_add(sum, sum, &g[a]);
    pull_back_row(step_entry(dx, row, first), z, g, n, scratch);
  }
  step_enclosure_clear(&rows);
  return ATTCERT_OK;
}

/* From z, normalised, with s and n in t[0] and t[1], the rows of step_normalize_linearize: gain / s, gain z / s,
 * -z / n, -1 / n. */
static void derive_row(step_enclosure *rows, const double *gain, step_scratch *scratch) {
  const interval *const s = &scratch->t[0], *const d = &scratch->t[1];
  interval *const z = step_entry(rows, 0, 0), *const t = &scratch->t[2];
  for (int c = 0; c < rows->cols; c++) {
    interval *const diagonal = step_entry(rows, 1, c);
    interval_set_d(t, gain[c]);
    interval_div(diagonal, t, s, &scratch->ws);
    interval_mul(step_entry(rows, 2, c), diagonal, &z[c], &scratch->ws);
    interval_div(t, &z[c], d, &scratch->ws);
    interval_neg(step_entry(rows, 3, c), t);
    interval_set_si(t, -1);
    interval_div(step_entry(rows, 4, c), t, d, &scratch->ws);
  }
}

attcert_status step_normalize_linearize(step_linear *l, const step_normalization *of, const step_enclosure *x,
                                        step_scratch *scratch, attcert_error *err) {
  const int n = x->cols / of->parts;
  step_enclosure rows; /* z, then those of derive_row */
  attcert_status status = step_linear_rows_init(l, of->parts, of->centered ? 2 : 1, err);
  if (status == ATTCERT_OK) status = step_enclosure_init(&rows, 5, n, scratch->precision, err);
  if (status != ATTCERT_OK) return status;
  const interval *const pairs[] = {step_entry(&rows, 2, 0), step_entry(&rows, 3, 0), step_entry(&rows, 1, 0),
                                   step_entry(&rows, 4, 0)};
  double norm = 0.0;
  for (int i = 0; i < x->rows * of->parts; i++) {
    const int first = i % of->parts * n;
    of->part(rows.entry, step_entry(x, i / of->parts, first), n, of->epsilon, scratch);
    derive_row(&rows, of->gain + first, scratch);
    step_linear_rows_set(l, 0, i, step_entry(&rows, 1, 0), pairs, &scratch->ws);
    for (int c = 0; c < n; c++) {
      const interval *const gained = step_entry(&rows, 1, c);
      norm = fmax(norm, fmax(-interval_get_d_lower(gained), interval_get_d_upper(gained)));
    }
  }
  step_linear_rows_finish(l, 0, norm);
  step_enclosure_clear(&rows);
  return ATTCERT_OK;
}
