#include "linalg/eigenvalue/largest_eigenvalue.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "base/process_group.h"
#include "linalg/operator/nonnegative_norm.h"
#include "linalg/panel/panel_absolute.h"
#include "linalg/panel/panel_cholesky.h"
#include "linalg/rounding/rounding.h"
#include "linalg/rounding/sum_upward.h"

#include <string.h>

/* Attempts with a higher shift; with a better guess, each of which may cost a factorisation. */
enum { ATTEMPTS = 12, IMPROVEMENTS = 3 };

/* || |L| ||^2 counts with gamma: a few per cent of it are not worth another reading of the factor. */
static const double WORTHWHILE_GAIN = 1.0 / 16;

typedef struct {
  const symmetric_source *source;
  panel_store store;   /* G, then M, then L */
  double *absolute;    /* [n]: row sums of |G|, those of the windows filled so far */
  double *residual;    /* [n]: row sums of |R~|, likewise */
  double diagonal;     /* max |m_ii|, likewise */
  double absolute_max; /* ||G||_inf rounded up, when every window has been filled; otherwise +inf */
  int failed;          /* column whose pivot ended the last attempt, or PANEL_CHOLESKY_DONE */
  double *images;      /* [panel_absolute_images] */
  int threads;
} certificate;

static const attcert_process_group *group_of(const certificate *w) {
  return w->store.storage.group;
}

/* The largest row sum rounded up; +inf when one is not a number. However the sum was split, a term took part
 * in fewer than n additions. */
static double largest_row_sum(const double *row_sum, int n) {
  double largest = 0.0;
  for (int i = 0; i < n; i++) {
    if (!isfinite(row_sum[i])) return INFINITY;
    largest = fmax(largest, row_sum[i]);
  }
  return round_up_nonnegative(largest, n);
}

static void reset_sums(certificate *w) {
  const size_t bytes = sizeof(double) * (size_t)w->store.a.n;
  memset(w->absolute, 0, bytes);
  memset(w->residual, 0, bytes);
  w->diagonal = 0.0;
  w->absolute_max = INFINITY;
}

/* ---- a window of G ----------------------------------------------------------------------------------------------- */

static void add_absolute_row_sums(certificate *w) {
  const panels *const a = &w->store.a;
  for (int p = w->store.first; p < w->store.end; p++)
    if (panel_is_own(a, p))
      panels_add_row_sums(w->absolute + panel_first(a, p), w->absolute + panel_first(a, p), a->panel[p],
                          panel_first(a, p), panel_rows(a, p), panel_first(a, p), panel_columns(a, p));
}

/* The window's entries of G, and its part of the row sums. With the last window ||G||_inf is known: a bound
 * that needs no factorisation. */
static attcert_status fill_window(mpfr_t upper, certificate *w, attcert_error *err) {
  attcert_status status = w->source->fill(w->source->context, &w->store.a, err);
  status = process_group_allreduce_status(group_of(w), status, err);
  if (status != ATTCERT_OK) return status;
  add_absolute_row_sums(w);
  if (!panel_store_is_last(&w->store)) return ATTCERT_OK;
  process_group_allreduce_sum(group_of(w), w->absolute, (size_t)w->store.a.n);
  w->absolute_max = largest_row_sum(w->absolute, w->store.a.n);
  mpfr_t bound;
  mpfr_init2(bound, 53);
  mpfr_set_d(bound, w->absolute_max, MPFR_RNDU);
  mpfr_min(upper, upper, bound, MPFR_RNDU);
  mpfr_clear(bound);
  return ATTCERT_OK;
}

/* G -> M = tau2 I - G in the window; the diagonal is rounded. */
static void shift(certificate *w, double tau2) {
  const panels *const a = &w->store.a;
  for (int p = w->store.first; p < w->store.end; p++) {
    if (!panel_is_own(a, p)) continue;
    const size_t columns = (size_t)panel_columns(a, p), count = (size_t)panel_rows(a, p) * columns;
    for (size_t e = 0; e < count; e++) a->panel[p][e] = -a->panel[p][e];
    for (size_t j = 0; j < columns; j++) {
      double *const m = a->panel[p] + j * (columns + 1);
      *m = tau2 + *m;
      w->diagonal = fmax(w->diagonal, fabs(*m));
    }
  }
}

/* ---- the bound of a factorisation -------------------------------------------------------------------------------- */

/* y = |L| |L|^T x, with one reading of the factor; each of the two products takes at most n + 1 roundings an entry. */
static attcert_status apply_absolute_square(void *context, double *y, const double *x, attcert_error *err) {
  const certificate *const w = context;
  const panels *const a = &w->store.a;
  attcert_status status = ATTCERT_OK;
  memset(y, 0, sizeof(double) * (size_t)a->n);
  for (int p = a->rank; p < a->count && status == ATTCERT_OK; p += a->size) {
    panel_part part;
    status = panel_store_own(&part, &w->store, p, err);
    if (status == ATTCERT_OK) panel_add_absolute_square(y, x, &part, a->n, w->images, w->threads);
  }
  status = process_group_allreduce_status(group_of(w), status, err);
  if (status == ATTCERT_OK) process_group_allreduce_sum(group_of(w), y, (size_t)a->n);
  return status;
}

/* tau2 + ||R||_2, every term of the header's formula, summed upward. */
static attcert_status certified_bound(mpfr_t upper, certificate *w, double tau2, attcert_error *err) {
  const panels *const a = &w->store.a;
  const double n = a->n, chunks = a->count, chunk = a->width;
  const nonnegative_square factor = {a->n, apply_absolute_square, w, n + 1.0};
  double factor_norm;
  const attcert_status status = nonnegative_radius(&factor_norm, &factor, WORTHWHILE_GAIN, err);
  if (status != ATTCERT_OK) return status;
  const double residual = largest_row_sum(w->residual, a->n);
  const double underflow = 2.0 * n * n * UNDERFLOW_UNIT; /* n products in n columns, and their subtraction from M */
  double terms[] = {residual, gamma_upper(chunks) * residual, gamma_upper(chunk + chunks) * factor_norm,
                    UNIT_ROUNDOFF * w->diagonal, underflow};
  const size_t count = sizeof terms / sizeof terms[0];
  for (size_t i = 0; i < count; i++) terms[i] = round_up_nonnegative(terms[i], 1.0);
  mpfr_set_d(upper, tau2, MPFR_RNDU);
  sum_upward_doubles(upper, terms, count);
  return ATTCERT_OK;
}

/* Takes the bound of the factorisation with tau2, where it is the better one. */
static attcert_status improve(mpfr_t upper, certificate *w, double tau2, attcert_error *err) {
  w->diagonal = process_group_allreduce_max(group_of(w), w->diagonal);
  mpfr_t bound;
  mpfr_init2(bound, mpfr_get_prec(upper));
  const attcert_status status = certified_bound(bound, w, tau2, err);
  if (status == ATTCERT_OK) mpfr_min(upper, upper, bound, MPFR_RNDU);
  mpfr_clear(bound);
  return status;
}

/* ---- windows and attempts ---------------------------------------------------------------------------------------- */

/* The window that begins with panel `first`, filled. */
static attcert_status hold_window(mpfr_t upper, certificate *w, int first, attcert_error *err) {
  attcert_status status = panel_store_hold(&w->store, first, err);
  status = process_group_allreduce_status(group_of(w), status, err);
  return status == ATTCERT_OK ? fill_window(upper, w, err) : status;
}

/* Writes the factored window where its panels are found when it is left. */
static attcert_status write_window(const certificate *w, attcert_error *err) {
  if (panel_store_is_last(&w->store)) return ATTCERT_OK;
  return process_group_allreduce_status(group_of(w), panel_store_write(&w->store, err), err);
}

/* The row sums of G alone. */
static attcert_status bound_by_row_sums(mpfr_t upper, certificate *w, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  reset_sums(w);
  for (int first = 0; first < w->store.a.count && status == ATTCERT_OK; first = w->store.end)
    status = hold_window(upper, w, first, err);
  return status;
}

/* One attempt with tau2; *succeeded when a bound was taken into `upper`. It ends early when the row
 * sums are no worse than tau2. */
static attcert_status attempt(mpfr_t upper, bool *succeeded, certificate *w, double tau2,
                              const attcert_options *options, attcert_error *err) {
  panel_progress progress = panel_cholesky_progress_start(&w->store.a);
  attcert_status status = ATTCERT_OK;
  *succeeded = true;
  w->failed = PANEL_CHOLESKY_DONE;
  reset_sums(w);
  for (int first = 0; first < w->store.a.count && *succeeded && status == ATTCERT_OK; first = w->store.end) {
    status = hold_window(upper, w, first, err);
    *succeeded = status == ATTCERT_OK && tau2 < w->absolute_max;
    if (!*succeeded) break;
    shift(w, tau2);
    status = panel_cholesky(&w->failed, &w->store, w->residual, &progress, options, err);
    *succeeded = w->failed == PANEL_CHOLESKY_DONE;
    if (status == ATTCERT_OK && *succeeded) status = write_window(w, err);
  }
  return status == ATTCERT_OK && *succeeded ? improve(upper, w, tau2, err) : status;
}

/* A failed factorisation shows that lambda_max(G) > tau2, and a direction in which it is: *guess becomes what the
 * source makes of that, if it is more than tau2. */
static attcert_status improve_guess(double *guess, bool *improved, certificate *w, double tau2, attcert_error *err) {
  const symmetric_source *const g = w->source;
  *improved = false;
  if (w->failed == PANEL_CHOLESKY_DONE || g->improve == NULL) return ATTCERT_OK;
  double *const direction = w->absolute; /* whose sums begin anew with the next attempt */
  double better = 0.0;
  attcert_status status = panel_cholesky_curvature(direction, &w->store, w->failed, err);
  if (status == ATTCERT_OK) status = g->improve(g->context, &better, direction, err);
  status = process_group_allreduce_status(group_of(w), status, err);
  *improved = status == ATTCERT_OK && better > tau2 && isfinite(better);
  if (*improved) *guess = better;
  return status;
}

/* Where no estimate is known, one that no G >= 0 falls below: lambda_max >= max |g_ij| >= ||G||_inf / n. */
static attcert_status guess_from_row_sums(double *guess, mpfr_t upper, certificate *w, attcert_error *err) {
  const attcert_status status = bound_by_row_sums(upper, w, err);
  *guess = 0.5 * w->absolute_max / (double)w->store.a.n;
  return status;
}

static attcert_status try_shifts(mpfr_t upper, certificate *w, double guess, const attcert_options *options,
                                 attcert_error *err) {
  /* Cholesky of a nearly singular M succeeds when its least eigenvalue exceeds some n u tau2. */
  const double least = 1e-12 * fmax(1.0, (double)w->store.a.n / 1024.0);
  double slack = least;
  attcert_status status = ATTCERT_OK;
  bool succeeded = false;
  w->absolute_max = INFINITY;
  if (!(guess > 0.0)) status = guess_from_row_sums(&guess, upper, w, err);
  for (int i = 0, improvements = 0; i < ATTEMPTS + improvements && !succeeded && status == ATTCERT_OK;
       i++, slack *= 16.0) {
    const double tau2 = guess * (1.0 + slack);
    bool improved = false;
    if (!(tau2 < w->absolute_max)) break;
    status = attempt(upper, &succeeded, w, tau2, options, err);
    if (succeeded || status != ATTCERT_OK || improvements == IMPROVEMENTS) continue;
    status = improve_guess(&guess, &improved, w, tau2, err);
    if (!improved) continue;
    improvements++;
    slack = least / 16.0;
  }
  const bool known = succeeded || isfinite(w->absolute_max);
  return status == ATTCERT_OK && !known ? bound_by_row_sums(upper, w, err) : status;
}

uint64_t largest_eigenvalue_bytes(const panels *shape, bool file, int threads) {
  const uint64_t vectors = 4; /* two kinds of row sums; x and y of a norm */
  const uint64_t images = panel_absolute_images(shape->n, shape->width);
  return panel_store_buffer_bytes(shape, file) + panel_cholesky_bytes(shape, threads) +
         (vectors * (uint64_t)shape->n + images) * sizeof(double);
}

attcert_status largest_eigenvalue_upper_of_source(mpfr_t upper, const symmetric_source *g, double guess,
                                                  const panel_storage *storage, const attcert_options *options,
                                                  attcert_error *err) {
  certificate w = {.source = g, .threads = parallel_threads(options != NULL ? options->threads : 0)};
  mpfr_set_inf(upper, 1);
  attcert_status status = panel_store_init(&w.store, g->n, storage, err);
  const array_table arrays = {{ARRAY(w.absolute, (size_t)g->n), ARRAY(w.residual, (size_t)g->n),
                               ARRAY(w.images, panel_absolute_images(g->n, w.store.a.width))}};
  if (status == ATTCERT_OK) status = array_table_allocate(&arrays, err, "a row sum of a matrix of side %d", g->n);
  status = process_group_allreduce_status(storage->group, status, err);
  if (status == ATTCERT_OK) status = try_shifts(upper, &w, guess, options, err);
  array_table_release(&arrays);
  panel_store_clear(&w.store);
  return status;
}
