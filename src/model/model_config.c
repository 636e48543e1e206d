/* config.json of BERT and GPT-2: one reader, one table of keys a family. */
#include "model/model_config.h"

#include "model/format/json_file.h"

#include <limits.h>
#include <string.h>

/* Where a family's config.json keeps each number, and the defaults transformers documents for it. */
typedef struct {
  const char *name;
  model_family family;
  const char *dim, *heads, *layers, *hidden_dim, *vocabulary, *positions, *act, *epsilon;
  bool hidden_dim_optional; /* GPT-2's n_inner: null or missing means 4 d */
  const char *default_act;
  double default_epsilon;
} family_keys;

static const family_keys families[] = {
    [MODEL_BERT] = {"bert", MODEL_BERT, "hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size",
                    "vocab_size", "max_position_embeddings", "hidden_act", "layer_norm_eps", false, "gelu", 1e-12},
    [MODEL_GPT2] = {"gpt2", MODEL_GPT2, "n_embd", "n_head", "n_layer", "n_inner", "vocab_size", "n_positions",
                    "activation_function", "layer_norm_epsilon", true, "gelu_new", 1e-5},
};

static attcert_status find_family(const family_keys **keys, const json_file *file, attcert_error *err) {
  const char *name;
  const attcert_status status = json_file_string(&name, file, "model_type", err);
  if (status != ATTCERT_OK) return status;
  for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
    if (strcmp(name, families[i].name) == 0) {
      *keys = &families[i];
      return ATTCERT_OK;
    }
  }
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'model_type' is '%s', expected bert or gpt2", file->path, name);
}

/* A key with a default: absent (or null) leaves *value alone. */
static attcert_status optional_int(int *value, const json_file *file, const char *key, int maximum,
                                   attcert_error *err) {
  return json_file_has(file, key) ? json_file_int(value, file, key, 1, maximum, err) : ATTCERT_OK;
}

static attcert_status read_sides(model_config *config, const json_file *file, const family_keys *keys,
                                 attcert_error *err) {
  attcert_status status = json_file_int(&config->dim, file, keys->dim, 1, MODEL_DIM_MAX, err);
  if (status == ATTCERT_OK) status = json_file_int(&config->heads, file, keys->heads, 1, MODEL_DIM_MAX, err);
  if (status == ATTCERT_OK) status = json_file_int(&config->layers, file, keys->layers, 1, INT_MAX, err);
  if (status == ATTCERT_OK) status = model_config_check_heads(config, file->path, err);
  if (status != ATTCERT_OK) return status;
  config->hidden_dim = 4 * config->dim;
  status = keys->hidden_dim_optional
               ? optional_int(&config->hidden_dim, file, keys->hidden_dim, 4 * MODEL_DIM_MAX, err)
               : json_file_int(&config->hidden_dim, file, keys->hidden_dim, 1, 4 * MODEL_DIM_MAX, err);
  if (status == ATTCERT_OK) status = optional_int(&config->vocabulary, file, keys->vocabulary, INT_MAX, err);
  if (status == ATTCERT_OK) status = optional_int(&config->positions, file, keys->positions, INT_MAX, err);
  return status;
}

static attcert_status read_activation(model_config *config, const json_file *file, const family_keys *keys,
                                      attcert_error *err) {
  const char *name = keys->default_act;
  if (json_file_has(file, keys->act)) {
    const attcert_status status = json_file_string(&name, file, keys->act, err);
    if (status != ATTCERT_OK) return status;
  }
  if (activation_from_name(&config->act, name)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is '%s', expected %s", file->path, keys->act, name,
                      ACTIVATION_NAMES);
}

static attcert_status read_epsilon(model_config *config, const json_file *file, const family_keys *keys,
                                   attcert_error *err) {
  config->epsilon = keys->default_epsilon;
  if (!json_file_has(file, keys->epsilon)) return ATTCERT_OK;
  const attcert_status status = json_file_real(&config->epsilon, file, keys->epsilon, err);
  if (status != ATTCERT_OK || config->epsilon > 0.0) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %g, expected a positive number", file->path, keys->epsilon,
                      config->epsilon);
}

/* Refuses a flag that is present with another value than the one this implementation computes. */
static attcert_status require_flag(const json_file *file, const char *key, bool expected, attcert_error *err) {
  bool value = expected;
  if (json_file_has(file, key)) {
    const attcert_status status = json_file_bool(&value, file, key, err);
    if (status != ATTCERT_OK) return status;
  }
  if (value == expected) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: key '%s' is %s, expected %s: the other form of attention is not supported", file->path, key,
                      value ? "true" : "false", expected ? "true" : "false");
}

static attcert_status check_gpt2(const json_file *file, attcert_error *err) {
  const attcert_status status = require_flag(file, "scale_attn_weights", true, err);
  return status != ATTCERT_OK ? status : require_flag(file, "scale_attn_by_inverse_layer_idx", false, err);
}

/* is_decoder only changes BERT's mask, so it is honoured: it is the model "BERT as a decoder" of Castin et al. */
static attcert_status check_bert(model_config *config, const json_file *file, attcert_error *err) {
  bool decoder = false;
  const char *kind = "absolute";
  attcert_status status = ATTCERT_OK;
  if (json_file_has(file, "is_decoder")) status = json_file_bool(&decoder, file, "is_decoder", err);
  if (status == ATTCERT_OK && json_file_has(file, "position_embedding_type"))
    status = json_file_string(&kind, file, "position_embedding_type", err);
  if (status != ATTCERT_OK) return status;
  config->mask = decoder ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE;
  if (strcmp(kind, "absolute") == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'position_embedding_type' is '%s', expected absolute", file->path,
                      kind);
}

static attcert_status read_object(model_config *config, const json_file *file, attcert_error *err) {
  const family_keys *keys = NULL;
  attcert_status status = find_family(&keys, file, err);
  if (status != ATTCERT_OK) return status;
  *config = (model_config){.family = keys->family, .mask = ATTCERT_MASK_CAUSAL};
  status = read_sides(config, file, keys, err);
  if (status == ATTCERT_OK) status = read_activation(config, file, keys, err);
  if (status == ATTCERT_OK) status = read_epsilon(config, file, keys, err);
  if (status != ATTCERT_OK) return status;
  return keys->family == MODEL_BERT ? check_bert(config, file, err) : check_gpt2(file, err);
}

attcert_status model_config_read(model_config *config, const char *path, attcert_error *err) {
  json_file file;
  attcert_status status = json_file_open(&file, path, err);
  if (status != ATTCERT_OK) return status;
  status = read_object(config, &file, err);
  memcpy(config->sha256, file.sha256, sizeof config->sha256);
  json_file_close(&file);
  return status;
}

attcert_status model_config_check_heads(const model_config *config, const char *label, attcert_error *err) {
  if (config->dim % config->heads == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %d heads do not divide the dimension %d", label, config->heads,
                      config->dim);
}

attcert_status model_config_require_embeddings(const model_config *config, const char *path, attcert_error *err) {
  if (config->vocabulary > 0 && config->positions > 0) return ATTCERT_OK;
  const family_keys *keys = &families[config->family];
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is missing, but the model has an embedding table", path,
                      config->vocabulary == 0 ? keys->vocabulary : keys->positions);
}
