#include "model/layer_steps.h"

#include "network/affine/step_affine.h"
#include "network/attention/step_attention.h"

/* NULL where anything failed. */
static const double *identity(network_builder *b, int side) {
  double *const matrix = network_new(b, (size_t)side * (size_t)side, sizeof *matrix);
  for (int i = 0; i < side && matrix != NULL; i++) matrix[(size_t)i * (size_t)side + (size_t)i] = 1.0;
  return matrix;
}

void layer_steps_add(network_builder *b, const attcert_layer *l, int queries, int keys, const attention_heads *heads) {
  const int width = l->heads * l->head_dim;
  const int input[] = {step_affine_add(b, queries, &(affine_weights){l->query_weight, l->query_bias}, width),
                       step_affine_add(b, keys, &(affine_weights){l->key_weight, l->key_bias}, width),
                       step_affine_add(b, keys, &(affine_weights){l->value_weight, l->value_bias}, width)};
  const int mean = step_attention_add(b, input, heads);
  const double *const output = l->output_weight != NULL ? l->output_weight : identity(b, width);
  step_affine_add(b, mean, &(affine_weights){output, l->output_bias}, l->output_weight != NULL ? l->out_dim : width);
}

attcert_status layer_steps_open(network_steps *network, const attcert_layer *l, int n, attcert_error *err) {
  *network = (network_steps){.tokens = n, .dim = l->dim};
  network_builder b = {.network = network, .err = err, .layer = -1};
  attention_heads heads = step_attention_plain(l->heads, l->head_dim);
  heads.after = attention_heads_after(l->mask);
  layer_steps_add(&b, l, 0, 0, &heads);
  return b.status;
}
