#include "certify/jacobian/enclosed_factors.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "certify/enclosure/score_gradients.h"
#include "certify/jacobian/factored_jacobian_scale.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"
#include "linalg/rounding/binary_exponent.h"
#include "linalg/rounding/rounding.h"

double enclosed_factors_convert(double *mid, interval *a, long e, double *excess, interval_scratch *ws) {
  double radius;
  interval_scale_2exp(a, a, e);
  interval_get_midrad(mid, &radius, a, ws);
  *excess = fmax(*excess, radius - 0x1p-52 * fabs(*mid));
  return radius;
}

/* kappa_j = (k_j - c) / sqrt(k) with c = the mean key, rounded: any exact number would do. */
static void enclose_kappa(enclosed_factors *f, int h) {
  const layer_enclosure *const e = f->e;
  const size_t k = (size_t)e->head_dim;
  interval_scratch ws;
  interval root, centre;
  interval_scratch_init(&ws, e->precision);
  interval_init(&root, e->precision);
  interval_init(&centre, e->precision);
  layer_enclosure_root(&root, e);
  long exponent = EXPONENT_OF_ZERO;
  for (size_t r = 0; r < k; r++) {
    mpfr_set_zero(centre.lo, 1);
    for (int j = 0; j < e->n; j++) mpfr_add(centre.lo, centre.lo, e->k[layer_enclosure_vec(e, h, j) + r].lo, MPFR_RNDN);
    mpfr_div_si(centre.lo, centre.lo, e->n, MPFR_RNDN);
    mpfr_set(centre.hi, centre.lo, MPFR_RNDU);
    for (int j = 0; j < e->n; j++) {
      const size_t at = layer_enclosure_vec(e, h, j) + r;
      interval_sub(&f->kappa[at], &e->k[at], &centre);
      interval_div(&f->kappa[at], &f->kappa[at], &root, &ws);
      exponent = exponent_max(exponent, exponent_of_interval(&f->kappa[at]));
    }
  }
  f->kappa_exponent[h] = exponent;
  f->query_exponent[h] =
      exponent_of_doubles(f->layer->query_weight + (size_t)h * k * (size_t)e->dim, k * (size_t)e->dim);
  interval_clear(&centre);
  interval_clear(&root);
  interval_scratch_clear(&ws);
}

/* g_i with the token's scale, and the size of each channel of w_ij; of the head at hand. */
static void scale_token(void *context, int i) {
  enclosed_factors *const f = context;
  factored_jacobian *const m = f->m;
  const layer_enclosure *const e = f->e;
  const int h = f->head;
  const size_t d = (size_t)e->dim, k = (size_t)e->head_dim, at = factored_jacobian_token(m, h, i);
  interval *const g = f->g + (size_t)i * d;
  interval_scratch ws;
  interval_scratch_init(&ws, e->precision);
  const long factored = exponent_product(f->kappa_exponent[h], f->query_exponent[h]);
  long gradient = EXPONENT_OF_ZERO;
  for (size_t c = 0; c < d; c++) gradient = exponent_max(gradient, exponent_of_interval(&g[c]));
  factored_jacobian_scale_token(m, at, gradient, factored);
  for (size_t c = 0; c < d; c++) {
    const double radius = enclosed_factors_convert(&m->g[at * d + c], &g[c], -m->scale[at], &f->g_excess[at], &ws);
    m->g_radius[at] = round_up_nonnegative(m->g_radius[at] + radius, 1.0); /* l1 >= l2 */
  }
  const interval *const p = e->p + layer_enclosure_row(e, h, i);
  for (size_t r = 0; r < k; r++) f->row_exponent[at * k + r] = EXPONENT_OF_ZERO;
  for (int j = 0; j < attended_keys(e->mask, i, e->n); j++) {
    const long weight = exponent_product(exponent_of_interval(&p[j]), exponent_max(gradient, factored));
    for (size_t r = 0; r < k; r++) {
      layer_enclosure_deviation(&ws.q, e, h, i, j, r);
      long *const x = &f->row_exponent[at * k + r];
      *x = exponent_max(*x, exponent_product(weight, exponent_of_interval(&ws.q)));
    }
  }
  interval_scratch_clear(&ws);
}

attcert_status enclosed_factors_scale(enclosed_factors *f, int threads, attcert_error *err) {
  factored_jacobian *const m = f->m;
  attcert_status status = ATTCERT_OK;
  for (f->head = 0; f->head < m->heads && status == ATTCERT_OK; f->head++) {
    enclose_kappa(f, f->head);
    status = score_gradients(f->g, f->layer, f->e, f->head, threads, err);
    if (status == ATTCERT_OK) parallel_for(m->n, threads, scale_token, f);
  }
  if (status != ATTCERT_OK) return status;
  return factored_jacobian_scale_channels(m, f->layer, f->row_exponent, err);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static array_table arrays_of(enclosed_factors *f, size_t heads, size_t n, size_t k) {
  return (array_table){{
      ARRAY(f->kappa_exponent, heads),
      ARRAY(f->query_exponent, heads),
      ARRAY(f->row_exponent, heads, n, k),
      ARRAY(f->excess, heads, n),
      ARRAY(f->g_excess, heads, n),
      ARRAY(f->kappa_excess, heads),
      ARRAY(f->w_size, heads, n),
  }};
}

uint64_t enclosed_factors_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  enclosed_factors f;
  const size_t heads = (size_t)layer->heads, tokens = (size_t)n, k = (size_t)layer->head_dim, d = (size_t)layer->dim;
  const array_table arrays = arrays_of(&f, heads, tokens, k);
  return (uint64_t)interval_vec_bytes(tokens * (d + heads * k), precision) + array_table_bytes(&arrays) +
         score_gradients_bytes(layer, n, precision);
}

attcert_status enclosed_factors_init(enclosed_factors *f, factored_jacobian *m, const attcert_layer *layer,
                                     const layer_enclosure *e, attcert_error *err) {
  const size_t heads = (size_t)e->heads, n = (size_t)e->n, k = (size_t)e->head_dim, d = (size_t)e->dim;
  *f = (enclosed_factors){.m = m, .layer = layer, .e = e};
  f->g = interval_vec_new(n * d, e->precision);
  f->kappa = interval_vec_new(heads * n * k, e->precision);
  const array_table arrays = arrays_of(f, heads, n, k);
  const attcert_status status = array_table_allocate(&arrays, err, "the scaling of the factored Jacobian");
  if (status != ATTCERT_OK || (f->g != NULL && f->kappa != NULL)) return status;
  return array_out_of_memory(err, enclosed_factors_bytes(layer, e->n, e->precision),
                             "the factored Jacobian in intervals");
}

void enclosed_factors_clear(enclosed_factors *f) {
  const array_table arrays = arrays_of(f, 0, 0, 0);
  interval_vec_free(f->g);
  interval_vec_free(f->kappa);
  array_table_release(&arrays);
}
