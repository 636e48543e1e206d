#include "model/model_attend.h"

#include "model/family/families.h"
#include "model/model_latent.h"
#include "model/model_maps.h"
#include "model/model_scores.h"
#include "model/transformer.h"
#include "network/activation/step_activation.h"
#include "network/attention/step_attention.h"
#include "network/product/step_product.h"
#include "network/rmsnorm/step_rmsnorm.h"
#include "network/rotary/step_rotary.h"
#include "network/scale/step_scale.h"
#include "network/select/step_select.h"
#include "network/sum/step_sum.h"

/* Of layer l, on so many tokens. */
static rotary_scaling scaling_of(const model_config *config, int l, int tokens) {
  if (model_config_has_own_angles(config, l)) return (rotary_scaling){.factor = 1.0};
  const bool divided = config->rotary_scaling.pairs > 0, longer = tokens > config->rotary_scaling.length;
  const double *const divisor = longer ? config->rotary_scaling.long_divisor : config->rotary_scaling.short_divisor;
  return (rotary_scaling){.factor = config->rotary_scaling.factor,
                          .low = config->rotary_scaling.low,
                          .high = config->rotary_scaling.high,
                          .length = config->rotary_scaling.length,
                          .by_pair = config->rotary_scaling.by_pair,
                          .whole = config->rotary_scaling.whole,
                          .amplitude = config->rotary_scaling.amplitude,
                          .slope = config->rotary_scaling.slope,
                          .divisor = divided ? divisor : NULL,
                          .extent = config->rotary_scaling.extent};
}

/* Queries, or keys, of so many heads. token: the only row's; -1: row i is that of token i. */
static int rotate(network_builder *b, int value, const model_config *config, int l, int heads, int token) {
  const double base = model_config_rotary_base(config, l);
  const int rotating = config->rotary_dim > 0 ? config->rotary_dim : config->head_dim;
  if (base == 0.0) return value;
  const rotary_scaling scaling = scaling_of(config, l, b->network->tokens);
  rotary_heads rotary = {.heads = heads,
                         .head_dim = config->head_dim,
                         .pairing = config->rotary_neighbours ? ROTARY_NEIGHBOURS : ROTARY_HALVES,
                         .rule = rotary_rule_scaled(base, rotating, &scaling),
                         .token = token};
  if (config->rotary_scaling.of_heads) rotary.rule.still = config->head_dim - rotating;
  return step_rotary_add(b, value, &rotary);
}

/* Of queries, or keys; part NULL: none. Head by head with one gain for all, or whole rows. */
static int norm_heads(network_builder *b, int value, const model *m, int l, const char *part) {
  char name[TENSOR_NAME_SIZE];
  const bool rows = m->config.family->heads_norm.rows;
  if (part == NULL) return value;
  const int cols = network_cols(b->network, value), k = m->config.head_dim, dim = rows ? cols : k;
  double *const gain = model_numbers(b, 1, cols);
  transformer_part(name, &m->source, l, part);
  if (b->status == ATTCERT_OK) b->status = linear_read_norm(gain, NULL, dim, &m->source, name, b->err);
  for (int c = dim; c < cols && gain != NULL; c++) gain[c] = gain[c - dim];
  const int y = step_rmsnorm_add(
      b, value, &(rmsnorm_weights){gain, m->config.epsilon, cols / dim, m->config.family->gain_from_one});
  network_own(b, gain);
  return y;
}

/* Its map has those of the gate, too. */
static void map_gated(network_builder *b, int *query, int *gate, const model *m, int l, int cols) {
  int input[] = {*query, *query};
  model_map_rows(b, input, (const int[]){cols, cols}, 2, m, l, m->config.family->attention.query,
                 m->config.attention_biases, true);
  *query = input[0];
  *gate = input[1];
}

static void map_parts(network_builder *b, int input[3], int *gate, const model *m, int l, const int cols[3]) {
  const model_family *const family = m->config.family;
  const char *const part[] = {family->attention.query, family->attention.key, family->attention.value};
  const bool biased = m->config.attention_biases, has_bias[] = {biased, family_has_key_bias(&m->config), biased};
  if (family->gated_heads) map_gated(b, &input[0], gate, m, l, cols[0]);
  for (int i = family->gated_heads; i < 3; i++)
    input[i] = model_part_map(b, input[i], m, l, part[i], has_bias[i], cols[i]);
}

static int halve(network_builder *b, int value) {
  const int cols = network_cols(b->network, value);
  double *const half = model_numbers(b, 1, cols);
  for (int c = 0; c < cols && half != NULL; c++) half[c] = 0.5;
  const int y = step_scale_add(b, value, &(scale_weights){half});
  network_own(b, half);
  return y;
}

/* y times the sigmoid of the gate, y (1 + tanh(gate / 2)) / 2. */
static int pass_gate(network_builder *b, int y, int gate) {
  const int turned = step_activation_add(b, halve(b, gate), &curve_tanh);
  return halve(b, step_sum_add(b, y, step_product_add(b, y, turned)));
}

static attention_heads heads_of(const model_config *config, int l, int token) {
  const bool local = model_config_is_local(config, l);
  return (attention_heads){.heads = config->heads,
                           .key_heads = config->key_heads,
                           .head_dim = config->head_dim,
                           .value_dim = model_config_value_dim(config),
                           .divided_by = model_config_divided_by(config),
                           .curve = config->score_cap > 0.0 ? &curve_tanh : NULL,
                           .cap = config->score_cap,
                           .before = local ? config->window - 1 : ATTENTION_ALL,
                           .after = local && config->mask == ATTCERT_MASK_NONE ? config->window - 1
                                                                               : attention_heads_after(config->mask),
                           .token = token};
}

/* Whether the attention is one that is evaluated. */
static attcert_status check_kind(const network_builder *b, const model *m, int l) {
  if (b->status != ATTCERT_OK || !model_config_is_other(&m->config, l)) return b->status;
  return attcert_fail(b->err, ATTCERT_INPUT, "%s: layer %d has %s, which is not evaluated", m->spec, l,
                      m->config.family->other_layers);
}

/* The sides of every matrix are in range. */
static attcert_status check_tokens(const network_builder *b, const model *m) {
  const int n = b->network->tokens, most = m->config.most_tokens;
  if (b->status != ATTCERT_OK) return b->status;
  if (most > 0 && n > most)
    return attcert_fail(b->err, ATTCERT_INPUT, "%s: %d tokens, expected at most %d: %s", m->spec, n, most,
                        m->config.position_shift.buckets > 0 ? "the rows of greater distances depend on rounding"
                                                             : "the angles of more depend on how many there are");
  if (n <= ATTCERT_SIDE_MAX) return ATTCERT_OK;
  return attcert_fail(b->err, ATTCERT_INPUT, "%s: %d tokens, expected at most %d", m->spec, n, ATTCERT_SIDE_MAX);
}

int model_attend(network_builder *b, int value, const model *m, int l, int token) {
  const model_config *const config = &m->config;
  const model_family *const family = config->family;
  const int queries = config->heads * config->head_dim, keys = config->key_heads * config->head_dim;
  const int cols[] = {queries, keys, keys};
  attention_heads heads = heads_of(config, l, token);
  b->status = check_tokens(b, m);
  b->status = check_kind(b, m, l);
  int gate = 0, input[] = {token >= 0 ? step_select_add(b, value, token) : value, value, value};
  if (config->latent.rank > 0)
    model_latent(b, input, m, l);
  else if (family->attention.key == NULL)
    model_map_rows(b, input, cols, 3, m, l, family->attention.query, config->attention_biases, family->fused_by_head);
  else
    map_parts(b, input, &gate, m, l, cols);
  input[0] = norm_heads(b, input[0], m, l, family->heads_norm.query);
  input[0] = rotate(b, input[0], config, l, config->heads, token);
  input[1] = norm_heads(b, input[1], m, l, family->heads_norm.key);
  input[1] = rotate(b, input[1], config, l, config->key_heads, -1);
  double *low, *const bias = model_position_bias(b, m, l, &low);
  heads.bias = bias;
  heads.bias_low = low;
  heads.span = b->network->tokens;
  double *const sink = model_sinks(b, m, l), *shifted[4] = {NULL};
  heads.sink = sink;
  heads.shifts = model_shifts(b, m, l, shifted);
  const int mean = step_attention_add(b, input, &heads), y = family->gated_heads ? pass_gate(b, mean, gate) : mean;
  network_own(b, bias);
  network_own(b, low);
  network_own(b, sink);
  for (int i = 0; i < 4; i++) network_own(b, shifted[i]);
  return model_part_map(b, y, m, l, family->attention.output, config->output_bias, config->dim);
}
