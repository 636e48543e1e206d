#include "kernel/attention_head.h"
#include "kernel/libm.h"

static const double *part(const double *array, size_t start) {
  return array != NULL ? array + start : NULL;
}

size_t attention_head_size(const attcert_layer *layer, int n) {
  const size_t tokens = (size_t)n;
  return 4 * tokens * (size_t)layer->head_dim + tokens * tokens;
}

/* dq, dk, dv of every token, and one row of score differentials or cotangents. */
size_t attention_head_product_scratch(const attention_head *head) {
  return 3 * (size_t)head->n * (size_t)head->head_dim + (size_t)head->n;
}

attention_head attention_head_view(const attcert_layer *layer, int h, int n, double *storage) {
  const size_t first = (size_t)h * (size_t)layer->head_dim, first_weight = first * (size_t)layer->dim;
  const size_t vectors = (size_t)n * (size_t)layer->head_dim;
  return (attention_head){.n = n,
                          .dim = layer->dim,
                          .head_dim = layer->head_dim,
                          .mask = layer->mask,
                          .root = sqrt((double)layer->head_dim),
                          .query_weight = layer->query_weight + first_weight,
                          .key_weight = layer->key_weight + first_weight,
                          .value_weight = layer->value_weight + first_weight,
                          .query_bias = part(layer->query_bias, first),
                          .key_bias = part(layer->key_bias, first),
                          .value_bias = part(layer->value_bias, first),
                          .query = storage,
                          .key = storage + vectors,
                          .value = storage + 2 * vectors,
                          .output = storage + 3 * vectors,
                          .weights = storage + 4 * vectors};
}
