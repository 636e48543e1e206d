/* The steps of a model, from its tensors. */
#include "model/head/model_head_source.h"
#include "model/model_parts.h"
#include "model/normalize.h"
#include "robust/network.h"

#include <string.h>

typedef struct {
  robust_network *network;
  const model *model;
  const model_head *head;
  attcert_error *err;
  int token; /* whose class scores these are */
} builder;

static int rows_of(const builder *b, int value) {
  return value == 0 ? b->network->tokens : b->network->step[value - 1].rows;
}

static int cols_of(const builder *b, int value) {
  return value == 0 ? b->network->dim : b->network->step[value - 1].cols;
}

/* ---- one step: `value` is the number of its input, then of its output -------------------------------------------- */

static attcert_status add_map(const builder *b, int *value, int layer, const double *weight, const double *bias,
                              int cols) {
  const step s = {.kind = &step_affine,
                  .layer = layer,
                  .input = {*value},
                  .inputs = 1,
                  .rows = rows_of(b, *value),
                  .cols = cols,
                  .weight = weight,
                  .bias = bias};
  return robust_network_add(value, b->network, &s, b->err);
}

/* An affine map read from NAME.weight and NAME.bias of a source. */
static attcert_status add_stored_map(const builder *b, int *value, int layer, const tensor_source *source,
                                     linear_reader *read, const char *name, int cols) {
  const int in = cols_of(b, *value);
  double *weight = NULL, *bias = NULL;
  attcert_status status = robust_network_array(&weight, b->network, (size_t)cols * (size_t)in, b->err);
  if (status == ATTCERT_OK) status = robust_network_array(&bias, b->network, (size_t)cols, b->err);
  if (status == ATTCERT_OK) status = read(weight, bias, source, name, cols, in, b->err);
  return status == ATTCERT_OK ? add_map(b, value, layer, weight, bias, cols) : status;
}

static attcert_status add_norm(const builder *b, int *value, int layer, const char *name) {
  const int d = cols_of(b, *value);
  double *gain = NULL, *bias = NULL;
  attcert_status status = robust_network_array(&gain, b->network, (size_t)d, b->err);
  if (status == ATTCERT_OK) status = robust_network_array(&bias, b->network, (size_t)d, b->err);
  if (status == ATTCERT_OK) status = normalize_read(gain, bias, d, &b->model->source, name, b->err);
  const step s = {.kind = &step_layernorm,
                  .layer = layer,
                  .input = {*value},
                  .inputs = 1,
                  .rows = rows_of(b, *value),
                  .cols = d,
                  .weight = gain,
                  .bias = bias,
                  .epsilon = b->model->config.epsilon};
  return status == ATTCERT_OK ? robust_network_add(value, b->network, &s, b->err) : status;
}

static attcert_status add_part_norm(const builder *b, int *value, int layer, const char *part) {
  char name[TENSOR_NAME_SIZE];
  transformer_part(name, &b->model->source, b->model->family, layer, part);
  return add_norm(b, value, layer, name);
}

static attcert_status add_curve(const builder *b, int *value, int layer, const range_curve *curve) {
  const step s = {.kind = &step_activation,
                  .layer = layer,
                  .input = {*value},
                  .inputs = 1,
                  .rows = rows_of(b, *value),
                  .cols = cols_of(b, *value),
                  .curve = curve};
  return robust_network_add(value, b->network, &s, b->err);
}

static attcert_status add_sum(const builder *b, int *value, int layer, int other) {
  const step s = {.kind = &step_sum,
                  .layer = layer,
                  .input = {*value, other},
                  .inputs = 2,
                  .rows = rows_of(b, *value),
                  .cols = cols_of(b, *value)};
  return robust_network_add(value, b->network, &s, b->err);
}

static attcert_status add_selection(const builder *b, int *value, int layer) {
  if (rows_of(b, *value) == 1) return ATTCERT_OK;
  const step s = {.kind = &step_select,
                  .layer = layer,
                  .input = {*value},
                  .inputs = 1,
                  .rows = 1,
                  .cols = cols_of(b, *value),
                  .token = b->token};
  return robust_network_add(value, b->network, &s, b->err);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static attcert_status copy_array(double **to, const builder *b, const double *from, int rows, int cols) {
  const size_t count = (size_t)rows * (size_t)cols;
  const attcert_status status = robust_network_array(to, b->network, count, b->err);
  if (status == ATTCERT_OK) memcpy(*to, from, count * sizeof **to);
  return status;
}

/* A map of the attention's weights. */
static attcert_status add_copied_map(const builder *b, int *value, int layer, const double *weight,
                                     const double *bias) {
  const int d = b->network->dim;
  double *own_weight, *own_bias;
  attcert_status status = copy_array(&own_weight, b, weight, d, d);
  if (status == ATTCERT_OK) status = copy_array(&own_bias, b, bias, 1, d);
  return status == ATTCERT_OK ? add_map(b, value, layer, own_weight, own_bias, d) : status;
}

/* *value: the attention's input, then its output; last: for one token alone. */
static attcert_status add_attention(const builder *b, int *value, int layer, const attcert_layer *l, bool last) {
  int query = *value, key = *value, v = *value;
  attcert_status status = last ? add_selection(b, &query, layer) : ATTCERT_OK;
  if (status == ATTCERT_OK) status = add_copied_map(b, &query, layer, l->query_weight, l->query_bias);
  if (status == ATTCERT_OK) status = add_copied_map(b, &key, layer, l->key_weight, l->key_bias);
  if (status == ATTCERT_OK) status = add_copied_map(b, &v, layer, l->value_weight, l->value_bias);
  if (status != ATTCERT_OK) return status;
  const step s = {.kind = &step_attention,
                  .layer = layer,
                  .input = {query, key, v},
                  .inputs = 3,
                  .rows = rows_of(b, query),
                  .cols = b->network->dim,
                  .heads = l->heads,
                  .causal = l->mask == ATTCERT_MASK_CAUSAL,
                  .token = last ? b->token : -1};
  status = robust_network_add(value, b->network, &s, b->err);
  return status == ATTCERT_OK ? add_copied_map(b, value, layer, l->output_weight, l->output_bias) : status;
}

static attcert_status add_feed_forward(const builder *b, int *value, int layer) {
  static const range_curve *const curves[] = {
      [ACTIVATION_GELU] = &curve_gelu, [ACTIVATION_GELU_TANH] = &curve_gelu_tanh, [ACTIVATION_RELU] = &curve_relu};
  const transformer *const family = b->model->family;
  const tensor_source *const source = &b->model->source;
  char up[TENSOR_NAME_SIZE], down[TENSOR_NAME_SIZE];
  transformer_part(up, source, family, layer, family->up);
  transformer_part(down, source, family, layer, family->down);
  attcert_status status = add_stored_map(b, value, layer, source, family->read_linear, up, b->model->config.hidden_dim);
  if (status == ATTCERT_OK) status = add_curve(b, value, layer, curves[b->model->config.act]);
  return status == ATTCERT_OK ? add_stored_map(b, value, layer, source, family->read_linear, down, b->network->dim)
                              : status;
}

static attcert_status add_block(const builder *b, int *value, int layer) {
  const transformer *const family = b->model->family;
  const bool last = layer == b->model->config.layers - 1;
  attcert_layer l;
  int x = *value, y = *value;
  attcert_status status =
      transformer_check_attention(&b->model->config, layer, b->network->tokens, b->model->spec, b->err);
  if (status == ATTCERT_OK) status = transformer_layer(&l, family, &b->model->source, layer, b->err);
  if (status != ATTCERT_OK) return status;
  if (family->norm_first) status = add_part_norm(b, &y, layer, family->attention_norm);
  if (status == ATTCERT_OK) status = add_attention(b, &y, layer, &l, last);
  attcert_layer_clear(&l);
  if (status == ATTCERT_OK && last) status = add_selection(b, &x, layer);
  if (status == ATTCERT_OK) status = add_sum(b, &x, layer, y);
  if (status == ATTCERT_OK && !family->norm_first) status = add_part_norm(b, &x, layer, family->attention_norm);
  y = x;
  if (status == ATTCERT_OK && family->norm_first) status = add_part_norm(b, &y, layer, family->feed_forward_norm);
  if (status == ATTCERT_OK) status = add_feed_forward(b, &y, layer);
  if (status == ATTCERT_OK) status = add_sum(b, &x, layer, y);
  if (status == ATTCERT_OK && !family->norm_first) status = add_part_norm(b, &x, layer, family->feed_forward_norm);
  *value = x;
  return status;
}

/* ---- from the last block to the class scores --------------------------------------------------------------------- */

/* An affine map whose name has the family's prefix, or not. */
static attcert_status add_head_map(const builder *b, int *value, const char *name, bool of_model, bool biased,
                                   int cols) {
  const int in = cols_of(b, *value);
  char prefix[TENSOR_NAME_SIZE];
  double *weight = NULL, *bias = NULL;
  tensor_source source;
  model_head_source(&source, prefix, b->model, of_model);
  attcert_status status = robust_network_array(&weight, b->network, (size_t)cols * (size_t)in, b->err);
  if (status == ATTCERT_OK && biased) status = robust_network_array(&bias, b->network, (size_t)cols, b->err);
  if (status == ATTCERT_OK) status = linear_read(weight, bias, &source, name, cols, in, b->err);
  return status == ATTCERT_OK ? add_map(b, value, -1, weight, bias, cols) : status;
}

/* The final LayerNorm, the map before the classifier with its activation, the classifier. */
static attcert_status add_head(const builder *b, int *value) {
  static const range_curve *const curves[] = {
      [HEAD_MAP_TANH] = &curve_tanh, [HEAD_MAP_GELU] = &curve_gelu, [HEAD_MAP_RELU] = &curve_relu};
  const transformer *const family = b->model->family;
  const model_head *const head = b->head;
  attcert_status status = family->final_norm != NULL ? add_norm(b, value, -1, family->final_norm) : ATTCERT_OK;
  if (status == ATTCERT_OK && head->mapped) {
    status = add_head_map(b, value, family->head_map, family->head_map_of_model, true, b->network->dim);
    if (status == ATTCERT_OK) status = add_curve(b, value, -1, curves[family->head_curve]);
  }
  b->network->classes = b->network->labels = head->labels;
  return status == ATTCERT_OK ? add_head_map(b, value, head->classifier, head->of_model, head->biased, head->labels)
                              : status;
}

attcert_status robust_network_open(robust_network *network, const model *m, const model_head *head, int tokens,
                                   int token, attcert_error *err) {
  *network = (robust_network){.tokens = tokens, .token = token, .dim = m->config.dim, .each_sign = head->each_sign};
  const builder b = {network, m, head, err, token};
  int value = 0;
  attcert_status status = ATTCERT_OK;
  for (int l = 0; l < m->config.layers && status == ATTCERT_OK; l++) status = add_block(&b, &value, l);
  if (status == ATTCERT_OK) status = add_selection(&b, &value, -1);
  return status == ATTCERT_OK ? add_head(&b, &value) : status;
}
