/* See sliced_layer.h. */
#include "sliced_layer.h"

#include <string.h>

static void transpose(double *out, const double *in, int d) {
  for (int r = 0; r < d; r++) {
    for (int c = 0; c < d; c++) out[r * d + c] = in[c * d + r];
  }
}

static void copy_bias(double *out, const double *bias, int count) {
  if (bias != NULL) memcpy(out, bias, (size_t)count * sizeof(double));
}

attcert_status sliced_layer_init(attcert_layer *sliced, const attcert_layer *layer, attcert_error *err) {
  const int d = layer->dim, out = layer->output_weight != NULL ? layer->out_dim : 0;
  *sliced = (attcert_layer){0};
  if (layer->heads * layer->head_dim != d)
    return attcert_fail(err, ATTCERT_INPUT, "%d heads of dimension %d on tokens of dimension %d, expected a square map",
                        layer->heads, layer->head_dim, d);
  const attcert_status status = attcert_layer_init(sliced, d, layer->heads, layer->head_dim, out, true, err);
  if (status != ATTCERT_OK) return status;
  sliced->mask = layer->mask;
  transpose(sliced->query_weight, layer->query_weight, d);
  transpose(sliced->key_weight, layer->key_weight, d);
  transpose(sliced->value_weight, layer->value_weight, d);
  copy_bias(sliced->query_bias, layer->query_bias, d);
  copy_bias(sliced->key_bias, layer->key_bias, d);
  copy_bias(sliced->value_bias, layer->value_bias, d);
  if (out > 0) memcpy(sliced->output_weight, layer->output_weight, (size_t)out * (size_t)d * sizeof(double));
  if (out > 0) copy_bias(sliced->output_bias, layer->output_bias, out);
  return ATTCERT_OK;
}
