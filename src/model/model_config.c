/* config.json: one reader, one table of keys a family. */
#include "model/model_config.h"

#include "model/attention_types.h"
#include "model/config_keys.h"
#include "model/format/json_file.h"

#include <limits.h>
#include <string.h>

/* Where a family's config.json keeps each number, and the defaults transformers documents for it. */
typedef struct {
  const char *name;
  const char *dim, *heads, *layers, *hidden_dim;
  bool hidden_dim_optional; /* null or missing means 4 d */
  const char *vocabulary, *positions;
  const char *act, *default_act;
  const char *epsilon; /* NULL: always the default */
  double default_epsilon;
  const char *embedding_dim; /* NULL: d */
  int default_embedding_dim; /* 0: d */
  bool causal, unscaled, biases_optional, without_biases;
} family_keys;

#define BERT_SIDES                                                                     \
  .dim = "hidden_size", .heads = "num_attention_heads", .layers = "num_hidden_layers", \
  .hidden_dim = "intermediate_size", .vocabulary = "vocab_size", .positions = "max_position_embeddings"
#define BERT_KEYS \
  BERT_SIDES, .act = "hidden_act", .default_act = "gelu", .epsilon = "layer_norm_eps", .default_epsilon = 1e-12

static const family_keys families[MODEL_FAMILY_COUNT] = {
    [MODEL_BERT] = {"bert", BERT_KEYS},
    [MODEL_GPT2] = {"gpt2", "n_embd", "n_head", "n_layer", "n_inner", true, "vocab_size", "n_positions",
                    "activation_function", "gelu_new", "layer_norm_epsilon", 1e-5, .causal = true},
    [MODEL_ROBERTA] = {"roberta", BERT_KEYS},
    [MODEL_ELECTRA] = {"electra", BERT_KEYS, .embedding_dim = "embedding_size", .default_embedding_dim = 128},
    [MODEL_DISTILBERT] = {"distilbert", "dim", "n_heads", "n_layers", "hidden_dim", false, "vocab_size",
                          "max_position_embeddings", "activation", "gelu", .default_epsilon = 1e-12},
    [MODEL_ALBERT] = {"albert", BERT_SIDES, .act = "hidden_act", .default_act = "gelu_new", .epsilon = "layer_norm_eps",
                      .default_epsilon = 1e-12, .embedding_dim = "embedding_size", .default_embedding_dim = 128},
    [MODEL_VIT] = {"vit", BERT_KEYS, .biases_optional = true},
    [MODEL_DEIT] = {"deit", BERT_KEYS, .biases_optional = true},
    [MODEL_GPT_NEO] = {"gpt_neo", "hidden_size", "num_heads", "num_layers", "intermediate_size", true, "vocab_size",
                       "max_position_embeddings", "activation_function", "gelu_new", "layer_norm_epsilon", 1e-5,
                       .causal = true, .unscaled = true, .without_biases = true},
    [MODEL_OPT] = {"opt", "hidden_size", "num_attention_heads", "num_hidden_layers", "ffn_dim", false, "vocab_size",
                   "max_position_embeddings", "activation_function", "relu", NULL, 1e-5,
                   .embedding_dim = "word_embed_proj_dim", .causal = true},
};

const char *model_family_name(model_family family) {
  return families[family].name;
}

/* Types that compute as another one does, with other weights and tokenizers. */
static const struct {
  const char *name;
  model_family family;
} relatives[] = {{"xlm-roberta", MODEL_ROBERTA}, {"camembert", MODEL_ROBERTA}};

static bool find_family(model_family *family, const char **type, const char *name) {
  for (int i = 0; i < MODEL_FAMILY_COUNT; i++) {
    if (strcmp(name, families[i].name) != 0) continue;
    *family = (model_family)i;
    *type = families[i].name;
    return true;
  }
  for (size_t i = 0; i < sizeof relatives / sizeof relatives[0]; i++) {
    if (strcmp(name, relatives[i].name) != 0) continue;
    *family = relatives[i].family;
    *type = relatives[i].name;
    return true;
  }
  return false;
}

static attcert_status read_family(model_family *family, const char **type, const json_file *file, attcert_error *err) {
  const char *name;
  if (!json_file_has(file, "model_type"))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key 'model_type' is missing, expected " MODEL_TYPES, file->path);
  const attcert_status status = json_file_string(&name, file, "model_type", err);
  if (status != ATTCERT_OK || find_family(family, type, name)) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'model_type' is '%s', expected " MODEL_TYPES, file->path, name);
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
  config->embedding_dim = keys->default_embedding_dim > 0 ? keys->default_embedding_dim : config->dim;
  if (status == ATTCERT_OK && keys->embedding_dim != NULL)
    status = optional_int(&config->embedding_dim, file, keys->embedding_dim, MODEL_DIM_MAX, err);
  return status;
}

static attcert_status read_activation(model_config *config, const json_file *file, const family_keys *keys,
                                      attcert_error *err) {
  const char *name = keys->default_act;
  if (json_file_has(file, keys->act)) {
    const attcert_status status = json_file_string(&name, file, keys->act, err);
    if (status != ATTCERT_OK) return status;
  }
  config->act = activation_named(name);
  if (config->act != NULL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is '%s', expected %s", file->path, keys->act, name,
                      ACTIVATION_NAMES);
}

static attcert_status read_epsilon(model_config *config, const json_file *file, const family_keys *keys,
                                   attcert_error *err) {
  config->epsilon = keys->default_epsilon;
  if (keys->epsilon == NULL || !json_file_has(file, keys->epsilon)) return ATTCERT_OK;
  const attcert_status status = json_file_real(&config->epsilon, file, keys->epsilon, err);
  if (status != ATTCERT_OK || config->epsilon > 0.0) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %g, expected a positive number", file->path, keys->epsilon,
                      config->epsilon);
}

/* ---- settings that make the model another function --------------------------------------------------------------- */

/* A flag with a default. */
static attcert_status optional_flag(bool *value, const json_file *file, const char *key, attcert_error *err) {
  return json_file_has(file, key) ? json_file_bool(value, file, key, err) : ATTCERT_OK;
}

/* is_decoder only changes BERT's mask, so it is honoured: it is the model "BERT as a decoder" of Castin et al. */
static attcert_status check_bert(model_config *config, const json_file *file, attcert_error *err) {
  bool decoder = false;
  const attcert_status status = optional_flag(&decoder, file, "is_decoder", err);
  config->mask = decoder ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE;
  return status;
}

/* Positions are counted from the row behind the padding token's on: of P rows, that leaves P - pad - 1 tokens. */
static attcert_status check_roberta(model_config *config, const json_file *file, attcert_error *err) {
  int padding = 1;
  attcert_status status = check_bert(config, file, err);
  if (status == ATTCERT_OK && json_file_has(file, "pad_token_id"))
    status = json_file_int(&padding, file, "pad_token_id", 0, INT_MAX - 1, err);
  if (status != ATTCERT_OK || config->positions == 0) return status;
  config->padding = padding;
  config->first_position = padding + 1;
  config->positions -= config->first_position;
  if (config->positions > 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'max_position_embeddings' is %d, expected more than %d", file->path,
                      config->positions + config->first_position, config->first_position);
}

static attcert_status check_albert(model_config *config, const json_file *file, attcert_error *err) {
  config->groups = 1;
  return optional_int(&config->groups, file, "num_hidden_groups", config->layers, err);
}

/* The position table has two rows before the first token's. */
static attcert_status check_opt(model_config *config, const json_file *file, attcert_error *err) {
  config->first_position = 2;
  if (config->embedding_dim == config->dim) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'word_embed_proj_dim' is %d, expected %d as 'hidden_size'",
                      file->path, config->embedding_dim, config->dim);
}

static attcert_status check_family(model_config *config, const json_file *file, attcert_error *err) {
  switch (config->family) {
  case MODEL_BERT:
  case MODEL_ELECTRA:
    return check_bert(config, file, err);
  case MODEL_ROBERTA:
    return check_roberta(config, file, err);
  case MODEL_ALBERT:
    return check_albert(config, file, err);
  case MODEL_GPT_NEO:
    return attention_types_read(config, file, err);
  case MODEL_OPT:
    return check_opt(config, file, err);
  default: /* nothing that matters can be set */
    return ATTCERT_OK;
  }
}

/* ---- the whole file ---------------------------------------------------------------------------------------------- */

enum { OWN_KEYS = 9 };

/* The keys of the family's row, NULL at the end. */
static void list_own_keys(const char *own[OWN_KEYS + 1], const family_keys *keys) {
  const char *const all[OWN_KEYS] = {keys->dim,       keys->heads, keys->layers,  keys->hidden_dim,   keys->vocabulary,
                                     keys->positions, keys->act,   keys->epsilon, keys->embedding_dim};
  int count = 0;
  for (int i = 0; i < OWN_KEYS; i++) {
    if (all[i] != NULL) own[count++] = all[i];
  }
  own[count] = NULL;
}

static attcert_status check_keys(const json_file *file, model_family family, attcert_error *err) {
  const char *own[OWN_KEYS + 1];
  list_own_keys(own, &families[family]);
  return config_keys_check(file, family, own, err);
}

const char *model_config_key_why(const model_config *config, const char *key) {
  const char *own[OWN_KEYS + 1];
  list_own_keys(own, &families[config->family]);
  return config_keys_why(key, config->family, own);
}

static attcert_status read_object(model_config *config, const json_file *file, attcert_error *err) {
  model_family family = MODEL_BERT;
  const char *type = NULL;
  attcert_status status = read_family(&family, &type, file, err);
  if (status != ATTCERT_OK) return status;
  const family_keys *const keys = &families[family];
  *config = (model_config){.family = family,
                           .type = type,
                           .mask = keys->causal ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE,
                           .attention_biases = !keys->without_biases,
                           .scaled = !keys->unscaled,
                           .padding = -1,
                           .tied = true};
  status = read_sides(config, file, keys, err);
  if (status == ATTCERT_OK) status = read_activation(config, file, keys, err);
  if (status == ATTCERT_OK) status = read_epsilon(config, file, keys, err);
  if (status == ATTCERT_OK && keys->biases_optional)
    status = optional_flag(&config->attention_biases, file, "qkv_bias", err);
  if (status == ATTCERT_OK) status = optional_flag(&config->tied, file, "tie_word_embeddings", err);
  if (status == ATTCERT_OK) status = check_family(config, file, err);
  return status == ATTCERT_OK ? check_keys(file, family, err) : status;
}

bool model_config_is_local(const model_config *config, int l) {
  return config->family == MODEL_GPT_NEO && (config->local[l / 64] >> l % 64 & 1) != 0;
}

/* As transformers computes it, in double: int(l / (layers / groups)). */
int model_config_group(const model_config *config, int l) {
  return config->groups == 0 ? l : (int)(l / ((double)config->layers / config->groups));
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
