/* Attention in double: P, y, w_ij = P_ij (v_j - y_i) and the gradients of the scores, with radii that cover all
 * roundings up to here. */
#include "base/parallel.h"
#include "certify/jacobian/rounded_factors.h"
#include "kernel/row/attended_keys.h"
#include "linalg/rounding/binary_exponent.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <mpfr.h>
#include <string.h>

/* The largest t; below exp(-LARGEST_DISTANCE) there is no double. */
static const double LARGEST_SCORE_ERROR = 0x1p-10, LARGEST_DISTANCE = 746.0;

/* p := Q^ K^T / sqrt(k) of head h. */
static void score_head(const rounded_factors *t, size_t h) {
  const size_t n = (size_t)t->m->n, k = (size_t)t->m->head_dim;
  double *const p = t->m->p + h * n * n, root = sqrt((double)k);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)n, (int)k, 1.0, t->q + h * n * k, (int)k,
              t->k + h * n * k, (int)k, 0.0, p, (int)n);
  for (size_t c = 0; c < n * n; c++) p[c] /= root;
}

/* r(s_i) */
static double score_radius(const rounded_factors *t, size_t h, size_t at) {
  const size_t k = (size_t)t->m->head_dim;
  const double q = norm_upper(t->q + at * k, k), rounding = gamma_upper((double)k + 4.0);
  const double size = t->q_radius[at] * t->key[h] + (q + t->q_radius[at]) * t->key_radius[h] + rounding * q * t->key[h];
  return round_up_nonnegative(size / sqrt((double)k), 10.0) + UNDERFLOW_ALLOWANCE;
}

/* The row of scores becomes one of probabilities; returns eta, or +inf. */
static double softmax(double *p, size_t attended, double radius) {
  double largest = p[0], sum = 0.0;
  for (size_t j = 1; j < attended; j++) largest = fmax(largest, p[j]);
  mpfr_t e;
  mpfr_init2(e, 53);
  for (size_t j = 0; j < attended; j++) {
    mpfr_set_d(e, p[j] - largest, MPFR_RNDN);
    mpfr_exp(e, e, MPFR_RNDN);
    p[j] = mpfr_get_d(e, MPFR_RNDN);
    sum += p[j];
  }
  mpfr_clear(e);
  for (size_t j = 0; j < attended; j++) p[j] /= sum;
  const double error = radius + LARGEST_DISTANCE * UNIT_ROUNDOFF;
  if (!(error <= LARGEST_SCORE_ERROR)) return INFINITY;
  const double delta = round_up_nonnegative(error * (1.0 + error) + 4.0 * UNIT_ROUNDOFF, 5.0);
  const double a = 2.0 * delta * (1.0 + 3.0 * delta);
  return round_up_nonnegative(a + gamma_upper((double)attended + 3.0) * (1.0 + a), 10.0);
}

/* P_i, its radii and eta_i. */
static void softmax_token(void *context, int index) {
  rounded_factors *const t = context;
  factored_jacobian *const m = t->m;
  const size_t n = (size_t)m->n, at = (size_t)index, attended = (size_t)attended_keys(m->mask, (int)(at % n), m->n);
  double *const p = m->p + at * n, *const radius = m->p_radius + at * n;
  memset(p + attended, 0, (n - attended) * sizeof(double));
  if (attended == 1) {
    p[0] = 1.0;
    return;
  }
  t->eta[at] = softmax(p, attended, score_radius(t, at / n, at));
  for (size_t j = 0; j < attended; j++) radius[j] = round_up_nonnegative(t->eta[at] * p[j], 1.0) + UNDERFLOW_ALLOWANCE;
  if (!isfinite(t->eta[at])) atomic_store(&t->failed, true);
}

/* y_i = sum_j P_ij v_j of head h. */
static void average_head(const rounded_factors *t, size_t h) {
  const size_t n = (size_t)t->m->n, k = (size_t)t->m->head_dim;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)k, (int)n, 1.0, t->m->p + h * n * n, (int)n,
              t->v + h * n * k, (int)k, 0.0, t->y + h * n * k, (int)k);
}

/* r(y_i) */
static double average_radius(const rounded_factors *t, size_t h, size_t at) {
  const size_t n = (size_t)t->m->n;
  double size = 0.0;
  for (size_t j = 0; j < n; j++) size += t->m->p[at * n + j] * t->v_norm[h * n + j];
  const double relative = t->eta[at] + gamma_upper((double)n);
  return round_up_nonnegative(relative * size + (1.0 + t->eta[at]) * t->value_radius[h], (double)n + 5.0) +
         UNDERFLOW_ALLOWANCE;
}

/* w_ij for all j with its radii and exponents, before any scaling. */
static void apply_attention_weights(void *context, int index) {
  const rounded_factors *const t = context;
  factored_jacobian *const m = t->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, at = (size_t)index, h = at / n,
               attended = (size_t)attended_keys(m->mask, (int)(at % n), m->n);
  const double *const y = t->y + at * k, y_radius = average_radius(t, h, at);
  for (size_t j = 0; j < attended && attended > 1; j++) {
    const double *const v = t->v + (h * n + j) * k, p = m->p[at * n + j], p_radius = m->p_radius[at * n + j];
    double squares = 0.0;
    for (size_t r = 0; r < k; r++) {
      const double deviation = v[r] - y[r];
      squares += deviation * deviation;
      m->w[(at * k + r) * n + j] = p * deviation;
    }
    const double d = round_up_nonnegative(sqrt(round_up_nonnegative(squares, (double)k + 1.0)), 1.0);
    const double rounding = UNIT_ROUNDOFF * d, d_radius = t->v_radius[h * n + j] + y_radius + rounding;
    m->w_radius[at * n + j] =
        round_up_nonnegative(p_radius * (d + d_radius) + p * (d_radius + rounding), 8.0) + UNDERFLOW_ALLOWANCE;
  }
  for (size_t r = 0; r < k; r++) t->row_exponent[at * k + r] = exponent_of_doubles(m->w + (at * k + r) * n, n);
}

/* ---- gradients of the scores: g_i = W_K^T q_i / sqrt(k) and kappa_j = (k_j - c) / sqrt(k) ------------------------ */

/* g := Q^ W_K / sqrt(k) of head h. */
static void gradients_of_head(const rounded_factors *t, size_t h) {
  const size_t n = (size_t)t->m->n, k = (size_t)t->m->head_dim, d = (size_t)t->m->dim;
  double *const g = t->m->g + h * n * d, root = sqrt((double)k);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)d, (int)k, 1.0, t->q + h * n * k, (int)k,
              t->layer->key_weight + h * k * d, (int)d, 0.0, g, (int)d);
  for (size_t c = 0; c < n * d; c++) g[c] /= root;
}

/* r(g_i) */
static double gradient_radius(const rounded_factors *t, size_t h, size_t at) {
  const size_t k = (size_t)t->m->head_dim;
  const double relative = gamma_upper((double)k + 4.0) * norm_upper(t->q + at * k, k);
  return round_up_nonnegative((t->q_radius[at] + relative) * t->weights[h] / sqrt((double)k), 6.0) +
         UNDERFLOW_ALLOWANCE;
}

/* kappa_j and its radii, before any scaling; c is the mean key. */
static void centre_head(const rounded_factors *t, size_t h) {
  factored_jacobian *const m = t->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim;
  const double *const key = t->k + h * n * k, root = sqrt((double)k);
  double *const kappa = m->kappa + h * n * k;
  for (size_t r = 0; r < k; r++) {
    double centre = 0.0;
    for (size_t j = 0; j < n; j++) centre += key[j * k + r];
    centre /= (double)n;
    for (size_t j = 0; j < n; j++) kappa[j * k + r] = (key[j * k + r] - centre) / root;
  }
  for (size_t j = 0; j < n; j++) {
    const double rounding = gamma_upper(6.0) * norm_upper(kappa + j * k, k);
    m->kappa_radius[h * n + j] =
        round_up_nonnegative(t->k_radius[h * n + j] / root + rounding, 5.0) + UNDERFLOW_ALLOWANCE;
  }
}

void rounded_factors_attention(rounded_factors *t, int threads) {
  const size_t n = (size_t)t->m->n, heads = (size_t)t->m->heads;
  const int tokens = t->m->heads * t->m->n;
  for (size_t h = 0; h < heads; h++) score_head(t, h);
  parallel_for(tokens, threads, softmax_token, t);
  for (size_t h = 0; h < heads; h++) average_head(t, h);
  parallel_for(tokens, threads, apply_attention_weights, t);
  for (size_t h = 0; h < heads; h++) {
    gradients_of_head(t, h);
    for (size_t at = h * n; at < (h + 1) * n; at++) t->m->g_radius[at] = gradient_radius(t, h, at);
    centre_head(t, h);
  }
}
