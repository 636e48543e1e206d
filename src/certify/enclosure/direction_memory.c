#include "certify/enclosure/direction_memory.h"

#include <float.h>

#include "base/arrays.h"
#include "certify/enclosure/direction.h"
#include "certify/enclosure/projection.h"

attcert_status derivative_init(derivative *t, interval *ratio, const attcert_layer *layer, const layer_enclosure *e,
                               const double *u, attcert_error *err) {
  const size_t width = (size_t)e->heads * (size_t)e->head_dim, rows = (size_t)e->n * width;
  const size_t out = (size_t)layer->out_dim;
  *t = (derivative){.layer = layer,
                    .e = e,
                    .u = u,
                    .ratio = ratio,
                    .dq = interval_vec_new(rows, e->precision),
                    .dk = interval_vec_new(rows, e->precision),
                    .dv = interval_vec_new(rows, e->precision),
                    .dy = interval_vec_new(rows, e->precision),
                    .squares = interval_vec_new((size_t)e->n, e->precision)};
  t->image = t->dy;
  if (layer->output_weight != NULL) {
    t->output = point_vec_new(out * width, e->precision < DBL_MANT_DIG ? DBL_MANT_DIG : e->precision); /* exact */
    t->image = interval_vec_new((size_t)e->n * out, e->precision);
  }
  if (t->dq != NULL && t->dk != NULL && t->dv != NULL && t->dy != NULL && t->squares != NULL && t->image != NULL &&
      (layer->output_weight == NULL || t->output != NULL))
    return ATTCERT_OK;
  return array_out_of_memory(err, direction_bytes(layer, e->n, e->precision), "the directional derivative");
}

void derivative_clear(derivative *t) {
  interval_vec_free(t->dq);
  interval_vec_free(t->dk);
  interval_vec_free(t->dv);
  if (t->image != t->dy) interval_vec_free(t->image);
  interval_vec_free(t->dy);
  point_vec_free(t->output);
  interval_vec_free(t->squares);
}

attcert_status derivative_lacks_memory(const derivative *t, attcert_error *err) {
  return array_out_of_memory(err, projection_bytes(1, t->e->dim), "a token's derivative in fixed point");
}

uint64_t direction_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  const size_t width = (size_t)layer->heads * (size_t)layer->head_dim, tokens = (size_t)n, out = (size_t)layer->out_dim;
  const size_t weights = layer->output_weight != NULL ? out * width : 0;
  return (uint64_t)interval_vec_bytes(tokens * (4 * width + out + 1), precision) + point_vec_bytes(weights, precision) +
         projection_bytes(n, layer->dim);
}
