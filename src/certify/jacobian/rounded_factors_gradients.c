/* Gradients of the scores in double: g_i = W_K^T q_i / sqrt(k) and kappa_j = (k_j - c) / sqrt(k). */
#include "certify/jacobian/rounded_factors.h"
#include "linalg/rounding.h"

#include <cblas.h>

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

void rounded_factors_gradients(rounded_factors *t) {
  const size_t n = (size_t)t->m->n, heads = (size_t)t->m->heads;
  for (size_t h = 0; h < heads; h++) {
    gradients_of_head(t, h);
    for (size_t at = h * n; at < (h + 1) * n; at++) t->m->g_radius[at] = gradient_radius(t, h, at);
    centre_head(t, h);
  }
}
