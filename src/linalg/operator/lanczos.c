#include "linalg/operator/lanczos.h"

#include "base/arrays.h"
#include "base/progress_report.h"
#include "base/uniform.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { MAX_STEPS = 300, MIN_STEPS = 24, CHECK_EVERY = 8, MAX_RESTARTS = 12 };
static const size_t BASIS_DOUBLES = (size_t)1 << 23; /* 64 MiB for the basis, unless MIN_STEPS need more */

typedef struct {
  const linear_operator *a;
  bool wide;            /* fewer rows than columns: A A^T instead of A^T A, as the basis is then shorter */
  int n, steps;         /* dimension: the lesser side; largest number of basis vectors */
  double *basis;        /* steps + 1 rows of n */
  double *image;        /* A v, or A^T v: the other side */
  double *alpha, *beta; /* the tridiagonal matrix */
  double *diagonal, *sub, *eigenvectors, *coefficients, *work;
  bool left; /* an invariant subspace, once */
} krylov;

static int steps_for(int n) {
  size_t steps = BASIS_DOUBLES / (size_t)n;
  if (steps > MAX_STEPS) steps = MAX_STEPS;
  if (steps < MIN_STEPS) steps = MIN_STEPS;
  return steps > (size_t)n ? n : (int)steps;
}

/* m steps with vectors of dimension n; image: of the other side. */
static array_table arrays_of(krylov *k, size_t m, size_t n, size_t image) {
  return (array_table){{
      ARRAY(k->basis, m + 1, n),
      ARRAY(k->image, image),
      ARRAY(k->alpha, m),
      ARRAY(k->beta, m),
      ARRAY(k->diagonal, m),
      ARRAY(k->sub, m),
      ARRAY(k->eigenvectors, m, m),
      ARRAY(k->coefficients, m + 1),
      ARRAY(k->work, 2, m),
  }};
}

uint64_t lanczos_bytes(size_t cols) {
  krylov k;
  const array_table arrays = arrays_of(&k, cols > INT32_MAX ? MIN_STEPS : (size_t)steps_for((int)cols), cols, cols);
  return array_table_bytes(&arrays);
}

static attcert_status krylov_init(krylov *k, const linear_operator *a, attcert_error *err) {
  const bool wide = a->rows < a->cols;
  const int side = wide ? a->rows : a->cols;
  *k = (krylov){.a = a, .wide = wide, .n = side, .steps = steps_for(side)};
  const array_table arrays = arrays_of(k, (size_t)k->steps, (size_t)side, (size_t)(wide ? a->cols : a->rows));
  return array_table_allocate(&arrays, err, "a Lanczos iteration in dimension %d", side);
}

static void krylov_clear(krylov *k) {
  const array_table arrays = arrays_of(k, 0, 0, 0);
  array_table_release(&arrays);
}

/* v := v - (projection on the first m basis vectors), twice for orthogonality to working precision. */
static void orthogonalize(krylov *k, double *v, int m) {
  for (int pass = 0; pass < 2; pass++) {
    cblas_dgemv(CblasRowMajor, CblasNoTrans, m, k->n, 1.0, k->basis, k->n, v, 1, 0.0, k->coefficients, 1);
    cblas_dgemv(CblasRowMajor, CblasTrans, m, k->n, -1.0, k->basis, k->n, k->coefficients, 1, 1.0, v, 1);
  }
}

/* Largest eigenpair of the m x m tridiagonal matrix: value returned, vector left in the last column of eigenvectors. */
static double tridiagonal_top(krylov *k, int m) {
  memcpy(k->diagonal, k->alpha, sizeof(double) * (size_t)m);
  memcpy(k->sub, k->beta, sizeof(double) * (size_t)m);
  if (LAPACKE_dstev_work(LAPACK_COL_MAJOR, 'V', m, k->diagonal, k->sub, k->eigenvectors, m, k->work) != 0) return NAN;
  return k->diagonal[m - 1];
}

static bool scale_to_unit_norm(double *v, int n) {
  const double norm = cblas_dnrm2(n, v, 1);
  if (!(norm > 0.0) || !isfinite(norm)) return false;
  cblas_dscal(n, 1.0 / norm, v, 1);
  return true;
}

/* next := a random unit vector orthogonal to the m basis vectors, which span an invariant subspace: what the start
 * has no component of may be larger than anything in it. */
static bool leave_subspace(krylov *k, double *next, int m) {
  if (k->left || m == k->steps) return false;
  k->left = true;
  k->beta[m - 1] = 0.0;
  for (int i = 0; i < k->n; i++) next[i] = uniform_entry((uint64_t)k->n + (uint64_t)i);
  orthogonalize(k, next, m);
  return scale_to_unit_norm(next, k->n);
}

/* One Lanczos run from basis row 0 (unit). Leaves the Ritz vector in row 0; true when the value has converged. */
static bool lanczos_run(krylov *k, double *theta, double settled) {
  double previous = 0.0, scale = 0.0;
  int m = 0;
  bool converged = false;
  while (m < k->steps && !converged) {
    const double *const v = k->basis + (size_t)m * (size_t)k->n;
    double *const next = k->basis + (size_t)(m + 1) * (size_t)k->n;
    k->a->apply(k->a->context, k->image, v, k->wide);
    k->a->apply(k->a->context, next, k->image, !k->wide);
    k->alpha[m] = cblas_ddot(k->n, next, 1, v, 1);
    orthogonalize(k, next, ++m);
    k->beta[m - 1] = cblas_dnrm2(k->n, next, 1);
    scale = fmax(scale, fabs(k->alpha[m - 1]));
    bool invariant = !(k->beta[m - 1] > 1e-15 * scale);
    if (invariant)
      invariant = !leave_subspace(k, next, m);
    else
      cblas_dscal(k->n, 1.0 / k->beta[m - 1], next, 1);
    if (!invariant && m % CHECK_EVERY != 0 && m < k->steps) continue;
    *theta = tridiagonal_top(k, m);
    if (!isfinite(*theta)) return true; /* the operator overflows: keep the start */
    const double residual = fabs(k->beta[m - 1] * k->eigenvectors[(size_t)m * (size_t)m - 1]);
    /* The error of a Ritz value is of the order residual^2 / gap; a value that still grows says nothing of its gap. */
    converged = invariant || (residual <= 1e-7 * *theta && *theta - previous <= settled * *theta);
    previous = *theta;
  }
  double *const ritz = k->basis + (size_t)k->steps * (size_t)k->n; /* the last row is free to be overwritten */
  const double *const s = k->eigenvectors + (size_t)m * (size_t)(m - 1);
  cblas_dgemv(CblasRowMajor, CblasTrans, m, k->n, 1.0, k->basis, k->n, s, 1, 0.0, ritz, 1);
  memcpy(k->basis, ritz, sizeof(double) * (size_t)k->n);
  return !scale_to_unit_norm(k->basis, k->n) || converged;
}

/* vector := the Ritz vector in basis row 0, or of the other side the direction that A^T
 * sends it to, unless that is 0. */
static void keep_proposal(double *vector, krylov *k) {
  const double *from = k->basis;
  if (k->wide) {
    k->a->apply(k->a->context, k->image, k->basis, true);
    if (!scale_to_unit_norm(k->image, k->a->cols)) return;
    from = k->image;
  }
  memcpy(vector, from, sizeof(double) * (size_t)k->a->cols);
}

/* ||A v||, with room for A v where a basis was. */
static double image_norm(krylov *k, const double *v) {
  double *const image = k->wide ? k->basis : k->image;
  k->a->apply(k->a->context, image, v, false);
  return cblas_dnrm2(k->a->rows, image, 1);
}

static void fill_randomly(double *v, int n) {
  for (int i = 0; i < n; i++) v[i] = uniform_entry((uint64_t)i);
  scale_to_unit_norm(v, n);
}

/* vector and basis row 0: in the start's direction; random where there is none, or A sends it to 0. */
static void set_start(double *vector, krylov *k, const double *start) {
  const linear_operator *const a = k->a;
  if (start != NULL) memcpy(k->image, start, sizeof(double) * (size_t)a->cols);
  fill_randomly(vector, a->cols);
  fill_randomly(k->basis, k->n);
  if (start == NULL) return;
  if (!scale_to_unit_norm(k->image, a->cols)) return;
  memcpy(vector, k->image, sizeof(double) * (size_t)a->cols);
  if (k->wide)
    a->apply(a->context, k->basis, vector, false);
  else
    memcpy(k->basis, vector, sizeof(double) * (size_t)a->cols);
  if (!scale_to_unit_norm(k->basis, k->n)) fill_randomly(k->basis, k->n);
}

attcert_status lanczos_top(double *vector, double *sigma, const linear_operator *a, const attcert_options *options,
                           attcert_error *err) {
  return lanczos_top_from(vector, sigma, a, NULL, options, err);
}

attcert_status lanczos_top_from(double *vector, double *sigma, const linear_operator *a, const double *start,
                                const attcert_options *options, attcert_error *err) {
  krylov k;
  attcert_status status = krylov_init(&k, a, err);
  if (status != ATTCERT_OK) return status;
  set_start(vector, &k, start);
  /* A thousandth of the tolerance is negligible beside it. */
  const double settled = options != NULL ? fmax(1e-15, 1e-3 * options->tolerance) : 1e-15;
  double theta = 0.0;
  for (int restart = 0; restart < MAX_RESTARTS; restart++) {
    status = progress_report(options, "Lanczos", (double)restart / MAX_RESTARTS, err);
    if (status != ATTCERT_OK) break;
    const bool converged = lanczos_run(&k, &theta, settled);
    const double norm = cblas_dnrm2(k.n, k.basis, 1);
    if (fabs(norm - 1.0) < 1e-8) keep_proposal(vector, &k);
    if (converged) break;
  }
  *sigma = image_norm(&k, vector);
  krylov_clear(&k);
  return status;
}
