/* The steps that BERT's and GPT-2's blocks share. */
#include "model/transformer.h"

attcert_status transformer_layer(attcert_layer *layer, const transformer *family, const tensor_source *source, int l,
                                 attcert_error *err) {
  const model_config *config = source->config;
  attcert_status status =
      attcert_layer_init(layer, config->dim, config->heads, config->dim / config->heads, config->dim, true, err);
  if (status != ATTCERT_OK) return status;
  layer->mask = config->mask;
  status = family->read_attention(layer, source, l, err);
  if (status != ATTCERT_OK) attcert_layer_clear(layer);
  return status;
}

attcert_status transformer_attend(attcert_matrix *y, const attcert_matrix *x, const transformer *family,
                                  const tensor_source *source, int l, attcert_error *err) {
  attcert_layer layer;
  attcert_status status = transformer_layer(&layer, family, source, l, err);
  if (status != ATTCERT_OK) return status;
  status = attcert_layer_forward(y, &layer, x, err);
  attcert_layer_clear(&layer);
  return status;
}

void transformer_add(attcert_matrix *x, const attcert_matrix *y) {
  const size_t count = (size_t)x->rows * (size_t)x->cols;
  for (size_t i = 0; i < count; i++) x->data[i] += y->data[i];
}
