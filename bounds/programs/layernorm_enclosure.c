/* See layernorm_enclosure.h. */
#include "layernorm_enclosure.h"

#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "linalg/rounding/rounding.h"

#include <stdlib.h>

attcert_status layernorm_init(layernorm *ln, int dim, double epsilon, attcert_error *err) {
  double *const affine = calloc(2 * (size_t)dim, sizeof(double));
  *ln = (layernorm){dim, affine, affine != NULL ? affine + dim : NULL, epsilon};
  return affine != NULL ? ATTCERT_OK : attcert_fail(err, ATTCERT_RESOURCE, "out of memory: a LayerNorm of %d", dim);
}

void layernorm_clear(layernorm *ln) {
  free(ln->gamma);
  *ln = (layernorm){0};
}

double layernorm_radius(const layernorm *ln) {
  double largest = 0.0;
  for (int a = 0; a < ln->dim; a++) largest = fmax(largest, fabs(ln->gamma[a]));
  const double shift = norm_upper(ln->beta, (size_t)ln->dim);
  return round_up_nonnegative(sqrt(ln->dim) * largest + shift, 3.0);
}

/* ---- at a token -------------------------------------------------------------------------------------------------- */

/* mean := sum_a v_a / d. */
static void mean_of(interval *mean, const interval *v, int d, interval_scratch *ws) {
  interval count;
  interval_init(&count, 64);
  interval_set_si(&count, d);
  interval_set_zero(mean);
  for (int a = 0; a < d; a++) interval_add(mean, mean, &v[a]);
  interval_div(mean, mean, &count, ws);
  interval_clear(&count);
}

/* s from z, which holds x - mean; then z := z / s. */
static void divide_by_scale(interval *s, interval *z, double epsilon, int d, interval_scratch *ws) {
  interval square, count;
  interval_init(&square, mpfr_get_prec(s->lo));
  interval_init(&count, 64);
  interval_set_si(&count, d);
  interval_set_zero(s);
  for (int a = 0; a < d; a++) {
    interval_sqr(&square, &z[a], ws);
    interval_add(s, s, &square);
  }
  interval_div(s, s, &count, ws);
  interval_set_d(&count, epsilon);
  interval_add(s, s, &count);
  interval_sqrt(s, s);
  for (int a = 0; a < d; a++) interval_div(&z[a], &z[a], s, ws);
  interval_clear(&count);
  interval_clear(&square);
}

static void standardize(const layernorm_enclosure *e, const interval *x, double epsilon, int i, interval_scratch *ws) {
  interval *const z = e->z + (size_t)i * (size_t)e->dim;
  interval mean;
  interval_init(&mean, e->precision);
  mean_of(&mean, x, e->dim, ws);
  for (int a = 0; a < e->dim; a++) interval_sub(&z[a], &x[a], &mean);
  divide_by_scale(&e->scale[i], z, epsilon, e->dim, ws);
  interval_clear(&mean);
}

attcert_status layernorm_enclosure_init(layernorm_enclosure *e, const layernorm *ln, const interval *x, int n,
                                        mpfr_prec_t precision, attcert_error *err) {
  const size_t d = (size_t)ln->dim, count = (size_t)n * d;
  *e = (layernorm_enclosure){n,
                             ln->dim,
                             precision,
                             interval_vec_new(d, precision),
                             interval_vec_new(count, precision),
                             interval_vec_new((size_t)n, precision),
                             interval_vec_new(count, precision)};
  if (e->gamma == NULL || e->z == NULL || e->scale == NULL || e->out == NULL) {
    layernorm_enclosure_clear(e);
    return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: LayerNorm of %d tokens of dimension %d", n, ln->dim);
  }
  interval_scratch ws;
  interval beta;
  interval_scratch_init(&ws, precision);
  interval_init(&beta, precision);
  for (size_t a = 0; a < d; a++) interval_set_d(&e->gamma[a], ln->gamma[a]);
  for (int i = 0; i < n; i++) standardize(e, x + (size_t)i * d, ln->epsilon, i, &ws);
  for (size_t at = 0; at < count; at++) {
    interval_set_d(&beta, ln->beta[at % d]);
    interval_fma(&e->out[at], &e->gamma[at % d], &e->z[at], &beta, &ws);
  }
  interval_clear(&beta);
  interval_scratch_clear(&ws);
  return ATTCERT_OK;
}

void layernorm_enclosure_clear(layernorm_enclosure *e) {
  interval_vec_free(e->gamma);
  interval_vec_free(e->z);
  interval_vec_free(e->scale);
  interval_vec_free(e->out);
  *e = (layernorm_enclosure){0};
}

/* ---- the Jacobian ------------------------------------------------------------------------------------------------ */

/* v := (I - 1 1^T / d - z z^T / d) v / s, a symmetric map. */
static void apply_symmetric(interval *v, const layernorm_enclosure *e, int i, interval_scratch *ws) {
  const size_t d = (size_t)e->dim;
  const interval *const z = e->z + (size_t)i * d;
  interval mean, share, count;
  interval_init(&mean, e->precision);
  interval_init(&share, e->precision);
  interval_init(&count, 64);
  interval_set_si(&count, e->dim);
  mean_of(&mean, v, e->dim, ws);
  interval_dot(&share, z, v, d, ws);
  interval_div(&share, &share, &count, ws);
  interval_neg(&share, &share);
  for (size_t a = 0; a < d; a++) {
    interval_sub(&v[a], &v[a], &mean);
    interval_fma(&v[a], &share, &z[a], &v[a], ws);
    interval_div(&v[a], &v[a], &e->scale[i], ws);
  }
  interval_clear(&count);
  interval_clear(&share);
  interval_clear(&mean);
}

void layernorm_enclosure_apply(interval *v, const layernorm_enclosure *e, int i, bool transpose, interval_scratch *ws) {
  if (!transpose) apply_symmetric(v, e, i, ws);
  for (int a = 0; a < e->dim; a++) interval_mul(&v[a], &e->gamma[a], &v[a], ws);
  if (transpose) apply_symmetric(v, e, i, ws);
}

void layernorm_enclosure_norm(mpfr_t norm, const layernorm_enclosure *e) {
  mpfr_t t, largest;
  mpfr_init2(t, mpfr_get_prec(norm));
  mpfr_init2(largest, mpfr_get_prec(norm));
  mpfr_set_zero(largest, 1);
  mpfr_set_zero(norm, 1);
  for (int a = 0; a < e->dim; a++) {
    interval_mag(t, &e->gamma[a]);
    mpfr_max(largest, largest, t, MPFR_RNDU);
  }
  for (int i = 0; i < e->n; i++) {
    mpfr_div(t, largest, e->scale[i].lo, MPFR_RNDU);
    mpfr_max(norm, norm, t, MPFR_RNDU);
  }
  mpfr_clear(largest);
  mpfr_clear(t);
}
