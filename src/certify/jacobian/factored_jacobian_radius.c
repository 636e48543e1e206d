#include "certify/jacobian/factored_jacobian_radius.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

/* ||F - F~||_F <= rho ((gamma_n a + b) ||Q'||_F), a = sum_j ||w_ij|| ||kappa_j||, b = what the radii of w and kappa
 * add: a GEMM (Coq: `outer_products_frobenius`), then a scaling by a power of two, which is exact but for what
 * underflows. Where rho < 2^-1000 was flushed to 0, so is F~, and F is at most 2^-1000 (a + b) ||Q'||_F: 2^-600 stands
 * for 2^-1000 there. */
static double diagonal_radius(const factored_jacobian *m, int h, int i) {
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim, at = factored_jacobian_token(m, h, i);
  double a = 0.0, b = 0.0;
  for (size_t j = 0; j < n; j++) {
    const size_t key = factored_jacobian_token(m, h, (int)j);
    const double w = norm_upper_strided(m->w + at * k * n + j, k, n), w_radius = m->w_radius[at * n + j];
    const double kappa = norm_upper(m->kappa + key * k, k);
    a += w * kappa;
    b += w_radius * kappa + (w + w_radius) * m->kappa_radius[key];
  }
  const double q = norm_upper(m->q + (size_t)h * k * d, k * d);
  const double relative = m->rho[at] > 0.0 ? gamma_upper((double)n) : 1.0;
  const double rho = fmax(m->rho[at], UNDERFLOW_ALLOWANCE);
  return round_up_nonnegative(rho * (relative * a + b) * q, 2.0 * (double)n + 12.0) + UNDERFLOW_ALLOWANCE;
}

static void correlate_token(void *context, int index) {
  factored_jacobian *const m = context;
  const int n = m->n, k = m->head_dim, h = index / n, i = index % n;
  const size_t at = factored_jacobian_token(m, h, i), side = (size_t)k;
  double *const c = m->covariance + at * side * side;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, k, k, n, 1.0, m->w + at * side * (size_t)n, n,
              m->kappa + factored_jacobian_token(m, h, 0) * side, k, 0.0, c, k);
  for (size_t entry = 0; entry < side * side; entry++) c[entry] *= m->rho[at];
  m->f_radius[at] = diagonal_radius(m, h, i);
}

void factored_jacobian_covariances(factored_jacobian *m, int threads) {
  parallel_for(m->heads * m->n, threads, correlate_token, m);
}

/* Bound of ||J'^h_il - J~^h_il||_2 from the radii of its factors. */
static double block_radius(const factored_jacobian *m, int h, int i, int l, double v_norm, double g_norm) {
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, at = factored_jacobian_token(m, h, i),
               entry = at * n + (size_t)l;
  const double w = norm_upper_strided(m->w + at * k * n + (size_t)l, k, n);
  const double value = m->p_radius[entry] * v_norm + UNDERFLOW_ALLOWANCE;
  const double score = m->w_radius[entry] * g_norm + (w + m->w_radius[entry]) * m->g_radius[at];
  return round_up_nonnegative(value + score + (i == l ? m->f_radius[at] : 0.0), 8.0);
}

/* Bound of ||J'^h - J~^h||_2 = norm of the matrix of block norms <= sqrt(row sum x column sum). */
static double head_radius(const factored_jacobian *m, int h, double *column) {
  const size_t k = (size_t)m->head_dim, d = (size_t)m->dim;
  const double v_norm = norm_upper(m->v + (size_t)h * k * d, k * d);
  double largest_row = 0.0, largest_column = 0.0;
  memset(column, 0, (size_t)m->n * sizeof(double));
  for (int i = 0; i < m->n; i++) {
    const double g_norm = norm_upper(m->g + factored_jacobian_token(m, h, i) * d, d);
    double row = 0.0;
    for (int l = 0; l < m->n; l++) {
      const double radius = block_radius(m, h, i, l, v_norm, g_norm);
      row += radius;
      column[l] += radius;
    }
    if (isnan(row)) return INFINITY;
    largest_row = fmax(largest_row, row);
  }
  for (int l = 0; l < m->n; l++) largest_column = fmax(largest_column, column[l]);
  const double product = round_up_nonnegative(largest_row * largest_column, 2.0 * m->n + 1.0);
  return round_up_nonnegative(sqrt(product), 1.0);
}

attcert_status factored_jacobian_radius(double *bound, const factored_jacobian *m, attcert_error *err) {
  double *const column = array_new((size_t)m->n, sizeof *column, err, "the radius of the factored Jacobian");
  if (column == NULL) return ATTCERT_RESOURCE;
  double squares = 0.0;
  for (int h = 0; h < m->heads; h++) {
    const double radius = head_radius(m, h, column);
    squares += radius * radius;
  }
  free(column);
  const double heads = round_up_nonnegative(sqrt(round_up_nonnegative(squares, m->heads + 1.0)), 1.0);
  const size_t outputs = (size_t)m->out_dim * (size_t)m->heads * (size_t)m->head_dim;
  const double output = m->output != NULL ? norm_upper(m->output, outputs) : 1.0;
  *bound = round_up_nonnegative(output * heads, 1.0) + UNDERFLOW_ALLOWANCE;
  return ATTCERT_OK;
}
