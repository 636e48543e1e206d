#include "certify/jacobian/factored_jacobian.h"

#include "base/arrays.h"

size_t factored_jacobian_token(const factored_jacobian *m, int h, int i) {
  return (size_t)h * (size_t)m->n + (size_t)i;
}

static factored_jacobian shape_of(const attcert_layer *layer, int n) {
  return (factored_jacobian){.n = n,
                             .dim = layer->dim,
                             .heads = layer->heads,
                             .head_dim = layer->head_dim,
                             .out_dim = layer->out_dim,
                             .mask = layer->mask};
}

static array_table arrays_of(factored_jacobian *m, bool output) {
  const size_t heads = (size_t)m->heads, n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim;
  const size_t out = output ? (size_t)m->out_dim : 0;
  return (array_table){{
      ARRAY(m->scale, heads, n),
      ARRAY(m->shift, heads, k),
      ARRAY(m->p, heads, n, n),
      ARRAY(m->p_radius, heads, n, n),
      ARRAY(m->w, heads, n, k, n),
      ARRAY(m->w_radius, heads, n, n),
      ARRAY(m->g, heads, n, d),
      ARRAY(m->g_radius, heads, n),
      ARRAY(m->kappa, heads, n, k),
      ARRAY(m->kappa_radius, heads, n),
      ARRAY(m->rho, heads, n),
      ARRAY(m->covariance, heads, n, k, k),
      ARRAY(m->f_radius, heads, n),
      ARRAY(m->v, heads, k, d),
      ARRAY(m->q, heads, k, d),
      ARRAY(m->output, out, heads, k),
  }};
}

uint64_t factored_jacobian_bytes(const attcert_layer *layer, int n) {
  factored_jacobian m = shape_of(layer, n);
  const array_table arrays = arrays_of(&m, layer->output_weight != NULL);
  return array_table_bytes(&arrays);
}

attcert_status factored_jacobian_init(factored_jacobian *m, const attcert_layer *layer, int n, attcert_error *err) {
  *m = shape_of(layer, n);
  const array_table arrays = arrays_of(m, layer->output_weight != NULL);
  const attcert_status status = array_table_allocate(&arrays, err, "the factored Jacobian");
  if (status != ATTCERT_OK) factored_jacobian_clear(m);
  return status;
}

void factored_jacobian_clear(factored_jacobian *m) {
  const array_table arrays = arrays_of(m, false);
  array_table_release(&arrays);
  *m = (factored_jacobian){0};
}
