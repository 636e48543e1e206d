/* Powers of two that bring the numbers of a factored Jacobian near 1, chosen by factored_jacobian_scale.h and applied
 * here. */
#include "base/parallel.h"
#include "certify/jacobian/factored_jacobian_scale.h"
#include "certify/jacobian/rounded_factors.h"
#include "linalg/rounding/binary_exponent.h"

#include <limits.h>
#include <string.h>

static void scale_doubles(double *x, size_t count, long exponent) {
  for (size_t i = 0; i < count; i++) x[i] = scale_double(x[i], exponent);
}

/* kappa, Q' and g of head h, and the scales of its tokens. */
static void scale_head(const rounded_factors *t, size_t h) {
  factored_jacobian *const m = t->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim;
  double *const kappa = m->kappa + h * n * k, *const q = m->q + h * k * d;
  memcpy(q, t->layer->query_weight + h * k * d, k * d * sizeof(double));
  /* Keys that look equal are not known to be: their radii count, which are not 0. */
  const long keys = exponent_max(exponent_of_doubles(kappa, n * k), exponent_of_doubles(m->kappa_radius + h * n, n));
  const long queries = exponent_of_doubles(q, k * d);
  scale_doubles(kappa, n * k, -keys);
  scale_doubles(m->kappa_radius + h * n, n, -keys);
  if (queries != EXPONENT_OF_ZERO) scale_doubles(q, k * d, -queries);
  for (size_t at = h * n; at < (h + 1) * n; at++) {
    double *const g = m->g + at * d;
    factored_jacobian_scale_token(m, at, exponent_of_doubles(g, d), exponent_product(keys, queries));
    scale_doubles(g, d, -m->scale[at]);
    m->g_radius[at] = scale_double(m->g_radius[at], -m->scale[at]);
    for (size_t r = 0; r < k; r++)
      t->row_exponent[at * k + r] = exponent_product(t->row_exponent[at * k + r], m->scale[at]);
  }
}

/* w_i by its token's and its channels' scales, its radii by the largest of these. */
static void scale_weighted_values(void *context, int index) {
  const rounded_factors *const t = context;
  factored_jacobian *const m = t->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, at = (size_t)index, h = at / n;
  long largest = LONG_MIN;
  for (size_t r = 0; r < k; r++) {
    const long exponent = m->scale[at] - m->shift[h * k + r];
    largest = exponent_max(largest, exponent);
    scale_doubles(m->w + (at * k + r) * n, n, exponent);
  }
  scale_doubles(m->w_radius + at * n, n, largest);
}

attcert_status rounded_factors_scale(rounded_factors *t, int threads, attcert_error *err) {
  factored_jacobian *const m = t->m;
  for (size_t h = 0; h < (size_t)m->heads; h++) scale_head(t, h);
  const attcert_status status = factored_jacobian_scale_channels(m, t->layer, t->row_exponent, err);
  if (status == ATTCERT_OK && !m->zero) parallel_for(m->heads * m->n, threads, scale_weighted_values, t);
  return status;
}
