#include "theory/output_value_norm.h"

#include "theory/product_norm.h"

attcert_status output_value_norm(interval *norm, const attcert_layer *layer, attcert_error *err) {
  const product_factor output = {layer->output_weight, false}, value = {layer->value_weight, false};
  if (output.data == NULL) return product_norm_plain(norm, value.data, layer->head_dim, layer->dim, err);
  return product_norm(norm, output, value, layer->out_dim, layer->head_dim, layer->dim, err);
}
