/* Layers of the public API: storage, and one head of several. */
#include "attcert.h"
#include "base/arrays.h"
#include "base/layer_check.h"

#include <string.h>

/* Without biases, without W_O: none of their arrays. */
static array_table arrays_of(attcert_layer *layer, bool biases, bool output) {
  const size_t width = (size_t)layer->heads * (size_t)layer->head_dim, dim = (size_t)layer->dim,
               out = output ? (size_t)layer->out_dim : 0, own = biases ? width : 0;
  return (array_table){{
      ARRAY(layer->query_weight, width, dim),
      ARRAY(layer->key_weight, width, dim),
      ARRAY(layer->value_weight, width, dim),
      ARRAY(layer->query_bias, own),
      ARRAY(layer->key_bias, own),
      ARRAY(layer->value_bias, own),
      ARRAY(layer->output_weight, out, width),
      ARRAY(layer->output_bias, biases ? out : 0),
  }};
}

attcert_status attcert_layer_init(attcert_layer *layer, int dim, int heads, int head_dim, int out_dim, bool biases,
                                  attcert_error *err) {
  if (layer == NULL) return attcert_fail(err, ATTCERT_INPUT, "layer: NULL, expected one to initialise");
  *layer = (attcert_layer){.dim = dim, .heads = heads, .head_dim = head_dim};
  if (dim <= 0 || heads <= 0 || head_dim <= 0 || out_dim < 0)
    return attcert_fail(err, ATTCERT_INPUT, "layer sides must be positive: dim %d, heads %d, head_dim %d, out_dim %d",
                        dim, heads, head_dim, out_dim);
  if (head_dim > INT32_MAX / heads)
    return attcert_fail(err, ATTCERT_INPUT, "%d heads of dimension %d are too many", heads, head_dim);
  layer->out_dim = out_dim != 0 ? out_dim : heads * head_dim;
  const array_table arrays = arrays_of(layer, biases, out_dim != 0);
  const attcert_status status =
      array_table_allocate(&arrays, err, "a layer with %d heads of %d x %d weights", heads, head_dim, dim);
  if (status != ATTCERT_OK) attcert_layer_clear(layer);
  return status;
}

void attcert_layer_clear(attcert_layer *layer) {
  if (layer == NULL) return;
  const array_table arrays = arrays_of(layer, false, false);
  array_table_release(&arrays);
  *layer = (attcert_layer){0};
}

attcert_status attcert_layer_head(attcert_layer *head, const attcert_layer *layer, int h, attcert_error *err) {
  if (head == NULL || layer == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "head: NULL, expected a layer and a head to initialise");
  *head = (attcert_layer){0};
  if (h < 0 || h >= layer->heads)
    return attcert_fail(err, ATTCERT_INPUT, "head %d does not exist: the layer has heads 0 to %d", h, layer->heads - 1);
  const attcert_status status = attcert_layer_init(head, layer->dim, 1, layer->head_dim, 0, true, err);
  if (status != ATTCERT_OK) return status;
  head->mask = layer->mask;
  const size_t k = (size_t)layer->head_dim, kd = k * (size_t)layer->dim, first = (size_t)h;
  const double *const weight[] = {layer->query_weight, layer->key_weight, layer->value_weight};
  const double *const bias[] = {layer->query_bias, layer->key_bias, layer->value_bias};
  double *const head_weight[] = {head->query_weight, head->key_weight, head->value_weight};
  double *const head_bias[] = {head->query_bias, head->key_bias, head->value_bias};
  for (int i = 0; i < 3; i++) {
    memcpy(head_weight[i], weight[i] + first * kd, kd * sizeof(double));
    if (bias[i] != NULL) memcpy(head_bias[i], bias[i] + first * k, k * sizeof(double)); /* else zero */
  }
  return ATTCERT_OK;
}

attcert_status attcert_layer_check(const attcert_layer *layer, const attcert_matrix *x, attcert_error *err) {
  if (layer == NULL) return attcert_fail(err, ATTCERT_INPUT, "layer: NULL, expected a layer");
  if (x == NULL) return attcert_fail(err, ATTCERT_INPUT, "input: NULL, expected an n x d matrix");
  return layer_check(layer, x, err);
}
