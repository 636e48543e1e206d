/* Opens a model and hands out its attention layers. */
#include "base/arrays.h"
#include "model/family/config_file.h"
#include "model/family/families.h"
#include "model/folder_path.h"
#include "model/model_folder.h"
#include "model/model_parts.h"
#include "model/random_model.h"
#include "model/tensor_names.h"
#include "model/transformer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An embedding table, where there is one, must be as large as config.json says. */
static attcert_status check_tables(model *m, attcert_error *err) {
  const model_family *const family = m->config.family;
  const model_config *config = &m->config;
  m->embeddings = family->word_table != NULL && tensor_source_stores(&m->source, family->word_table);
  if (!m->embeddings) return ATTCERT_OK;
  attcert_status status = model_config_require_embeddings(config, m->file.path, err);
  if (status != ATTCERT_OK) return status;
  status = tensor_source_check_shape(&m->source, family->word_table, config->vocabulary, config->embedding_dim, err);
  if (status != ATTCERT_OK || family->position_table == NULL) return status;
  return tensor_source_check_shape(&m->source, family->position_table, config->positions + config->first_position,
                                   config->embedding_dim, err);
}

/* The word table, and what may stand for it: an index may name either alone. */
static attcert_status open_weights(model *m, attcert_error *err) {
  const char *const tied[] = {m->config.family->word_table, family_alias(m->config.family), NULL};
  return tensor_files_open(&m->files, m->folder, m->config.tied && tied[1] != NULL ? tied : NULL, err);
}

static attcert_status open_folder(model *m, attcert_error *err) {
  const size_t length = folder_path_length(m->spec);
  if (m->spec[length] == ':') m->tower = m->spec + length + 1;
  m->folder = strndup(m->spec, length);
  if (m->folder == NULL) return array_out_of_memory(err, length + 1, "the name of the folder of %s", m->spec);
  attcert_status status = model_folder_check(m->folder, err);
  if (status != ATTCERT_OK) return status;
  char *const path = folder_path_new(m->folder, MODEL_CONFIG_NAME, err);
  if (path == NULL) return ATTCERT_RESOURCE;
  status = json_file_open(&m->file, path, err);
  free(path);
  if (status == ATTCERT_OK) status = model_config_read(&m->config, &m->file, m->tower, err);
  return status == ATTCERT_OK ? open_weights(m, err) : status;
}

static attcert_status open_spec(model *m, uint64_t seed, attcert_error *err) {
  if (random_model_matches(m->spec)) {
    const attcert_status status = random_model_config(&m->config, m->spec, err);
    if (status != ATTCERT_OK) return status;
    model_connect(m, seed);
    m->embeddings = true;
    return ATTCERT_OK;
  }
  attcert_status status = open_folder(m, err);
  if (status != ATTCERT_OK) return status;
  model_connect(m, seed);
  status = tensor_names_check(m, err);
  return status == ATTCERT_OK ? check_tables(m, err) : status;
}

attcert_status model_open(model **m, const char *spec, uint64_t seed, attcert_error *err) {
  *m = array_new(1, sizeof **m, err, "the description of %s", spec);
  if (*m == NULL) return ATTCERT_RESOURCE;
  (*m)->spec = strdup(spec);
  const attcert_status status = (*m)->spec != NULL ? open_spec(*m, seed, err)
                                                   : array_out_of_memory(err, strlen(spec) + 1, "the name of %s", spec);
  if (status == ATTCERT_OK) return status;
  model_close(*m);
  *m = NULL;
  return status;
}

void model_close(model *m) {
  if (m == NULL) return;
  tensor_files_close(m->files);
  json_file_close(&m->file);
  free(m->spec);
  free(m->folder);
  free(m);
}

const char *model_type_name(const model *m) {
  return m->config.type;
}

void model_visit_tensors(const model *m, model_use_visitor *visit, void *context) {
  const safetensors *file;
  for (size_t i = 0; m->files != NULL && i < tensor_files_tensors(m->files); i++) {
    const char *const name = tensor_files_tensor(&file, m->files, i)->name;
    visit(context, name, tensor_names_why(m, name));
  }
}

/* Of the tower's object: OBJECT.KEY. */
static void visit_object(const model *m, json_t *object, model_use_visitor *visit, void *context) {
  const char *key;
  json_t *value;
  char name[128];
  json_object_foreach(object, key, value) {
    snprintf(name, sizeof name, "%s.%s", m->config.object, key);
    visit(context, name, model_config_key_why(&m->config, name));
  }
}

void model_visit_keys(const model *m, model_use_visitor *visit, void *context) {
  const char *key;
  json_t *value;
  json_object_foreach(m->file.root, key, value) {
    visit(context, key, model_config_key_why(&m->config, key));
    if (m->config.object != NULL && strcmp(key, m->config.object) == 0) visit_object(m, value, visit, context);
  }
}

model_shape model_get_shape(const model *m) {
  const model_config *c = &m->config;
  return (model_shape){.family = c->family->type[0].name,
                       .dim = c->dim,
                       .heads = c->heads,
                       .layers = c->layers,
                       .key_heads = c->key_heads,
                       .head_dim = c->head_dim,
                       .mask = c->mask,
                       .vocabulary = m->embeddings ? c->vocabulary : 0,
                       .positions = c->positions,
                       .hidden_dim = c->hidden_dim,
                       .transposed = c->family->transposed,
                       .decoder = c->family->decoder};
}

attcert_status model_check_layer(const model *m, int l, attcert_error *err) {
  if (l >= 0 && l < m->config.layers) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: layer %d does not exist: the model has layers 0 to %d", m->spec, l,
                      m->config.layers - 1);
}

attcert_status model_layer(attcert_layer *layer, const model *m, int l, attcert_error *err) {
  *layer = (attcert_layer){0};
  attcert_status status = model_check_layer(m, l, err);
  if (status == ATTCERT_OK) status = transformer_check_attention(&m->config, l, m->spec, err);
  return status == ATTCERT_OK ? transformer_layer(layer, &m->source, l, err) : status;
}

bool model_scores_are_divided(const model *m) {
  return m->config.scaled;
}

int model_query_exponent(const model *m) {
  return transformer_query_exponent(&m->config);
}

void model_attention_text(char text[MODEL_ATTENTION_TEXT_SIZE], const model *m, int l) {
  const model_config *const config = &m->config;
  char window[48] = "", group[48] = "", shared[48] = "", divided[48] = "not divided", cap[64] = "";
  const bool both = config->mask == ATTCERT_MASK_NONE;
  if (model_config_is_local(config, l))
    snprintf(window, sizeof window, both ? ", up to %d tokens away" : ", the last %d tokens", config->window - both);
  if (config->groups > 0) snprintf(group, sizeof group, ", tensors of group %d", model_config_group(config, l));
  if (config->key_heads < config->heads) snprintf(shared, sizeof shared, ", %d heads of keys", config->key_heads);
  if (config->scaled) snprintf(divided, sizeof divided, "divided by sqrt(k)");
  if (config->score_scalar > 0.0) snprintf(divided, sizeof divided, "divided by sqrt(%g)", config->score_scalar);
  if (config->score_cap > 0.0) snprintf(cap, sizeof cap, ", capped at %g", config->score_cap);
  if (model_config_is_other(config, l)) {
    snprintf(text, MODEL_ATTENTION_TEXT_SIZE, "%s", config->family->other_layers);
    return;
  }
  if (config->rotary_scaling.of_heads)
    snprintf(cap, sizeof cap, ", times (1 + %g log(%g)/10)^2", config->rotary_scaling.slope,
             config->rotary_scaling.factor);
  snprintf(text, MODEL_ATTENTION_TEXT_SIZE, "mask %s%s, scores %s%s%s%s%s%s%s%s%s%s%s%s",
           config->mask == ATTCERT_MASK_CAUSAL ? "causal" : "none", window, divided, cap, group, shared,
           config->latent.rank > 0 ? ", keys and values of one shorter vector" : "",
           config->norms_heads ? ", normalised queries and keys" : "",
           config->position_buckets > 0 ? ", biased by position" : "",
           model_config_is_shifted(config) ? ", queries and keys shifted by position" : "",
           config->position_slopes ? ", biased by distance with exact slopes" : "",
           model_config_rotary_base(config, l) > 0.0 ? ", rotary positions by exact angles" : "",
           config->sinks ? ", a sink for each head" : "", config->gated_heads ? ", gated" : "");
}

const char *model_folder(const model *m) {
  return m->folder;
}

int model_file_count(const model *m) {
  return m->files != NULL ? 1 + tensor_files_count(m->files) : 0;
}

const char *model_file_path(const model *m, int i) {
  return i == 0 ? m->file.path : tensor_files_path(m->files, i - 1);
}

attcert_status model_file_digest(char sha256[SHA256_HEX_SIZE], const model *m, int i, attcert_error *err) {
  if (i > 0) return tensor_files_digest(sha256, m->files, i - 1, err);
  memcpy(sha256, m->file.sha256, SHA256_HEX_SIZE);
  return ATTCERT_OK;
}

attcert_status model_check_files(const model *m, attcert_error *err) {
  return m->files != NULL ? tensor_files_check(m->files, err) : ATTCERT_OK;
}
