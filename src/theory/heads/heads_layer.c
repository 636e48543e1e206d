#include "theory/heads/heads_layer.h"

#include "network/arrange/step_arrange.h"
#include "network/attention/step_attention.h"

#include <math.h>

static const step *step_of(const network_steps *network, int value) {
  return value > 0 ? &network->step[value - 1] : NULL;
}

/* The step of that kind that computes *value, which becomes its input; NULL: it is another one. */
static const void *read_step(const network_steps *network, int *value, const step_kind *kind) {
  const step *const s = step_of(network, *value);
  if (s == NULL || s->kind != kind) return NULL;
  *value = s->input[0];
  return s->of;
}

/* What the value comes from: the input, or rows of it or of constants. */
static int source_of(const network_steps *network, int value) {
  while (value > 0 && step_of(network, value)->kind != &step_arrange) value = step_of(network, value)->input[0];
  return value;
}

static const char *read_path(heads_path *path, const network_steps *network, int value, int heads) {
  *path = (heads_path){.value = value, .cols = network_cols(network, value)};
  path->head_cols = path->cols / heads;
  path->rotary = read_step(network, &value, &step_rotary);
  path->norm = read_step(network, &value, &step_rmsnorm);
  path->mapped = value;
  path->map = read_step(network, &value, &step_affine);
  if (path->map == NULL || value != 0) return "its queries, keys or values are not a map, a norm and a rotation of it";
  if (path->rotary != NULL && path->rotary->token >= 0) return "there is one query";
  if (path->rotary != NULL && rotary_rule_is_amplified(&path->rotary->rule)) return "its rotations are amplified";
  if (path->norm != NULL && path->cols / path->norm->parts % path->head_cols != 0)
    return "its norms are of parts of heads";
  return NULL;
}

const char *heads_layer_read(heads_layer *layer, const network_steps *network) {
  int value = network->count;
  *layer = (heads_layer){.network = network};
  layer->output = read_step(network, &value, &step_affine);
  const step *const s = step_of(network, value);
  if (layer->output == NULL || s == NULL || s->kind != &step_attention)
    return "the bounds are of an attention with its output projection alone";
  const attention_heads *const of = s->of;
  layer->of = of;
  layer->attention = value - 1;
  if (of->token >= 0) return "there is one query";
  if (source_of(network, s->input[0]) != source_of(network, s->input[1]))
    return "the bounds are of self-attention, whose tokens ask, are asked and move together, and there is a context";
  if (of->shifts != NULL) return "its queries and keys are shifted by their distance";
  if (of->sink != NULL) return "its weights add up to less than 1, as a sink takes a part";
  if (of->curve != NULL && of->curve != &curve_tanh) return "its scores pass through another curve than tanh";
  const char *reason = read_path(&layer->query, network, s->input[0], of->heads);
  if (reason == NULL) reason = read_path(&layer->key, network, s->input[1], of->key_heads);
  if (reason == NULL) reason = read_path(&layer->values, network, s->input[2], of->key_heads);
  if (reason == NULL && (layer->values.norm != NULL || layer->values.rotary != NULL)) reason = "its values are normed";
  return reason;
}

bool heads_layer_is_normed(const heads_layer *layer) {
  return layer->query.norm != NULL || layer->key.norm != NULL;
}

bool heads_layer_is_bilinear(const heads_layer *layer) {
  return !heads_layer_is_normed(layer) && layer->query.rotary == NULL && layer->key.rotary == NULL;
}

bool heads_layer_is_by_key(const heads_layer *layer) {
  return layer->query.rotary != NULL || layer->key.rotary != NULL || layer->key.norm != NULL ||
         layer->of->curve != NULL;
}

heads_rows heads_path_rows(const heads_path *path, int head) {
  const int count = path->norm != NULL ? path->cols / path->norm->parts : path->head_cols;
  return (heads_rows){head * path->head_cols / count * count, count};
}

double heads_path_gain(const heads_path *path, int head) {
  double largest = 0.0;
  if (path->norm == NULL) return 1.0;
  for (int c = 0; c < path->head_cols; c++) largest = fmax(largest, fabs(path->norm->gain[head * path->head_cols + c]));
  return largest;
}
