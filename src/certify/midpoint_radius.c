/* The diagonal blocks F of a midpoint layer, and what every radius adds up to. */
#include "certify/midpoint_layer.h"
#include "certify/rounding.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

/* Covers all underflow behind one stored quantity: fewer than 2^60 operations, each off by 2^-1074, multiplied by less than
 * 2^50 afterwards as every factor is at most 2 in magnitude and every sum has less than 2^48 terms. */
static const double UNDERFLOW_ALLOWANCE = 0x1p-960;

static size_t diagonal_count(int heads, int n, int head_dim, int dim) {
  return (size_t)heads * (size_t)n * (size_t)head_dim * (size_t)dim;
}

uint64_t midpoint_layer_diagonal_bytes(const attcert_layer *layer, int n) {
  return sizeof(double) * (uint64_t)diagonal_count(layer->heads, n, layer->head_dim, layer->dim);
}

/* ||F - F~||_F <= rho ((gamma_{n+k} a + b) ||Q'||_F), a = sum_j ||w_ij|| ||kappa_j||, b = what the radii of w and kappa add:
 * two GEMMs (Higham, 3.13 and Lemma 3.3), then an exact scaling. */
static double diagonal_radius(const midpoint_layer *m, int h, int i) {
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim, at = midpoint_layer_token(m, h, i);
  double a = 0.0, b = 0.0;
  for (size_t j = 0; j < n; j++) {
    const size_t key = midpoint_layer_token(m, h, (int)j);
    const double w = norm_upper_strided(m->w + at * k * n + j, k, n), w_radius = m->w_radius[at * n + j];
    const double kappa = norm_upper(m->kappa + key * k, k);
    a += w * kappa;
    b += w_radius * kappa + (w + w_radius) * m->kappa_radius[key];
  }
  const double q = norm_upper(m->q + (size_t)h * k * d, k * d);
  const double relative = m->rho[at] > 0.0 ? gamma_upper((double)(n + k)) : 1.0; /* rho < 2^-1000 was flushed to 0 */
  const double rho = fmax(m->rho[at], 0x1p-1000);
  return round_up_nonnegative(rho * (relative * a + b) * q, 2.0 * (double)n + 12.0) + UNDERFLOW_ALLOWANCE;
}

void midpoint_layer_diagonal_block(double *f, double *radius, const midpoint_layer *m, int h, int i, double *s) {
  const int n = m->n, k = m->head_dim, d = m->dim;
  const size_t at = midpoint_layer_token(m, h, i);
  const double *const w = m->w + at * (size_t)k * (size_t)n;
  const double *const kappa = m->kappa + midpoint_layer_token(m, h, 0) * (size_t)k;
  const double *const q = m->q + (size_t)h * (size_t)k * (size_t)d;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, k, k, n, 1.0, w, n, kappa, k, 0.0, s, k);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, k, d, k, 1.0, s, k, q, d, 0.0, f, d);
  for (size_t c = 0; c < (size_t)k * (size_t)d; c++) f[c] *= m->rho[at];
  *radius = diagonal_radius(m, h, i);
}

attcert_status midpoint_layer_diagonal(midpoint_layer *m, attcert_error *err) {
  const size_t block = (size_t)m->head_dim * (size_t)m->dim, tokens = (size_t)m->heads * (size_t)m->n;
  double *const s = malloc((size_t)m->head_dim * (size_t)m->head_dim * sizeof(double));
  m->f = malloc(diagonal_count(m->heads, m->n, m->head_dim, m->dim) * sizeof(double));
  m->f_radius = malloc(tokens * sizeof(double));
  const bool allocated = s != NULL && m->f != NULL && m->f_radius != NULL;
  for (int h = 0; allocated && h < m->heads; h++) {
    for (int i = 0; i < m->n; i++) {
      const size_t at = midpoint_layer_token(m, h, i);
      midpoint_layer_diagonal_block(m->f + at * block, &m->f_radius[at], m, h, i, s);
    }
  }
  free(s);
  if (allocated) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %zu diagonal blocks of %zu doubles", tokens, block);
}

/* Bound of ||J'^h_il - J~^h_il||_2 from the radii of its factors. */
static double block_radius(const midpoint_layer *m, int h, int i, int l, double v_norm, double g_norm) {
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, at = midpoint_layer_token(m, h, i),
               entry = at * n + (size_t)l;
  const double w = norm_upper_strided(m->w + at * k * n + (size_t)l, k, n);
  const double value = m->p_radius[entry] * v_norm + UNDERFLOW_ALLOWANCE;
  const double score = m->w_radius[entry] * g_norm + (w + m->w_radius[entry]) * m->g_radius[at];
  return round_up_nonnegative(value + score + (i == l ? m->f_radius[at] : 0.0), 8.0);
}

/* Bound of ||J'^h - J~^h||_2 = norm of the matrix of block norms <= sqrt(row sum x column sum). */
static double head_radius(const midpoint_layer *m, int h, double *column) {
  const size_t k = (size_t)m->head_dim, d = (size_t)m->dim;
  const double v_norm = norm_upper(m->v + (size_t)h * k * d, k * d);
  double largest_row = 0.0, largest_column = 0.0;
  memset(column, 0, (size_t)m->n * sizeof(double));
  for (int i = 0; i < m->n; i++) {
    const double g_norm = norm_upper(m->g + midpoint_layer_token(m, h, i) * d, d);
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

attcert_status midpoint_layer_radius(double *bound, const midpoint_layer *m, attcert_error *err) {
  double *const column = malloc((size_t)m->n * sizeof(double));
  if (column == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %d doubles", m->n);
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
