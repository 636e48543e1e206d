#include "certify/cholesky_certificate.h"

#include "certify/nonnegative_norm.h"
#include "certify/panel_cholesky.h"
#include "certify/rounding.h"
#include "certify/sum_upward.h"

#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS = 12 };

typedef struct {
  const symmetric_source *source;
  panels a;        /* G, then M, then L */
  double *row_sum; /* [n]: of |G|, then of |R~| */
  double diagonal; /* max |m_ii| */
} certificate;

/* The largest row sum rounded up; +inf when one is not a number. */
static double largest_row_sum(const certificate *w) {
  double largest = 0.0;
  for (int i = 0; i < w->a.n; i++) {
    if (!isfinite(w->row_sum[i])) return INFINITY;
    largest = fmax(largest, w->row_sum[i]);
  }
  return round_up_nonnegative(largest, w->a.n);
}

/* ||G||_inf rounded up: a bound that needs no factorisation. */
static double absolute_row_sum(const certificate *w) {
  const panels *const a = &w->a;
  memset(w->row_sum, 0, sizeof(double) * (size_t)a->n);
  for (int p = 0; p < a->count; p++) {
    for (int i = panel_first(a, p); i < a->n; i++) {
      const double *const row = panel_row(a, p, i);
      for (int j = 0; j < panel_columns(a, p) && panel_first(a, p) + j <= i; j++) {
        const int column = panel_first(a, p) + j;
        w->row_sum[i] += fabs(row[j]);
        if (column < i) w->row_sum[column] += fabs(row[j]);
      }
    }
  }
  return largest_row_sum(w);
}

/* G -> M = tau2 I - G; the diagonal is rounded. */
static void shift(certificate *w, double tau2) {
  const panels *const a = &w->a;
  w->diagonal = 0.0;
  for (int p = 0; p < a->count; p++) {
    const size_t columns = (size_t)panel_columns(a, p), count = (size_t)panel_rows(a, p) * columns;
    for (size_t e = 0; e < count; e++) a->panel[p][e] = -a->panel[p][e];
    for (size_t j = 0; j < columns; j++) {
      double *const m = a->panel[p] + j * (columns + 1);
      *m = tau2 + *m;
      w->diagonal = fmax(w->diagonal, fabs(*m));
    }
  }
}

/* y = |L| x or |L|^T x; at most n + 1 roundings an entry. */
static void apply_absolute_factor(const void *context, double *y, const double *x, bool transpose) {
  const panels *const a = context;
  memset(y, 0, sizeof(double) * (size_t)a->n);
  for (int p = 0; p < a->count; p++) {
    const int first = panel_first(a, p), columns = panel_columns(a, p);
    for (int i = first; i < a->n; i++) {
      const double *const row = panel_row(a, p, i);
      double sum = 0.0;
      if (transpose)
        for (int j = 0; j < columns; j++) y[first + j] += fabs(row[j]) * x[i];
      else
        for (int j = 0; j < columns; j++) sum += fabs(row[j]) * x[first + j];
      if (!transpose) y[i] += sum;
    }
  }
}

/* tau2 + ||R||_2, every term of the header's formula, summed upward. */
static attcert_status certified_bound(mpfr_t upper, const certificate *w, double tau2, attcert_error *err) {
  const linear_operator factor = {w->a.n, w->a.n, apply_absolute_factor, &w->a};
  const double n = w->a.n, chunks = w->a.count, chunk = w->a.width;
  double factor_norm;
  const attcert_status status = nonnegative_norm_squared(&factor_norm, &factor, n + 1.0, err);
  if (status != ATTCERT_OK) return status;
  const double residual = largest_row_sum(w);
  const double underflow = n * n * 0x1p-1073; /* n products, each 2^-1074, in n columns */
  double terms[] = {residual, gamma_upper(chunks) * residual, gamma_upper(chunk + chunks) * factor_norm,
                    UNIT_ROUNDOFF * w->diagonal, underflow};
  const size_t count = sizeof terms / sizeof terms[0];
  for (size_t i = 0; i < count; i++) terms[i] = round_up_nonnegative(terms[i], 1.0);
  mpfr_set_d(upper, tau2, MPFR_RNDU);
  add_doubles_upward(upper, terms, count);
  return ATTCERT_OK;
}

/* One attempt with tau2 on the filled panels; *succeeded when a bound was added to `upper`. */
static attcert_status attempt(mpfr_t upper, bool *succeeded, certificate *w, double tau2,
                              const attcert_options *options, attcert_error *err) {
  shift(w, tau2);
  memset(w->row_sum, 0, sizeof(double) * (size_t)w->a.n);
  attcert_status status = panel_cholesky(succeeded, &w->a, w->row_sum, options, err);
  if (status != ATTCERT_OK || !*succeeded) return status;
  mpfr_t bound;
  mpfr_init2(bound, mpfr_get_prec(upper));
  status = certified_bound(bound, w, tau2, err);
  if (status == ATTCERT_OK) mpfr_min(upper, upper, bound, MPFR_RNDU);
  mpfr_clear(bound);
  return status;
}

static attcert_status search(mpfr_t upper, certificate *w, double guess, const attcert_options *options,
                             attcert_error *err) {
  attcert_status status = w->source->fill(w->source->context, &w->a, err);
  if (status != ATTCERT_OK) return status;
  const double row_sum = absolute_row_sum(w);
  mpfr_set_d(upper, row_sum, MPFR_RNDU);
  /* Cholesky of a nearly singular M succeeds when its least eigenvalue exceeds some n u tau2. */
  double slack = 1e-12 * fmax(1.0, (double)w->a.n / 1024.0);
  bool succeeded = false;
  for (int i = 0; i < ATTEMPTS && guess > 0.0 && !succeeded && status == ATTCERT_OK; i++, slack *= 16.0) {
    const double tau2 = guess * (1.0 + slack);
    if (!(tau2 < row_sum)) break;
    if (i > 0) status = w->source->fill(w->source->context, &w->a, err);
    if (status == ATTCERT_OK) status = attempt(upper, &succeeded, w, tau2, options, err);
  }
  return status;
}

attcert_status largest_eigenvalue_upper_from(mpfr_t upper, const symmetric_source *g, double guess,
                                             const attcert_options *options, attcert_error *err) {
  certificate w = {.source = g};
  mpfr_set_inf(upper, 1);
  attcert_status status = panels_init(&w.a, g->n, err);
  if (status != ATTCERT_OK) return status;
  w.row_sum = malloc(sizeof(double) * (size_t)g->n);
  status = w.row_sum == NULL
               ? attcert_fail(err, ATTCERT_RESOURCE, "out of memory: row sums of a matrix of side %d", g->n)
               : search(upper, &w, guess, options, err);
  free(w.row_sum);
  panels_clear(&w.a);
  return status;
}

static attcert_status fill_from_array(void *context, const panels *lower, attcert_error *err) {
  const double *const *const g = context;
  (void)err;
  panels_put_transposed(lower, 0, lower->n, 0, lower->n, *g, (size_t)lower->n);
  return ATTCERT_OK;
}

attcert_status largest_eigenvalue_upper(mpfr_t upper, const double *g, int n, double guess,
                                        const attcert_options *options, attcert_error *err) {
  const symmetric_source source = {n, fill_from_array, &g};
  return largest_eigenvalue_upper_from(upper, &source, guess, options, err);
}
