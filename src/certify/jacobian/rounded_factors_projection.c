/* Queries, keys and values in double: inner products in chunks, their roundings bounded by Cauchy's inequality. */
#include "certify/jacobian/rounded_factors.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>

enum { CHUNK = 64 };

/* out := x W^T + b by heads, radius its error. */
static void project(const rounded_factors *t, double *out, double *radius, const double *weight, const double *bias) {
  const factored_jacobian *const m = t->m;
  const size_t n = (size_t)m->n, d = (size_t)m->dim, k = (size_t)m->head_dim, width = (size_t)m->heads * k;
  const double roundings = CHUNK + (double)(d / CHUNK) + 3.0;
  for (size_t first = 0; first < d; first += CHUNK) {
    const int terms = (int)(d - first < CHUNK ? d - first : CHUNK);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)width, terms, 1.0, t->x->data + first, (int)d,
                weight + first, (int)d, 0.0, t->products, (int)width);
    for (size_t i = 0; i < n; i++)
      for (size_t c = 0; c < width; c++) out[((c / k) * n + i) * k + c % k] += t->products[i * width + c];
  }
  for (size_t h = 0; h < (size_t)m->heads; h++) {
    const double norm = norm_upper(weight + h * k * d, k * d);
    const double offset = bias != NULL ? norm_upper(bias + h * k, k) : 0.0;
    for (size_t i = 0; i < n; i++) {
      double *const row = out + (h * n + i) * k;
      for (size_t r = 0; r < k && bias != NULL; r++) row[r] += bias[h * k + r];
      const double size = norm_upper(t->x->data + i * d, d) * norm + offset;
      radius[h * n + i] = round_up_nonnegative(gamma_upper(roundings) * size, 3.0) + UNDERFLOW_ALLOWANCE;
    }
  }
}

static void largest_of_head(const rounded_factors *t, size_t h) {
  const size_t n = (size_t)t->m->n, k = (size_t)t->m->head_dim, d = (size_t)t->m->dim;
  for (size_t at = h * n; at < (h + 1) * n; at++) {
    t->v_norm[at] = norm_upper(t->v + at * k, k);
    t->key[h] = fmax(t->key[h], norm_upper(t->k + at * k, k));
    t->key_radius[h] = fmax(t->key_radius[h], t->k_radius[at]);
    t->value_radius[h] = fmax(t->value_radius[h], t->v_radius[at]);
  }
  t->weights[h] = norm_upper(t->layer->key_weight + h * k * d, k * d);
}

void rounded_factors_projection(rounded_factors *t) {
  project(t, t->q, t->q_radius, t->layer->query_weight, t->layer->query_bias);
  project(t, t->k, t->k_radius, t->layer->key_weight, t->layer->key_bias);
  project(t, t->v, t->v_radius, t->layer->value_weight, NULL);
  for (size_t h = 0; h < (size_t)t->m->heads; h++) largest_of_head(t, h);
}
