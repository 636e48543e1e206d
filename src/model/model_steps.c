/*   block, norm last     x = LN(x + attention(x)),     x = LN(x + feed_forward(x))
 *   block, norm first    x = x + attention(LN(x)),     x = x + feed_forward(LN(x)),
 *   block, parallel      x = x + attention(LN(x)) + feed_forward(LN(x)), each with a norm of its own,
 * each part with a norm and a scale of its own behind it, or no norm before it, where the family has it so. */
#include "model/model_steps.h"

#include "base/arrays.h"
#include "model/family/families.h"
#include "model/position_bias.h"
#include "model/position_shift.h"
#include "model/slope_bias.h"
#include "model/transformer.h"
#include "network/activation/step_activation.h"
#include "network/affine/step_affine.h"
#include "network/attention/step_attention.h"
#include "network/layernorm/step_layernorm.h"
#include "network/product/step_product.h"
#include "network/rmsnorm/step_rmsnorm.h"
#include "network/rotary/step_rotary.h"
#include "network/scale/step_scale.h"
#include "network/select/step_select.h"
#include "network/sum/step_sum.h"

#include <stdlib.h>
#include <string.h>

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
  return model_norm_of(b, value, m, &m->source, name);
}

int model_norm_of(network_builder *b, int value, const model *m, const tensor_source *source, const char *name) {
  const int d = network_cols(b->network, value);
  const bool centered = !m->config.family->root_mean_square, biased = centered && m->config.norm_biases;
  double *const gain = numbers(b, 1, d), *const bias = centered ? numbers(b, 1, d) : NULL;
  if (b->status == ATTCERT_OK) b->status = linear_read_norm(gain, biased ? bias : NULL, d, source, name, b->err);
  const int y =
      centered
          ? step_layernorm_add(b, value, &(layernorm_weights){gain, bias, m->config.epsilon})
          : step_rmsnorm_add(b, value, &(rmsnorm_weights){gain, m->config.epsilon, 1, m->config.family->gain_from_one});
  network_own(b, gain);
  network_own(b, bias);
  return y;
}

static int part_map(network_builder *b, int value, const model *m, int l, const char *part, bool biased, int cols) {
  char name[TENSOR_NAME_SIZE];
  transformer_part(name, &m->source, l, part);
  return model_map(b, value, &m->source, linear_read_stored, name, biased, cols);
}

/* part NULL: none. */
static int part_norm(network_builder *b, int value, const model *m, int l, const char *part) {
  char name[TENSOR_NAME_SIZE];
  if (part == NULL) return value;
  transformer_part(name, &m->source, l, part);
  return model_norm(b, value, m, name);
}

/* Column by column; part NULL: as it is. */
static int part_scale(network_builder *b, int value, const model *m, int l, const char *part) {
  char name[TENSOR_NAME_SIZE];
  if (part == NULL) return value;
  const int cols = network_cols(b->network, value);
  double *const factor = numbers(b, 1, cols);
  transformer_part(name, &m->source, l, part);
  if (b->status == ATTCERT_OK) b->status = tensor_source_vector(factor, &m->source, name, cols, b->err);
  const int y = step_scale_add(b, value, &(scale_weights){factor});
  network_own(b, factor);
  return y;
}

/* x + y, and LayerNorm where it comes last. */
static int add_residual(network_builder *b, int x, int y, const model *m, int l, const char *norm) {
  const int sum = step_sum_add(b, x, y);
  return m->config.family->norm_first ? sum : part_norm(b, sum, m, l, norm);
}

int model_attention_input(network_builder *b, int value, const model *m, int l) {
  const model_family *const family = m->config.family;
  const bool normed = family->norm_first && !(l == 0 && family->first_unnormed);
  return normed ? part_norm(b, value, m, l, family->attention.norm) : value;
}

/* ---- attention --------------------------------------------------------------------------------------------------- */

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
                          .divisor = divided ? divisor : NULL,
                          .extent = config->rotary_scaling.extent};
}

/* Queries, or keys, of so many heads. token: the only row's; -1: row i is that of token i. */
static int rotate(network_builder *b, int value, const model_config *config, int l, int heads, int token) {
  const double base = model_config_rotary_base(config, l);
  const int rotating = config->rotary_dim > 0 ? config->rotary_dim : config->head_dim;
  if (base == 0.0) return value;
  const rotary_scaling scaling = scaling_of(config, l, b->network->tokens);
  const rotary_heads rotary = {.heads = heads,
                               .head_dim = config->head_dim,
                               .pairing = ROTARY_HALVES,
                               .rule = rotary_rule_scaled(base, rotating, &scaling),
                               .token = token};
  return step_rotary_add(b, value, &rotary);
}

/* Of queries, or keys; part NULL: none. Head by head with one gain for all, or whole rows. */
static int norm_heads(network_builder *b, int value, const model *m, int l, const char *part) {
  char name[TENSOR_NAME_SIZE];
  const bool rows = m->config.family->heads_norm.rows;
  if (part == NULL) return value;
  const int cols = network_cols(b->network, value), k = m->config.head_dim, dim = rows ? cols : k;
  double *const gain = numbers(b, 1, cols);
  transformer_part(name, &m->source, l, part);
  if (b->status == ATTCERT_OK) b->status = linear_read_norm(gain, NULL, dim, &m->source, name, b->err);
  for (int c = dim; c < cols && gain != NULL; c++) gain[c] = gain[c - dim];
  const int y = step_rmsnorm_add(
      b, value, &(rmsnorm_weights){gain, m->config.epsilon, cols / dim, m->config.family->gain_from_one});
  network_own(b, gain);
  return y;
}

/* Rows of maps [all, in] and their biases (NULL: none), which lie head by head and in each head k of one part after the
 * other, become those of part 0 of all heads, then of part 1 ... */
static void sort_rows(network_builder *b, double *weight, double *bias, int all, int in, int k, int parts) {
  const int heads = all / (parts * k);
  double *const sorted = numbers(b, all, in + 1);
  if (sorted == NULL) return;
  for (int r = 0; r < all; r++) {
    const int part = r / k % parts, to = (part * heads + r / (parts * k)) * k + r % k;
    memcpy(sorted + (size_t)to * (size_t)in, weight + (size_t)r * (size_t)in, (size_t)in * sizeof *weight);
    if (bias != NULL) sorted[(size_t)all * (size_t)in + (size_t)to] = bias[r];
  }
  memcpy(weight, sorted, (size_t)all * (size_t)in * sizeof *weight);
  if (bias != NULL) memcpy(bias, sorted + (size_t)all * (size_t)in, (size_t)all * sizeof *bias);
  free(sorted);
}

/* Several maps of value, whose rows are those of one after the other; input[i] becomes the i-th of its value. */
static void map_rows(network_builder *b, int *input, const int *cols, int count, const model *m, int l,
                     const char *part, bool biased, bool by_head) {
  const int in = m->config.dim;
  char name[TENSOR_NAME_SIZE];
  int all = 0;
  for (int i = 0; i < count; i++) all += cols[i];
  double *const weight = numbers(b, all, in), *const bias = biased ? numbers(b, 1, all) : NULL;
  transformer_part(name, &m->source, l, part);
  if (b->status == ATTCERT_OK) b->status = linear_read_stored(weight, bias, &m->source, name, all, in, b->err);
  if (b->status == ATTCERT_OK && by_head) sort_rows(b, weight, bias, all, in, m->config.head_dim, count);
  for (int i = 0, first = 0; i < count && b->status == ATTCERT_OK; first += cols[i++])
    input[i] = step_affine_add(
        b, input[i], &(affine_weights){weight + (size_t)first * (size_t)in, biased ? bias + first : NULL}, cols[i]);
  network_own(b, weight);
  network_own(b, bias);
}

/* Its map has those of the gate, too. */
static void map_gated(network_builder *b, int *query, int *gate, const model *m, int l, int cols) {
  int input[] = {*query, *query};
  map_rows(b, input, (const int[]){cols, cols}, 2, m, l, m->config.family->attention.query, m->config.attention_biases,
           true);
  *query = input[0];
  *gate = input[1];
}

static void map_parts(network_builder *b, int input[3], int *gate, const model *m, int l, const int cols[3]) {
  const model_family *const family = m->config.family;
  const char *const part[] = {family->attention.query, family->attention.key, family->attention.value};
  const bool biased = m->config.attention_biases, has_bias[] = {biased, family_has_key_bias(&m->config), biased};
  if (family->gated_heads) map_gated(b, &input[0], gate, m, l, cols[0]);
  for (int i = family->gated_heads; i < 3; i++) input[i] = part_map(b, input[i], m, l, part[i], has_bias[i], cols[i]);
}

/* Of the family's table, of block l's own or by slopes, with what their doubles miss in *low; NULL: none. */
static double *position_bias(network_builder *b, const model *m, int l, double **low) {
  char own[TENSOR_NAME_SIZE];
  const char *const table = m->config.family->position_bias;
  const int heads = m->config.heads, span = b->network->tokens;
  const bool owned = m->config.family->own_position_bias, slopes = m->config.position_slopes;
  *low = slopes ? numbers(b, heads, 2 * span - 1) : NULL;
  if (m->config.position_buckets == 0 && !slopes) return NULL;
  double *const bias = numbers(b, heads, 2 * span - 1);
  if (owned) transformer_part(own, &m->source, l, table);
  if (b->status == ATTCERT_OK && slopes) slope_bias_fill(bias, *low, heads, span);
  if (b->status == ATTCERT_OK && !slopes)
    b->status = position_bias_read(bias, span, &m->source, owned ? own : table, b->err);
  return bias;
}

/* The rows of the table, normed where they are; in *first the number of the first. */
static attcert_status read_rows(attcert_matrix *x, const model *m, int span, attcert_error *err) {
  const char *const table = m->config.family->position_shift.table;
  const int d = m->config.dim;
  int first;
  const int rows = position_shift_rows(&first, span, &m->config);
  attcert_status status = tensor_source_check_shape(&m->source, table, 2 * model_config_shift_span(&m->config), d, err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(x, rows, d, err);
  for (int i = 0; i < rows && status == ATTCERT_OK; i++)
    status = tensor_source_row(x->data + (size_t)i * (size_t)d, &m->source, table, first + i, d, err);
  return status;
}

/* *high and *low, of the queries or of the keys of block l, by the map of that part, and what their sum misses. */
static void shift(network_builder *b, double **high, double **low, double *error, const model *m, int l,
                  const char *part) {
  const int span = b->network->tokens, cols = m->config.heads * m->config.head_dim;
  attcert_matrix x = {0};
  *high = numbers(b, 2 * span - 1, cols);
  *low = numbers(b, 2 * span - 1, cols);
  if (b->status == ATTCERT_OK) b->status = read_rows(&x, m, span, b->err);
  if (b->status == ATTCERT_OK) {
    network_steps rows = {.tokens = x.rows, .dim = x.cols};
    network_builder of_rows = {.network = &rows, .err = b->err, .layer = l};
    const char *const norm = m->config.family->position_shift.norm;
    part_map(&of_rows, m->config.position_shift.normed ? model_norm(&of_rows, 0, m, norm) : 0, m, l, part, true, cols);
    b->status = of_rows.status;
    if (b->status == ATTCERT_OK)
      b->status = position_shift_fill(*high, *low, error, &rows, &x, span, &m->config, b->err);
    network_clear(&rows);
  }
  attcert_matrix_clear(&x);
}

/* Of block l; what belongs to it is own[0 .. 3]. NULL: none. */
static const attention_shifts *shifts(network_builder *b, const model *m, int l, double *own[4]) {
  const model_family *const family = m->config.family;
  const bool maps = m->config.position_shift.own_maps;
  attention_shifts of = {0};
  if (!model_config_is_shifted(&m->config)) return NULL;
  if (m->config.position_shift.query)
    shift(b, &own[0], &own[1], &of.error, m, l, maps ? family->position_shift.query : family->attention.query);
  if (m->config.position_shift.key)
    shift(b, &own[2], &own[3], &of.error, m, l, maps ? family->position_shift.key : family->attention.key);
  of.query = own[0];
  of.query_low = own[1];
  of.key = own[2];
  of.key_low = own[3];
  return network_copy(b, &of, sizeof of);
}

/* [heads]; NULL: none. */
static double *sinks(network_builder *b, const model *m, int l) {
  char name[TENSOR_NAME_SIZE];
  if (!m->config.sinks) return NULL;
  double *const sink = numbers(b, 1, m->config.heads);
  transformer_part(name, &m->source, l, m->config.family->sinks);
  if (b->status == ATTCERT_OK) b->status = tensor_source_vector(sink, &m->source, name, m->config.heads, b->err);
  return sink;
}

static int halve(network_builder *b, int value) {
  const int cols = network_cols(b->network, value);
  double *const half = numbers(b, 1, cols);
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
                           .value_dim = config->head_dim,
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
  if (family->attention.key == NULL)
    map_rows(b, input, cols, 3, m, l, family->attention.query, config->attention_biases, family->fused_by_head);
  else
    map_parts(b, input, &gate, m, l, cols);
  input[0] = norm_heads(b, input[0], m, l, family->heads_norm.query);
  input[0] = rotate(b, input[0], config, l, config->heads, token);
  input[1] = norm_heads(b, input[1], m, l, family->heads_norm.key);
  input[1] = rotate(b, input[1], config, l, config->key_heads, -1);
  double *low, *const bias = position_bias(b, m, l, &low);
  heads.bias = bias;
  heads.bias_low = low;
  heads.span = b->network->tokens;
  double *const sink = sinks(b, m, l), *shifted[4] = {NULL};
  heads.sink = sink;
  heads.shifts = shifts(b, m, l, shifted);
  const int mean = step_attention_add(b, input, &heads), y = family->gated_heads ? pass_gate(b, mean, gate) : mean;
  network_own(b, bias);
  network_own(b, low);
  network_own(b, sink);
  for (int i = 0; i < 4; i++) network_own(b, shifted[i]);
  return part_map(b, y, m, l, family->attention.output, config->output_bias, config->dim);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* What the attention adds to the residual sum. */
static int attention_part(network_builder *b, int value, const model *m, int l, int token) {
  const model_family *const family = m->config.family;
  int y = model_attend(b, model_attention_input(b, value, m, l), m, l, token);
  y = part_norm(b, y, m, l, family->norm_behind.attention);
  return part_scale(b, y, m, l, family->scale.attention);
}

/* The feed-forward part's maps of x before `down`. */
static int hidden_part(network_builder *b, int x, const model *m, int l) {
  const bool biased = m->config.feed_forward_biases;
  const int cols[] = {m->config.hidden_dim, m->config.hidden_dim};
  const char *const up = family_up(&m->config), *const gate = family_gate(&m->config);
  int gate_and_up[] = {x, x};
  if (m->config.family->gate_in_up) {
    map_rows(b, gate_and_up, cols, 2, m, l, up, biased, false);
  } else {
    gate_and_up[1] = part_map(b, x, m, l, up, biased, cols[1]);
    if (gate == NULL) return step_activation_add(b, gate_and_up[1], m->config.act);
    gate_and_up[0] = part_map(b, x, m, l, gate, biased, cols[0]);
  }
  return step_product_add(b, step_activation_add(b, gate_and_up[0], m->config.act), gate_and_up[1]);
}

/* What it adds to the residual sum. */
static int feed_forward_part(network_builder *b, int value, const model *m, int l) {
  const model_family *const family = m->config.family;
  if (b->status == ATTCERT_OK && family->unevaluated != NULL)
    b->status = attcert_fail(b->err, ATTCERT_INPUT,
                             "%s: the feed-forward part of layer %d is %s, which is not evaluated: expected a layer's "
                             "attention or sublayer, of layer 0 or with its input (--input)",
                             m->spec, l, family->unevaluated);
  if (b->status != ATTCERT_OK) return value;
  const int x = family->norm_first ? part_norm(b, value, m, l, family->feed_forward.norm) : value;
  int y = hidden_part(b, x, m, l);
  y = part_map(b, y, m, l, family->feed_forward.down, m->config.feed_forward_biases, m->config.dim);
  y = part_norm(b, y, m, l, family->norm_behind.feed_forward);
  return part_scale(b, y, m, l, family->scale.feed_forward);
}

int model_attention(network_builder *b, int value, const model *m, int l, int token) {
  const int y = attention_part(b, value, m, l, token);
  const int x = token >= 0 ? step_select_add(b, value, token) : value;
  return add_residual(b, x, y, m, l, m->config.family->attention.norm);
}

int model_feed_forward(network_builder *b, int value, const model *m, int l) {
  return add_residual(b, value, feed_forward_part(b, value, m, l), m, l, m->config.family->feed_forward.norm);
}

int model_block(network_builder *b, int value, const model *m, int l, int token) {
  const int attended = model_attention(b, value, m, l, token);
  if (!m->config.parallel) return model_feed_forward(b, attended, m, l);
  const int x = token >= 0 ? step_select_add(b, value, token) : value;
  return step_sum_add(b, attended, feed_forward_part(b, x, m, l));
}
