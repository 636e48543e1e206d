#include "model/model_cross.h"

#include "model/family/families.h"
#include "model/linear.h"
#include "model/model_parts.h"

#include <stdio.h>
#include <string.h>

/* A map of the attention: "decoder.layers.0.encoder_attn.q_proj". */
static void name_of(char name[TENSOR_NAME_SIZE], const model *m, int l, const char *part) {
  const model_family *const family = m->config.family;
  snprintf(name, TENSOR_NAME_SIZE, "%s%d.%s%s", family->cross.blocks, l, family->cross.begin, part);
}

typedef struct {
  const char *part;
  double *weight, *bias; /* bias NULL: none */
  int rows, cols;
} cross_map;

enum { MAPS = 4 };

static void list_maps(cross_map map[MAPS], const model *m, const cross_attention *c) {
  const model_family *const family = m->config.family;
  const attcert_layer *const l = &c->layer;
  const bool biased = m->config.attention_biases;
  const int rows = l->heads * l->head_dim;
  map[0] = (cross_map){family->cross.query, l->query_weight, biased ? l->query_bias : NULL, rows, l->dim};
  map[1] = (cross_map){family->cross.key, l->key_weight, family_has_key_bias(&m->config) ? l->key_bias : NULL, rows,
                       c->context_dim};
  map[2] = (cross_map){family->cross.value, l->value_weight, biased ? l->value_bias : NULL, rows, c->context_dim};
  map[3] = (cross_map){family->cross.output, l->output_weight, m->config.output_bias ? l->output_bias : NULL,
                       l->out_dim, rows};
}

/* Whether a tensor whose name goes on so is read, or has no effect. */
static bool is_known(const char *rest, const cross_map map[MAPS], const model_family *family) {
  for (int i = 0; i < MAPS; i++) {
    const size_t length = strlen(map[i].part);
    if (strncmp(rest, map[i].part, length) != 0) continue;
    if (strcmp(rest + length, ".weight") == 0 || (map[i].bias != NULL && strcmp(rest + length, ".bias") == 0))
      return true;
  }
  return family->cross.unread != NULL && strcmp(rest, family->cross.unread) == 0;
}

/* What else of the attention the files hold may change it. */
static attcert_status check_names(const model *m, int l, const cross_map map[MAPS], attcert_error *err) {
  char part[TENSOR_NAME_SIZE], begin[3 * TENSOR_NAME_SIZE];
  name_of(part, m, l, "");
  snprintf(begin, sizeof begin, "%s%s%s", m->wrapper, m->prefix, part);
  const size_t length = strlen(begin), count = tensor_files_tensors(m->files);
  for (size_t i = 0; i < count; i++) {
    const safetensors *file;
    const char *const name = tensor_files_tensor(&file, m->files, i)->name;
    if (strncmp(name, begin, length) != 0 || is_known(name + length, map, m->config.family)) continue;
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: tensor '%s' is not known: it may change the attention, expected the weights of its maps "
                        "alone",
                        safetensors_path(file), name);
  }
  return ATTCERT_OK;
}

static attcert_status check_model(const model *m, int l, attcert_error *err) {
  const model_config *const config = &m->config;
  if (config->family->cross.blocks == NULL || m->files == NULL)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: of a %s no attention to a context is evaluated, expected a folder whose decoder has one, "
                        "or --weights",
                        m->spec, config->type);
  if (config->cross.layers == 0 || config->cross.heads == 0)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: config.json does not say how many layers and heads the decoder has, expected both",
                        m->spec);
  if (l >= config->cross.layers)
    return attcert_fail(err, ATTCERT_INPUT, "%s: layer %d does not exist: the decoder has layers 0 to %d", m->spec, l,
                        config->cross.layers - 1);
  if (config->family->head_size.key != NULL || config->dim % config->cross.heads == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %d heads of the decoder do not divide the dimension %d", m->spec,
                      config->cross.heads, config->dim);
}

attcert_status model_cross_attention(cross_attention *cross, const model *m, int l, attcert_error *err) {
  const model_config *const config = &m->config;
  cross_map map[MAPS];
  *cross = (cross_attention){0};
  attcert_status status = check_model(m, l, err);
  if (status != ATTCERT_OK) return status;
  const int heads = config->cross.heads, own = config->family->head_size.key != NULL;
  const int head_dim = own ? config->head_dim : config->dim / heads;
  status = cross_attention_init(cross, config->dim, config->dim, heads, head_dim, config->dim, true, err);
  if (status != ATTCERT_OK) return status;
  cross->divided_by = config->scaled ? head_dim : 1.0;
  list_maps(map, m, cross);
  status = check_names(m, l, map, err);
  for (int i = 0; i < MAPS && status == ATTCERT_OK; i++) {
    char name[TENSOR_NAME_SIZE];
    name_of(name, m, l, map[i].part);
    status = linear_read_stored(map[i].weight, map[i].bias, &m->source, name, map[i].rows, map[i].cols, err);
  }
  return status;
}
