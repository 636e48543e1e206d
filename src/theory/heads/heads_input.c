#include "theory/heads/heads_input.h"

#include "base/arrays.h"
#include "base/memory.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "network/attention/step_attention_weights.h"
#include "network/network.h"
#include "theory/layer_norms.h"

#include <stdlib.h>

uint64_t heads_input_bytes(const heads_layer *layer) {
  const size_t n = (size_t)layer->network->tokens;
  uint64_t bytes = 2 * (uint64_t)interval_vec_bytes(n * n, THEORY_PRECISION);
  for (int v = 0; v <= layer->attention; v++)
    bytes = memory_add(bytes, interval_vec_bytes(network_entries(layer->network, v), THEORY_PRECISION));
  return bytes;
}

attcert_status heads_input_init(heads_input *in, const heads_layer *layer, const attcert_matrix *x,
                                attcert_error *err) {
  const size_t values = (size_t)layer->attention + 1;
  const int n = layer->network->tokens;
  step_scratch scratch;
  *in = (heads_input){.layer = layer, .value = array_new(values, sizeof *in->value, err, "%zu values", values)};
  attcert_status status = in->value != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
  if (status == ATTCERT_OK) status = step_enclosure_init(&in->weights, n, n, THEORY_PRECISION, err);
  if (status == ATTCERT_OK) status = step_enclosure_init(&in->slope, n, n, THEORY_PRECISION, err);
  step_scratch_init(&scratch, THEORY_PRECISION);
  if (status == ATTCERT_OK)
    status = network_enclose_values(in->value, layer->network, layer->attention, x, &scratch, err);
  step_scratch_clear(&scratch);
  return status;
}

void heads_input_clear(heads_input *in) {
  for (int v = 0; in->value != NULL && v <= in->layer->attention; v++) step_enclosure_clear(&in->value[v]);
  free(in->value);
  step_enclosure_clear(&in->weights);
  step_enclosure_clear(&in->slope);
  *in = (heads_input){0};
}

void heads_input_set_head(heads_input *in, int h) {
  const heads_layer *const layer = in->layer;
  const step_enclosure *const x[] = {&in->value[layer->query.value], &in->value[layer->key.value],
                                     &in->value[layer->values.value]};
  const int n = layer->network->tokens;
  step_scratch scratch;
  step_scratch_init(&scratch, THEORY_PRECISION);
  step_attention_enclose_scale(layer->of, &scratch);
  for (int i = 0; i < n; i++) {
    const attention_place at = attention_place_of(layer->of, i * layer->of->heads + h, n);
    for (int j = 0; j < n; j++) interval_set_zero(step_entry(&in->weights, i, j));
    step_attention_enclose_weights(step_entry(&in->weights, i, at.first), step_entry(&in->slope, i, at.first), x, &at,
                                   &scratch);
    step_attention_spread(step_entry(&in->weights, i, 0), &at);
    step_attention_spread(step_entry(&in->slope, i, 0), &at);
  }
  step_scratch_clear(&scratch);
}

void heads_input_column_sum(interval *largest, const heads_input *in) {
  interval sum;
  interval_init(&sum, THEORY_PRECISION);
  interval_set_zero(largest);
  for (int j = 0; j < in->weights.cols; j++) {
    interval_set_zero(&sum);
    for (int i = 0; i < in->weights.rows; i++) interval_add(&sum, &sum, step_entry(&in->weights, i, j));
    interval_max(largest, largest, &sum);
  }
  interval_clear(&sum);
}
