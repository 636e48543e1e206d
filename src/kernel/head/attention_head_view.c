#include "kernel/head/attention_head.h"
#include "kernel/linear/index.h"
#include "kernel/linear/libm.h"

/*@ terminates \true;
    assigns \result \from array, start;
    ensures result: \result == from_entry(array, start); */
static const double *part(const double *array, int start) {
  return array != NULL ? array + start : NULL;
}

size_t attention_head_size(const attcert_layer *layer, int n) {
  const size_t vectors = (size_t)row_offset(n, layer->head_dim, n), weights = (size_t)row_offset(n, n, n);
  return 4 * vectors + weights;
}

/* dq, dk, dv of every token, and one row of score differentials or cotangents. */
size_t attention_head_product_scratch(const attention_head *head) {
  return 3 * (size_t)row_offset(head->n, head->head_dim, head->n) + (size_t)head->n;
}

attention_head attention_head_view(const attcert_layer *layer, int h, int n, double *storage) {
  const int k = layer->head_dim, width = row_offset(layer->heads, k, layer->heads);
  const int first = row_offset(h, k, layer->heads), first_weight = row_offset(first, layer->dim, width);
  const size_t vectors = (size_t)row_offset(n, k, n);
  const attention_head view = {.n = n,
                               .dim = layer->dim,
                               .head_dim = k,
                               .mask = layer->mask,
                               .root = sqrt((double)k),
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
  return view;
}
