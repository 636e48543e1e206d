/* Layers of the public API: storage, one head of several, and what is asked of their numbers. */
#include "attcert.h"
#include "base/arrays.h"

#include <inttypes.h>
#include <math.h>
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

static attcert_status check_given(const attcert_layer *layer, const attcert_matrix *x, attcert_error *err) {
  if (layer == NULL) return attcert_fail(err, ATTCERT_INPUT, "layer: NULL, expected a layer");
  if (x == NULL || x->data == NULL) return attcert_fail(err, ATTCERT_INPUT, "input: NULL, expected an n x d matrix");
  if (layer->mask != ATTCERT_MASK_NONE && layer->mask != ATTCERT_MASK_CAUSAL)
    return attcert_fail(err, ATTCERT_INPUT, "mask: %d is none, expected %d, no mask, or %d, causal", (int)layer->mask,
                        ATTCERT_MASK_NONE, ATTCERT_MASK_CAUSAL);
  return ATTCERT_OK;
}

static attcert_status check_finite(const double *a, size_t rows, size_t cols, const char *name, attcert_error *err) {
  if (a == NULL) return ATTCERT_OK;
  for (size_t i = 0; i < rows * cols; i++) {
    if (!isfinite(a[i]))
      return attcert_fail(err, ATTCERT_INPUT, "%s: entry [%zu, %zu] is %g, expected a finite number", name, i / cols,
                          i % cols, a[i]);
  }
  return ATTCERT_OK;
}

static attcert_status check_sides(const attcert_layer *layer, int tokens, attcert_error *err) {
  if (layer->dim <= 0 || layer->heads <= 0 || layer->head_dim <= 0 || layer->out_dim <= 0)
    return attcert_fail(err, ATTCERT_INPUT, "layer sides must be positive: dim %d, heads %d, head_dim %d, out_dim %d",
                        layer->dim, layer->heads, layer->head_dim, layer->out_dim);
  if (tokens <= 0) return attcert_fail(err, ATTCERT_INPUT, "input: %d tokens, expected at least 1", tokens);
  const struct {
    int64_t side;
    const char *name;
  } sides[] = {{tokens, "number of tokens"},
               {layer->dim, "dim"},
               {(int64_t)layer->heads * layer->head_dim, "heads x head_dim"},
               {layer->out_dim, "out_dim"}};
  for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
    if (sides[i].side > ATTCERT_SIDE_MAX)
      return attcert_fail(err, ATTCERT_INPUT, "%s is %" PRId64 ", expected at most %d", sides[i].name, sides[i].side,
                          ATTCERT_SIDE_MAX);
  }
  return ATTCERT_OK;
}

attcert_status attcert_layer_check(const attcert_layer *layer, const attcert_matrix *x, attcert_error *err) {
  const attcert_status given = check_given(layer, x, err);
  if (given != ATTCERT_OK) return given;
  const attcert_status sides = check_sides(layer, x->rows, err);
  if (sides != ATTCERT_OK) return sides;
  if (layer->query_weight == NULL || layer->key_weight == NULL || layer->value_weight == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "a layer needs query.weight, key.weight and value.weight");
  if (layer->output_weight == NULL && layer->out_dim != layer->heads * layer->head_dim)
    return attcert_fail(err, ATTCERT_INPUT,
                        "without output.weight the output has dimension %d (heads x head_dim), not %d",
                        layer->heads * layer->head_dim, layer->out_dim);
  if (x->cols != layer->dim)
    return attcert_fail(err, ATTCERT_INPUT, "input: tokens of dimension %d, but the layer's weights expect %d", x->cols,
                        layer->dim);
  const size_t d = (size_t)layer->dim, rows = (size_t)layer->heads * (size_t)layer->head_dim,
               out = (size_t)layer->out_dim;
  const struct {
    const double *data;
    size_t rows, cols;
    const char *name;
  } part[] = {{x->data, (size_t)x->rows, d, "input"},     {layer->query_weight, rows, d, "query.weight"},
              {layer->key_weight, rows, d, "key.weight"}, {layer->value_weight, rows, d, "value.weight"},
              {layer->query_bias, rows, 1, "query.bias"}, {layer->key_bias, rows, 1, "key.bias"},
              {layer->value_bias, rows, 1, "value.bias"}, {layer->output_weight, out, rows, "output.weight"},
              {layer->output_bias, out, 1, "output.bias"}};
  for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
    const attcert_status status = check_finite(part[i].data, part[i].rows, part[i].cols, part[i].name, err);
    if (status != ATTCERT_OK) return status;
  }
  return ATTCERT_OK;
}
