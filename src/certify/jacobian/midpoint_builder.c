#include "certify/jacobian/midpoint_builder.h"

#include "base/parallel.h"
#include "certify/enclosure/score_gradients.h"
#include "certify/jacobian/midpoint_scale.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"
#include "linalg/binary_exponent.h"
#include "linalg/rounding.h"

#include <stdlib.h>

double midpoint_builder_convert(double *mid, interval *a, long e, double *excess, interval_scratch *ws) {
  double radius;
  interval_scale_2exp(a, a, e);
  interval_get_midrad(mid, &radius, a, ws);
  *excess = fmax(*excess, radius - 0x1p-52 * fabs(*mid));
  return radius;
}

/* kappa_j = (k_j - c) / sqrt(k) with c = the mean key, rounded: any exact number would do. */
static void enclose_kappa(midpoint_builder *b, int h) {
  const layer_enclosure *const e = b->e;
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
      interval_sub(&b->kappa[at], &e->k[at], &centre);
      interval_div(&b->kappa[at], &b->kappa[at], &root, &ws);
      exponent = exponent_max(exponent, exponent_of_interval(&b->kappa[at]));
    }
  }
  b->kappa_exponent[h] = exponent;
  b->query_exponent[h] =
      exponent_of_doubles(b->layer->query_weight + (size_t)h * k * (size_t)e->dim, k * (size_t)e->dim);
  interval_clear(&centre);
  interval_clear(&root);
  interval_scratch_clear(&ws);
}

/* g_i with the token's scale, and the size of each channel of w_ij; of the head at hand. */
static void scale_token(void *context, int i) {
  midpoint_builder *const b = context;
  midpoint_layer *const m = b->m;
  const layer_enclosure *const e = b->e;
  const int h = b->head;
  const size_t d = (size_t)e->dim, k = (size_t)e->head_dim, at = midpoint_layer_token(m, h, i);
  interval *const g = b->g + (size_t)i * d;
  interval_scratch ws;
  interval_scratch_init(&ws, e->precision);
  const long factored = exponent_product(b->kappa_exponent[h], b->query_exponent[h]);
  long gradient = EXPONENT_OF_ZERO;
  for (size_t c = 0; c < d; c++) gradient = exponent_max(gradient, exponent_of_interval(&g[c]));
  midpoint_scale_token(m, at, gradient, factored);
  for (size_t c = 0; c < d; c++) {
    const double radius = midpoint_builder_convert(&m->g[at * d + c], &g[c], -m->scale[at], &b->g_excess[at], &ws);
    m->g_radius[at] = round_up_nonnegative(m->g_radius[at] + radius, 1.0); /* l1 >= l2 */
  }
  const interval *const p = e->p + layer_enclosure_row(e, h, i);
  for (size_t r = 0; r < k; r++) b->row_exponent[at * k + r] = EXPONENT_OF_ZERO;
  for (int j = 0; j < attended_keys(e->mask, i, e->n); j++) {
    const long weight = exponent_product(exponent_of_interval(&p[j]), exponent_max(gradient, factored));
    for (size_t r = 0; r < k; r++) {
      layer_enclosure_deviation(&ws.q, e, h, i, j, r);
      long *const x = &b->row_exponent[at * k + r];
      *x = exponent_max(*x, exponent_product(weight, exponent_of_interval(&ws.q)));
    }
  }
  interval_scratch_clear(&ws);
}

bool midpoint_builder_init(midpoint_builder *b, midpoint_layer *m, const attcert_layer *layer,
                           const layer_enclosure *e) {
  const size_t heads = (size_t)e->heads, n = (size_t)e->n, k = (size_t)e->head_dim, d = (size_t)e->dim;
  *b = (midpoint_builder){.m = m,
                          .layer = layer,
                          .e = e,
                          .g = interval_vec_new(n * d, e->precision),
                          .kappa = interval_vec_new(heads * n * k, e->precision),
                          .kappa_exponent = calloc(heads, sizeof(long)),
                          .query_exponent = calloc(heads, sizeof(long)),
                          .row_exponent = calloc(heads * n * k, sizeof(long)),
                          .excess = calloc(heads * n, sizeof(double)),
                          .g_excess = calloc(heads * n, sizeof(double)),
                          .kappa_excess = calloc(heads, sizeof(double)),
                          .w_size = calloc(heads * n, sizeof(double))};
  return b->g != NULL && b->kappa != NULL && b->kappa_exponent != NULL && b->query_exponent != NULL &&
         b->row_exponent != NULL && b->excess != NULL && b->g_excess != NULL && b->kappa_excess != NULL &&
         b->w_size != NULL;
}

void midpoint_builder_clear(midpoint_builder *b) {
  interval_vec_free(b->g);
  interval_vec_free(b->kappa);
  free(b->kappa_exponent);
  free(b->query_exponent);
  free(b->row_exponent);
  free(b->excess);
  free(b->g_excess);
  free(b->kappa_excess);
  free(b->w_size);
}

attcert_status midpoint_builder_scale(midpoint_builder *b, int threads, attcert_error *err) {
  midpoint_layer *const m = b->m;
  attcert_status status = ATTCERT_OK;
  for (b->head = 0; b->head < m->heads && status == ATTCERT_OK; b->head++) {
    enclose_kappa(b, b->head);
    status = score_gradients(b->g, b->layer, b->e, b->head, threads, err);
    if (status == ATTCERT_OK) parallel_for(m->n, threads, scale_token, b);
  }
  if (status != ATTCERT_OK) return status;
  return midpoint_scale_channels(m, b->layer, b->row_exponent, err);
}

uint64_t midpoint_builder_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  const size_t tokens = (size_t)n, width = (size_t)layer->heads * (size_t)layer->head_dim;
  return (uint64_t)interval_vec_bytes(tokens * ((size_t)layer->dim + width), precision) +
         tokens * width * sizeof(long) + score_gradients_bytes(layer, n, precision);
}
