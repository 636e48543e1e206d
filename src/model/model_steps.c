/*   block, norm last     x = LN(x + attention(x)),     x = LN(x + feed_forward(x))
 *   block, norm first    x = x + attention(LN(x)),     x = x + feed_forward(LN(x)) */
#include "model/model_steps.h"

#include "base/arrays.h"
#include "model/transformer.h"
#include "network/activation/step_activation.h"
#include "network/affine/step_affine.h"
#include "network/attention/step_attention.h"
#include "network/layernorm/step_layernorm.h"
#include "network/product/step_product.h"
#include "network/rmsnorm/step_rmsnorm.h"
#include "network/rotary/step_rotary.h"
#include "network/select/step_select.h"
#include "network/sum/step_sum.h"

/* NULL where anything failed. */
static double *numbers(network_builder *b, int rows, int cols) {
  const size_t count = (size_t)rows * (size_t)cols;
  if (b->status != ATTCERT_OK) return NULL;
  double *const memory = array_new(count, sizeof *memory, b->err, "weights of %zu numbers", count);
  if (memory == NULL) b->status = ATTCERT_RESOURCE;
  return memory;
}

int model_map(network_builder *b, int value, const tensor_source *source, linear_reader *read, const char *name,
              bool biased, int cols) {
  const int in = network_cols(b->network, value);
  double *const weight = numbers(b, cols, in), *const bias = biased ? numbers(b, 1, cols) : NULL;
  if (b->status == ATTCERT_OK) b->status = read(weight, bias, source, name, cols, in, b->err);
  const int y = step_affine_add(b, value, &(affine_weights){weight, bias}, cols);
  network_own(b, weight);
  network_own(b, bias);
  return y;
}

int model_norm(network_builder *b, int value, const model *m, const char *name) {
  const int d = network_cols(b->network, value);
  const bool biased = !m->config.family->root_mean_square;
  double *const gain = numbers(b, 1, d), *const bias = biased ? numbers(b, 1, d) : NULL;
  if (b->status == ATTCERT_OK) b->status = linear_read_norm(gain, bias, d, &m->source, name, b->err);
  const int y = biased ? step_layernorm_add(b, value, &(layernorm_weights){gain, bias, m->config.epsilon})
                       : step_rmsnorm_add(b, value, &(rmsnorm_weights){gain, m->config.epsilon});
  network_own(b, gain);
  network_own(b, bias);
  return y;
}

static int part_map(network_builder *b, int value, const model *m, int l, const char *part, bool biased, int cols) {
  char name[TENSOR_NAME_SIZE];
  transformer_part(name, &m->source, l, part);
  return model_map(b, value, &m->source, linear_read_stored, name, biased, cols);
}

static int part_norm(network_builder *b, int value, const model *m, int l, const char *part) {
  char name[TENSOR_NAME_SIZE];
  transformer_part(name, &m->source, l, part);
  return model_norm(b, value, m, name);
}

/* x + y, and LayerNorm where it comes last. */
static int add_residual(network_builder *b, int x, int y, const model *m, int l, const char *norm) {
  const int sum = step_sum_add(b, x, y);
  return m->config.family->norm_first ? sum : part_norm(b, sum, m, l, norm);
}

int model_attention_input(network_builder *b, int value, const model *m, int l) {
  return m->config.family->norm_first ? part_norm(b, value, m, l, m->config.family->attention.norm) : value;
}

/* token: the only row's; -1: row i is that of token i. */
static int rotate(network_builder *b, int value, const model_config *config, int heads, int token) {
  if (config->rotary_base == 0.0) return value;
  const rotary_heads rotary = {.heads = heads,
                               .head_dim = config->head_dim,
                               .pairing = ROTARY_HALVES,
                               .rule = rotary_rule_powers(config->rotary_base, config->head_dim),
                               .token = token};
  return step_rotary_add(b, value, &rotary);
}

/* Of heads that attcert_layer does not have. */
static int attend_generally(network_builder *b, int x, const model *m, int l, int token) {
  const model_config *const config = &m->config;
  const model_family *const family = config->family;
  const int k = config->head_dim, queries = config->heads * k, keys = config->key_heads * k;
  const bool biased = config->attention_biases;
  const attention_heads heads = {.heads = config->heads,
                                 .key_heads = config->key_heads,
                                 .head_dim = k,
                                 .value_dim = k,
                                 .divided_by = k,
                                 .mask = config->mask,
                                 .token = token};
  if (b->status == ATTCERT_OK) b->status = transformer_check_tokens(config, l, b->network->tokens, m->spec, b->err);
  const int of_query = token >= 0 ? step_select_add(b, x, token) : x;
  const int input[3] = {
      rotate(b, part_map(b, of_query, m, l, family->attention.query, biased, queries), config, config->heads, token),
      rotate(b, part_map(b, x, m, l, family->attention.key, biased, keys), config, config->key_heads, -1),
      part_map(b, x, m, l, family->attention.value, biased, keys)};
  const int mean = step_attention_add(b, input, &heads);
  return part_map(b, mean, m, l, family->attention.output, config->output_bias, config->dim);
}

/* The steps of the layer that certify certifies; the network takes over its arrays, which are allocated one by one. */
static int attend_plainly(network_builder *b, int x, const model *m, int l, int token) {
  attcert_layer layer = {0};
  if (b->status == ATTCERT_OK)
    b->status = transformer_check_attention(&m->config, l, b->network->tokens, m->spec, b->err);
  if (b->status == ATTCERT_OK) b->status = transformer_layer(&layer, &m->source, l, b->err);
  attention_heads heads = step_attention_plain(layer.heads, layer.head_dim);
  heads.mask = layer.mask;
  heads.token = token;
  const struct {
    double *weight, *bias;
  } map[] = {{layer.query_weight, layer.query_bias},
             {layer.key_weight, layer.key_bias},
             {layer.value_weight, layer.value_bias},
             {layer.output_weight, layer.output_bias}};
  int input[3] = {token >= 0 ? step_select_add(b, x, token) : x, x, x};
  for (int i = 0; i < 3; i++)
    input[i] = step_affine_add(b, input[i], &(affine_weights){map[i].weight, map[i].bias}, m->config.dim);
  const int mean = step_attention_add(b, input, &heads);
  const int y = step_affine_add(b, mean, &(affine_weights){map[3].weight, map[3].bias}, m->config.dim);
  for (int i = 0; i < 4; i++) {
    network_own(b, map[i].weight);
    network_own(b, map[i].bias);
  }
  return y;
}

int model_attention(network_builder *b, int value, const model *m, int l, int token) {
  int (*const attend)(network_builder *, int, const model *, int, int) =
      model_config_has_plain_heads(&m->config) ? attend_plainly : attend_generally;
  const int y = attend(b, model_attention_input(b, value, m, l), m, l, token);
  const int x = token >= 0 ? step_select_add(b, value, token) : value;
  return add_residual(b, x, y, m, l, m->config.family->attention.norm);
}

int model_feed_forward(network_builder *b, int value, const model *m, int l) {
  const model_family *const family = m->config.family;
  const bool biased = m->config.feed_forward_biases;
  const int x = family->norm_first ? part_norm(b, value, m, l, family->feed_forward.norm) : value;
  int y = part_map(b, x, m, l, family->feed_forward.up, biased, m->config.hidden_dim);
  if (family->feed_forward.gate != NULL) {
    const int gate = part_map(b, x, m, l, family->feed_forward.gate, biased, m->config.hidden_dim);
    y = step_product_add(b, step_activation_add(b, gate, m->config.act), y);
  } else {
    y = step_activation_add(b, y, m->config.act);
  }
  y = part_map(b, y, m, l, family->feed_forward.down, biased, m->config.dim);
  return add_residual(b, value, y, m, l, family->feed_forward.norm);
}
