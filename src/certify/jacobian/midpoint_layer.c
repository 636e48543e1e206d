#include "certify/jacobian/midpoint_layer.h"

#include "base/parallel.h"
#include "certify/jacobian/midpoint_builder.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"
#include "linalg/binary_exponent.h"
#include "linalg/rounding.h"

#include <stdlib.h>

size_t midpoint_layer_token(const midpoint_layer *m, int h, int i) {
  return (size_t)h * (size_t)m->n + (size_t)i;
}

/* w_ij for all j, and the row of P. */
static void convert_token(void *context, int index) {
  midpoint_builder *const b = context;
  midpoint_layer *const m = b->m;
  const layer_enclosure *const e = b->e;
  const int h = index / e->n, i = index % e->n;
  const size_t n = (size_t)e->n, k = (size_t)e->head_dim, at = midpoint_layer_token(m, h, i);
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
      const double radius = midpoint_builder_convert(&m->w[(at * k + r) * n + (size_t)j], &x, e2, &b->excess[at], &ws);
      squares += radius * radius;
      b->w_size[at] = fmax(b->w_size[at], fabs(m->w[(at * k + r) * n + (size_t)j]) + radius);
    }
    m->w_radius[at * n + (size_t)j] = round_up_nonnegative(sqrt(round_up_nonnegative(squares, (double)k)), 1.0);
    interval_set(&x, &p[j]);
    m->p_radius[at * n + (size_t)j] = midpoint_builder_convert(&m->p[at * n + (size_t)j], &x, 0, &b->excess[at], &ws);
  }
  interval_clear(&x);
  interval_scratch_clear(&ws);
}

/* kappa' and Q' of head h, with their scales. */
static void convert_head(midpoint_builder *b, int h) {
  midpoint_layer *const m = b->m;
  const size_t k = (size_t)m->head_dim, d = (size_t)m->dim;
  interval_scratch ws;
  interval_scratch_init(&ws, b->e->precision);
  const long kappa = b->kappa_exponent[h] == EXPONENT_OF_ZERO ? 0 : b->kappa_exponent[h];
  const long query = b->query_exponent[h] == EXPONENT_OF_ZERO ? 0 : b->query_exponent[h];
  for (int j = 0; j < m->n; j++) {
    const size_t at = midpoint_layer_token(m, h, j);
    for (size_t r = 0; r < k; r++) {
      const double radius =
          midpoint_builder_convert(&m->kappa[at * k + r], &b->kappa[at * k + r], -kappa, &b->kappa_excess[h], &ws);
      m->kappa_radius[at] = round_up_nonnegative(m->kappa_radius[at] + radius, 1.0); /* l1 >= l2 */
    }
  }
  for (size_t c = (size_t)h * k * d; c < ((size_t)h + 1) * k * d; c++)
    m->q[c] = scale_double(b->layer->query_weight[c], -query);
  interval_scratch_clear(&ws);
}

static attcert_status build(midpoint_builder *b, int threads, attcert_error *err) {
  midpoint_layer *const m = b->m;
  const attcert_status status = midpoint_builder_scale(b, threads, err);
  if (status != ATTCERT_OK || m->zero) return status;
  parallel_for(m->heads * m->n, threads, convert_token, b);
  for (int h = 0; h < m->heads; h++) convert_head(b, h);
  midpoint_layer_covariances(m, threads);
  for (int h = 0; h < m->heads; h++) {
    for (int i = 0; i < m->n; i++) {
      const size_t at = midpoint_layer_token(m, h, i);
      const double factors = b->g_excess[at] + b->kappa_excess[h] * m->rho[at];
      m->excess = fmax(m->excess, fmax(b->excess[at], factors * b->w_size[at]));
    }
  }
  return ATTCERT_OK;
}

uint64_t midpoint_layer_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  const uint64_t heads = (uint64_t)layer->heads, k = (uint64_t)layer->head_dim, d = (uint64_t)layer->dim;
  const uint64_t tokens = (uint64_t)n, out = layer->output_weight != NULL ? (uint64_t)layer->out_dim : 0;
  const uint64_t doubles =
      heads * tokens * (tokens * (3 + k) + k * (k + 1) + d + 4) + 2 * heads * k * d + out * heads * k;
  return doubles * sizeof(double) + midpoint_builder_bytes(layer, n, precision);
}

attcert_status midpoint_layer_allocate(midpoint_layer *m, const attcert_layer *layer, int n, attcert_error *err) {
  *m = (midpoint_layer){.n = n,
                        .dim = layer->dim,
                        .heads = layer->heads,
                        .head_dim = layer->head_dim,
                        .out_dim = layer->out_dim,
                        .mask = layer->mask};
  const size_t heads = (size_t)m->heads, tokens = heads * (size_t)n, k = (size_t)m->head_dim, d = (size_t)m->dim;
  const size_t pairs = tokens * (size_t)n;
  const struct {
    double **array;
    size_t count;
  } parts[] = {{&m->p, pairs},          {&m->p_radius, pairs},
               {&m->w, pairs * k},      {&m->w_radius, pairs},
               {&m->g, tokens * d},     {&m->g_radius, tokens},
               {&m->kappa, tokens * k}, {&m->kappa_radius, tokens},
               {&m->rho, tokens},       {&m->v, heads * k * d},
               {&m->q, heads * k * d},  {&m->covariance, tokens * k * k},
               {&m->f_radius, tokens},  {&m->output, (size_t)m->out_dim * heads * k}};
  const size_t count = sizeof parts / sizeof parts[0] - (layer->output_weight == NULL ? 1 : 0);
  m->scale = calloc(tokens, sizeof(long));
  m->shift = calloc(heads * k, sizeof(long));
  bool allocated = m->scale != NULL && m->shift != NULL;
  for (size_t i = 0; i < count; i++) {
    *parts[i].array = calloc(parts[i].count, sizeof(double));
    allocated = allocated && *parts[i].array != NULL;
  }
  if (allocated) return ATTCERT_OK;
  midpoint_layer_clear(m);
  return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: the Jacobian's factors of %d tokens, %d heads", n,
                      layer->heads);
}

attcert_status midpoint_layer_init(midpoint_layer *m, const attcert_layer *layer, const layer_enclosure *e, int threads,
                                   attcert_error *err) {
  attcert_status status = midpoint_layer_allocate(m, layer, e->n, err);
  if (status != ATTCERT_OK) return status;
  midpoint_builder b;
  if (midpoint_builder_init(&b, m, layer, e))
    status = build(&b, threads, err);
  else
    status = attcert_fail(err, ATTCERT_RESOURCE, "out of memory: the Jacobian's factors need %llu bytes",
                          (unsigned long long)midpoint_layer_bytes(layer, e->n, e->precision));
  midpoint_builder_clear(&b);
  if (status != ATTCERT_OK) midpoint_layer_clear(m);
  return status;
}

void midpoint_layer_clear(midpoint_layer *m) {
  double *const parts[] = {m->p,          m->p_radius,     m->w,   m->w_radius, m->g, m->g_radius,
                           m->kappa,      m->kappa_radius, m->rho, m->v,        m->q, m->output,
                           m->covariance, m->f_radius};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) free(parts[i]);
  free(m->scale);
  free(m->shift);
  *m = (midpoint_layer){0};
}
