#include "certify/jacobian/factored_jacobian_from_enclosure.h"

#include "base/parallel.h"
#include "certify/jacobian/enclosed_factors.h"
#include "certify/jacobian/factored_jacobian_radius.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"
#include "linalg/rounding/binary_exponent.h"
#include "linalg/rounding/rounding.h"

/* w_ij for all j, and the row of P. */
static void convert_token(void *context, int index) {
  enclosed_factors *const f = context;
  factored_jacobian *const m = f->m;
  const layer_enclosure *const e = f->e;
  const int h = index / e->n, i = index % e->n;
  const size_t n = (size_t)e->n, k = (size_t)e->head_dim, at = factored_jacobian_token(m, h, i);
  const interval *const p = e->p + layer_enclosure_row(e, h, i);
  interval_scratch ws;
  interval x;
  interval_scratch_init(&ws, e->precision);
  interval_init(&x, e->precision);
  for (int j = 0; j < attended_keys(e->mask, i, e->n); j++) {
    double squares = 0.0;
    for (size_t r = 0; r < k; r++) {
      layer_enclosure_deviation(&x, e, h, i, j, r);
      interval_mul(&x, &x, &p[j], &ws);
      const long e2 = m->scale[at] - m->shift[(size_t)h * k + r];
      const double radius = enclosed_factors_convert(&m->w[(at * k + r) * n + (size_t)j], &x, e2, &f->excess[at], &ws);
      squares += radius * radius;
      f->w_size[at] = fmax(f->w_size[at], fabs(m->w[(at * k + r) * n + (size_t)j]) + radius);
    }
    m->w_radius[at * n + (size_t)j] = round_up_nonnegative(sqrt(round_up_nonnegative(squares, (double)k)), 1.0);
    interval_set(&x, &p[j]);
    m->p_radius[at * n + (size_t)j] = enclosed_factors_convert(&m->p[at * n + (size_t)j], &x, 0, &f->excess[at], &ws);
  }
  interval_clear(&x);
  interval_scratch_clear(&ws);
}

/* kappa' and Q' of head h, with their scales. */
static void convert_head(enclosed_factors *f, int h) {
  factored_jacobian *const m = f->m;
  const size_t k = (size_t)m->head_dim, d = (size_t)m->dim;
  interval_scratch ws;
  interval_scratch_init(&ws, f->e->precision);
  const long kappa = f->kappa_exponent[h] == EXPONENT_OF_ZERO ? 0 : f->kappa_exponent[h];
  const long query = f->query_exponent[h] == EXPONENT_OF_ZERO ? 0 : f->query_exponent[h];
  for (int j = 0; j < m->n; j++) {
    const size_t at = factored_jacobian_token(m, h, j);
    for (size_t r = 0; r < k; r++) {
      const double radius =
          enclosed_factors_convert(&m->kappa[at * k + r], &f->kappa[at * k + r], -kappa, &f->kappa_excess[h], &ws);
      m->kappa_radius[at] = round_up_nonnegative(m->kappa_radius[at] + radius, 1.0); /* l1 >= l2 */
    }
  }
  for (size_t c = (size_t)h * k * d; c < ((size_t)h + 1) * k * d; c++)
    m->q[c] = scale_double(f->layer->query_weight[c], -query);
  interval_scratch_clear(&ws);
}

static attcert_status convert_factors(enclosed_factors *f, int threads, attcert_error *err) {
  factored_jacobian *const m = f->m;
  const attcert_status status = enclosed_factors_scale(f, threads, err);
  if (status != ATTCERT_OK || m->zero) return status;
  parallel_for(m->heads * m->n, threads, convert_token, f);
  for (int h = 0; h < m->heads; h++) convert_head(f, h);
  factored_jacobian_covariances(m, threads);
  for (int h = 0; h < m->heads; h++) {
    for (int i = 0; i < m->n; i++) {
      const size_t at = factored_jacobian_token(m, h, i);
      const double factors = f->g_excess[at] + f->kappa_excess[h] * m->rho[at];
      m->excess = fmax(m->excess, fmax(f->excess[at], factors * f->w_size[at]));
    }
  }
  return ATTCERT_OK;
}

attcert_status factored_jacobian_from_enclosure(factored_jacobian *m, const attcert_layer *layer,
                                                const layer_enclosure *e, int threads, attcert_error *err) {
  attcert_status status = factored_jacobian_init(m, layer, e->n, err);
  if (status != ATTCERT_OK) return status;
  enclosed_factors f;
  status = enclosed_factors_init(&f, m, layer, e, err);
  if (status == ATTCERT_OK) status = convert_factors(&f, threads, err);
  enclosed_factors_clear(&f);
  if (status != ATTCERT_OK) factored_jacobian_clear(m);
  return status;
}

uint64_t factored_jacobian_from_enclosure_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  return enclosed_factors_bytes(layer, n, precision);
}
