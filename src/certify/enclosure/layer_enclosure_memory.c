#include "certify/enclosure/layer_enclosure_memory.h"

#include "base/arrays.h"
#include "certify/enclosure/projection.h"
#include "interval/interval_vec.h"

uint64_t layer_enclosure_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  const size_t heads = (size_t)layer->heads, k = (size_t)layer->head_dim, tokens = (size_t)n;
  return 4 * (uint64_t)interval_vec_bytes(heads * tokens * k, precision) +
         interval_vec_bytes(heads * tokens * tokens, precision) + projection_bytes(n, layer->dim);
}

attcert_status layer_enclosure_allocate(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                        mpfr_prec_t precision, attcert_error *err) {
  *e = (layer_enclosure){.n = x->rows,
                         .dim = layer->dim,
                         .heads = layer->heads,
                         .head_dim = layer->head_dim,
                         .mask = layer->mask,
                         .precision = precision};
  const size_t rows = (size_t)e->heads * (size_t)e->n;
  interval **const vectors[] = {&e->q, &e->k, &e->v, &e->y};
  bool allocated = true;
  for (int i = 0; i < 4; i++) {
    *vectors[i] = interval_vec_new(rows * (size_t)e->head_dim, precision);
    allocated = allocated && *vectors[i] != NULL;
  }
  e->p = interval_vec_new(rows * (size_t)e->n, precision);
  if (allocated && e->p != NULL) return ATTCERT_OK;
  const attcert_status status =
      array_out_of_memory(err, layer_enclosure_bytes(layer, e->n, precision), "the layer at %ld bits", (long)precision);
  layer_enclosure_clear(e);
  return status;
}

void layer_enclosure_clear(layer_enclosure *e) {
  interval_vec_free(e->q);
  interval_vec_free(e->k);
  interval_vec_free(e->v);
  interval_vec_free(e->y);
  interval_vec_free(e->p);
  *e = (layer_enclosure){0};
}
