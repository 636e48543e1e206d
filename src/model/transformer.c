/* The attention of a layer from its tensors. The certified function divides scores by sqrt(k). Where a family does not
 * (GPT-Neo), the queries are multiplied by sqrt(k), which is exact in binary when k is a power of 4: sqrt(k) is then a
 * power of 2. */
#include "model/transformer.h"

#include "model/family/families.h"
#include "model/linear.h"

#include <stdio.h>
#include <string.h>

void transformer_part(char name[TENSOR_NAME_SIZE], const tensor_source *source, int l, const char *part) {
  const model_config *const config = source->config;
  snprintf(name, TENSOR_NAME_SIZE, "%s%d.%s", config->family->blocks, model_config_group(config, l), part);
}

/* The exponent of sqrt(k) = 2^e where k is a power of 4, else -1. */
static int root_exponent(int k) {
  int e = 0;
  while (1 << 2 * e < k) e++;
  return 1 << 2 * e == k ? e : -1;
}

int transformer_query_exponent(const model_config *config) {
  return config->scaled ? 0 : root_exponent(config->head_dim);
}

/* What attcert_layer does not have, of a layer whose heads are not plain. */
static const char *other_heads(const model_config *config, int l) {
  if (model_config_is_local(config, l)) return "local attention, to a window of tokens alone";
  if (config->latent.rank > 0) return "keys and values of shorter vectors";
  if (model_config_rotary_base(config, l) > 0.0) return "rotary positions";
  if (model_config_is_shifted(config)) return "queries and keys shifted by position";
  if (config->position_buckets > 0 || config->position_slopes) return "scores biased by position";
  return "heads that share keys or are of another size";
}

attcert_status transformer_check_attention(const model_config *config, int l, const char *label, attcert_error *err) {
  const int k = config->head_dim;
  if (!model_config_has_plain_heads(config, l))
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: layer %d has %s, expected plain heads: certify, robust and gradient evaluate it", label, l,
                        other_heads(config, l));
  if (config->scaled || root_exponent(k) >= 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: layer %d does not divide its scores by sqrt(k), and sqrt(%d) is no power of 2: its queries "
                      "cannot be scaled exactly",
                      label, l, k);
}

static void scale_queries(attcert_layer *layer) {
  const double root = 1 << root_exponent(layer->head_dim);
  const size_t rows = (size_t)layer->heads * (size_t)layer->head_dim, count = rows * (size_t)layer->dim;
  for (size_t i = 0; i < count; i++) layer->query_weight[i] *= root;
  for (size_t i = 0; i < rows; i++) layer->query_bias[i] *= root;
}

/* One map R^d -> R^3d: rows 0 .. d-1 are the query map, then key, then value. */
static attcert_status read_fused(attcert_layer *layer, const tensor_source *source, const char *name,
                                 attcert_error *err) {
  const size_t d = (size_t)layer->dim;
  attcert_matrix weight = {0}, bias = {0};
  attcert_status status = attcert_matrix_init(&weight, 3 * layer->dim, layer->dim, err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(&bias, 3, layer->dim, err);
  if (status == ATTCERT_OK)
    status = linear_read_stored(weight.data, bias.data, source, name, 3 * layer->dim, layer->dim, err);
  double *const part_weight[] = {layer->query_weight, layer->key_weight, layer->value_weight};
  double *const part_bias[] = {layer->query_bias, layer->key_bias, layer->value_bias};
  for (size_t i = 0; i < 3 && status == ATTCERT_OK; i++) {
    memcpy(part_weight[i], weight.data + i * d * d, d * d * sizeof(double));
    memcpy(part_bias[i], bias.data + i * d, d * sizeof(double));
  }
  attcert_matrix_clear(&weight);
  attcert_matrix_clear(&bias);
  return status;
}

static attcert_status read_parts(attcert_layer *layer, const tensor_source *source, int l, attcert_error *err) {
  const model_family *const family = source->config->family;
  const bool biased = source->config->attention_biases;
  const struct {
    const char *part;
    double *weight, *bias;
    bool biased;
  } map[] = {{family->attention.query, layer->query_weight, layer->query_bias, biased},
             {family->attention.key, layer->key_weight, layer->key_bias, family_has_key_bias(source->config)},
             {family->attention.value, layer->value_weight, layer->value_bias, biased}};
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; i < sizeof map / sizeof map[0] && status == ATTCERT_OK; i++) {
    char name[TENSOR_NAME_SIZE];
    transformer_part(name, source, l, map[i].part);
    double *const bias = map[i].biased ? map[i].bias : NULL;
    status = linear_read_stored(map[i].weight, bias, source, name, layer->dim, layer->dim, err);
  }
  return status;
}

static attcert_status read_attention(attcert_layer *layer, const tensor_source *source, int l, attcert_error *err) {
  const model_family *const family = source->config->family;
  char name[TENSOR_NAME_SIZE];
  transformer_part(name, source, l, family->attention.query);
  const attcert_status status =
      family->attention.key == NULL ? read_fused(layer, source, name, err) : read_parts(layer, source, l, err);
  if (status != ATTCERT_OK) return status;
  if (!source->config->scaled) scale_queries(layer);
  transformer_part(name, source, l, family->attention.output);
  double *const bias = source->config->output_bias ? layer->output_bias : NULL;
  return linear_read_stored(layer->output_weight, bias, source, name, layer->dim, layer->dim, err);
}

attcert_status transformer_layer(attcert_layer *layer, const tensor_source *source, int l, attcert_error *err) {
  const model_config *const config = source->config;
  attcert_status status =
      attcert_layer_init(layer, config->dim, config->heads, config->head_dim, config->dim, true, err);
  if (status != ATTCERT_OK) return status;
  layer->mask = config->mask;
  status = read_attention(layer, source, l, err);
  if (status != ATTCERT_OK) attcert_layer_clear(layer);
  return status;
}
