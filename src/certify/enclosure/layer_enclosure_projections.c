#include "certify/enclosure/layer_enclosure_projections.h"

#include "certify/enclosure/projection.h"

#ifdef __FRAMAC__
#include "interval/interval_projection_lemmas.acsl"
#endif

attcert_status layer_enclosure_project(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                       int threads, attcert_error *err) {
  const projection_shape shape = {e->n, e->dim, e->heads, e->head_dim, e->precision, threads};
  attcert_status status = projection_enclosure(e->q, layer->query_weight, layer->query_bias, x->data, &shape, err);
  if (status == ATTCERT_OK)
    status = projection_enclosure(e->k, layer->key_weight, layer->key_bias, x->data, &shape, err);
  if (status == ATTCERT_OK) status = projection_enclosure(e->v, layer->value_weight, NULL, x->data, &shape, err);
  return status;
}
