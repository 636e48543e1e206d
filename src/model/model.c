/* Opens a model and hands out its attention layers. */
#include "base/arrays.h"
#include "model/model_parts.h"
#include "model/random_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const file_names[MODEL_FILE_COUNT] = {"config.json", "model.safetensors"};

static char *join(const char *folder, const char *name, attcert_error *err) {
  const size_t length = strlen(folder);
  const char *separator = length > 0 && folder[length - 1] == '/' ? "" : "/";
  const size_t size = length + strlen(name) + 2;
  char *path = array_new(size, 1, err, "the name of %s in %s", name, folder);
  if (path != NULL) snprintf(path, size, "%s%s%s", folder, separator, name);
  return path;
}

/* An embedding table, where there is one, must be as large as config.json says. */
static attcert_status check_tables(model *m, attcert_error *err) {
  const transformer *family = m->family;
  m->embeddings = tensor_source_stores(&m->source, family->word_table);
  if (!m->embeddings) return ATTCERT_OK;
  attcert_status status = model_config_require_embeddings(&m->config, m->paths[MODEL_CONFIG_FILE], err);
  if (status != ATTCERT_OK) return status;
  status = tensor_source_check_shape(&m->source, family->word_table, m->config.vocabulary, m->config.dim, err);
  if (status != ATTCERT_OK) return status;
  return tensor_source_check_shape(&m->source, family->position_table, m->config.positions, m->config.dim, err);
}

static attcert_status open_folder(model *m, attcert_error *err) {
  for (int i = 0; i < MODEL_FILE_COUNT; i++) {
    m->paths[i] = join(m->spec, file_names[i], err);
    if (m->paths[i] == NULL) return ATTCERT_RESOURCE;
  }
  attcert_status status = model_config_read(&m->config, m->paths[MODEL_CONFIG_FILE], err);
  if (status == ATTCERT_OK) status = safetensors_open(&m->file, m->paths[MODEL_WEIGHTS_FILE], err);
  return status;
}

/* With the family's prefix or without: whichever way the file stores a tensor that every model has. */
static void connect_source(model *m, uint64_t seed) {
  m->family = m->config.family == MODEL_BERT ? &transformer_bert : &transformer_gpt2;
  m->source = (tensor_source){.file = m->file, .prefix = m->family->prefix, .config = &m->config, .seed = seed};
  if (!tensor_source_stores(&m->source, m->family->probe)) m->source.prefix = "";
}

static attcert_status open_spec(model *m, uint64_t seed, attcert_error *err) {
  if (random_model_matches(m->spec)) {
    const attcert_status status = random_model_config(&m->config, m->spec, err);
    if (status != ATTCERT_OK) return status;
    connect_source(m, seed);
    m->embeddings = true;
    return ATTCERT_OK;
  }
  const attcert_status status = open_folder(m, err);
  if (status != ATTCERT_OK) return status;
  connect_source(m, seed);
  return check_tables(m, err);
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
  safetensors_close(m->file);
  for (int i = 0; i < MODEL_FILE_COUNT; i++) free(m->paths[i]);
  free(m->spec);
  free(m);
}

model_shape model_get_shape(const model *m) {
  const model_config *c = &m->config;
  return (model_shape){.family = c->family,
                       .dim = c->dim,
                       .heads = c->heads,
                       .layers = c->layers,
                       .vocabulary = m->embeddings ? c->vocabulary : 0,
                       .positions = c->positions};
}

attcert_status model_check_layer(const model *m, int l, attcert_error *err) {
  if (l >= 0 && l < m->config.layers) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: layer %d does not exist: the model has layers 0 to %d", m->spec, l,
                      m->config.layers - 1);
}

attcert_status model_layer(attcert_layer *layer, const model *m, int l, attcert_error *err) {
  *layer = (attcert_layer){0};
  const attcert_status status = model_check_layer(m, l, err);
  return status != ATTCERT_OK ? status : transformer_layer(layer, m->family, &m->source, l, err);
}

int model_file_count(const model *m) {
  return m->file != NULL ? MODEL_FILE_COUNT : 0;
}

const char *model_file_path(const model *m, int i) {
  return m->paths[i];
}

attcert_status model_file_digest(char sha256[SHA256_HEX_SIZE], const model *m, int i, attcert_error *err) {
  if (i == MODEL_WEIGHTS_FILE) return safetensors_digest(sha256, m->file, err);
  memcpy(sha256, m->config.sha256, SHA256_HEX_SIZE);
  return ATTCERT_OK;
}

attcert_status model_check_files(const model *m, attcert_error *err) {
  return m->file != NULL ? safetensors_check(m->file, err) : ATTCERT_OK;
}
