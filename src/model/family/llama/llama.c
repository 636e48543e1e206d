/* LLaMA. H. Touvron et al., 2023; its rotary positions: J. Su et al., RoFormer, 2021; shared keys: J. Ainslie et al.,
 * GQA, 2023. */
#include "model/family/llama/llama_like.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

const family_head llama_heads[] = {
    {"ForCausalLM", HEAD_NEXT_TOKEN}, {"ForSequenceClassification", HEAD_SEQUENCE}, {"Model", HEAD_NONE}, HEADS_END};

const unread_tensor llama_unread[] = {
    TENSOR_HEAD(TENSOR_MAP, "score", TENSOR_LABELS),
    TENSOR_TIED_HEAD("lm_head.weight"),
    LLAMA_ANGLES("self_attn"),
    TENSOR_END,
};

/* How many tokens fit where config.json does not say, as transformers documents it. */
enum { POSITIONS_USUAL = 2048 };

static attcert_status check_key_heads(const model_config *config, const json_file *file, attcert_error *err) {
  if (config->heads % config->key_heads == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'num_key_value_heads' is %d, expected a divisor of the %d heads",
                      file->path, config->key_heads, config->heads);
}

static attcert_status check_rotation(const model_config *config, const json_file *file, attcert_error *err) {
  if (config->head_dim % 2 != 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: heads of %d entries, expected an even number, which rotate in pairs",
                        file->path, config->head_dim);
  const bool above = config->rotary_scaling.by_pair;
  if (config->rotary_base > (above ? 1.0 : 0.0)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'rope_theta' is %g, expected %s", file->path, config->rotary_base,
                      above ? "more than 1" : "a positive number");
}

/* What is in an object of rope_scaling or rope_parameters. */
typedef struct {
  const json_file *file;
  const char *key, *older; /* the object's; where older files have its theta */
  const json_t *object;
  int known; /* keys that were read */
} rotary_keys;

static attcert_status read_number(double *x, rotary_keys *keys, const char *name, double least, attcert_error *err) {
  const json_t *const value = json_object_get(keys->object, name);
  *x = json_number_value(value);
  keys->known++;
  if (json_is_number(value) && *x >= least && isfinite(*x)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' has no '%s', expected a number of at least %g",
                      keys->file->path, keys->key, name, least);
}

static attcert_status check_turns(const model_config *config, const rotary_keys *keys, const char *low,
                                  const char *high, attcert_error *err) {
  if (config->rotary_scaling.low < config->rotary_scaling.high) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s': %s is %g, expected less than %s, %g", keys->file->path,
                      keys->key, low, config->rotary_scaling.low, high, config->rotary_scaling.high);
}

/* Positive, unless it is absent or null. */
static attcert_status read_optional(double *x, rotary_keys *keys, const char *name, attcert_error *err) {
  const json_t *const value = json_object_get(keys->object, name);
  if (value == NULL || json_is_null(value)) {
    keys->known += value != NULL;
    return ATTCERT_OK;
  }
  return read_number(x, keys, name, DBL_MIN, err);
}

/* What transformers takes where the file is silent: 32 and 1 turns, ends that are whole. Its versions take the factor,
 * or how many times the trained length the positions are: both have to be one number. */
static attcert_status read_yarn(model_config *config, rotary_keys *keys, attcert_error *err) {
  const json_t *const whole = json_object_get(keys->object, "truncate");
  config->rotary_scaling.by_pair = true;
  config->rotary_scaling.whole = whole == NULL || !json_is_false(whole);
  config->rotary_scaling.high = 32.0;
  config->rotary_scaling.low = 1.0;
  keys->known += whole != NULL;
  if (whole != NULL && !json_is_boolean(whole))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s': truncate is no boolean, expected true or false",
                        keys->file->path, keys->key);
  attcert_status status = read_number(&config->rotary_scaling.factor, keys, "factor", 1.0, err);
  if (status == ATTCERT_OK)
    status = read_number(&config->rotary_scaling.length, keys, "original_max_position_embeddings", 1.0, err);
  if (status == ATTCERT_OK) status = read_optional(&config->rotary_scaling.high, keys, "beta_fast", err);
  if (status == ATTCERT_OK) status = read_optional(&config->rotary_scaling.low, keys, "beta_slow", err);
  if (status == ATTCERT_OK) status = read_optional(&config->rotary_scaling.amplitude, keys, "attention_factor", err);
  if (status == ATTCERT_OK) status = check_turns(config, keys, "beta_slow", "beta_fast", err);
  if (status != ATTCERT_OK || config->rotary_scaling.factor * config->rotary_scaling.length == config->positions)
    return status;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: key '%s': factor %g times original_max_position_embeddings %g is not the number of "
                      "positions, %d: versions of transformers differ in what they take then",
                      keys->file->path, keys->key, config->rotary_scaling.factor, config->rotary_scaling.length,
                      config->positions);
}

/* The rule that rope_type, or in older files type, names. */
static attcert_status read_rule(model_config *config, rotary_keys *keys, attcert_error *err) {
  const json_t *const newer = json_object_get(keys->object, "rope_type"), *const older =
                                                                              json_object_get(keys->object, "type");
  const char *const type = json_string_value(newer != NULL ? newer : older);
  keys->known += (newer != NULL) + (older != NULL);
  if (newer != NULL && older != NULL && !json_equal(newer, older))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' has two types, expected one", keys->file->path, keys->key);
  if (type != NULL && strcmp(type, "default") == 0) return ATTCERT_OK;
  if (type != NULL && strcmp(type, "yarn") == 0) return read_yarn(config, keys, err);
  const bool linear = type != NULL && strcmp(type, "linear") == 0;
  if (!linear && (type == NULL || strcmp(type, "llama3") != 0))
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: key '%s' has the type %s, expected default, linear, llama3 or yarn: other scaled angles "
                        "are not evaluated",
                        keys->file->path, keys->key, type != NULL ? type : "(none)");
  attcert_status status = read_number(&config->rotary_scaling.factor, keys, "factor", 1.0, err);
  if (linear || status != ATTCERT_OK) return status;
  status = read_number(&config->rotary_scaling.low, keys, "low_freq_factor", 0.0, err);
  if (status == ATTCERT_OK) status = read_number(&config->rotary_scaling.high, keys, "high_freq_factor", 0.0, err);
  if (status == ATTCERT_OK)
    status = read_number(&config->rotary_scaling.length, keys, "original_max_position_embeddings", 1.0, err);
  return status == ATTCERT_OK ? check_turns(config, keys, "low_freq_factor", "high_freq_factor", err) : status;
}

static attcert_status read_theta(model_config *config, rotary_keys *keys, attcert_error *err) {
  double theta;
  if (json_object_get(keys->object, "rope_theta") == NULL) return ATTCERT_OK;
  const attcert_status status = read_number(&theta, keys, "rope_theta", 0.0, err);
  if (status != ATTCERT_OK) return status;
  if (json_file_has(keys->file, keys->older) && config->rotary_base != theta)
    return attcert_fail(err, ATTCERT_INPUT, "%s: keys '%s' and '%s' differ, expected one number", keys->file->path,
                        keys->older, keys->key);
  config->rotary_base = theta;
  return ATTCERT_OK;
}

/* {"rope_type": TYPE, "rope_theta": THETA, what the type has}; older files have the first key and no theta in it. */
static attcert_status read_object(model_config *config, rotary_keys *keys, attcert_error *err) {
  attcert_status status = read_rule(config, keys, err);
  if (status == ATTCERT_OK) status = read_theta(config, keys, err);
  if (status != ATTCERT_OK || (size_t)keys->known == json_object_size(keys->object)) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' has other keys than its type's, expected none",
                      keys->file->path, keys->key);
}

/* {"full_attention": such an object, "sliding_attention": one of local layers, whose angles are not scaled}. */
static attcert_status read_two(model_config *config, const rotary_keys *both, attcert_error *err) {
  rotary_keys all = *both, near = *both;
  model_config local = *config;
  all.object = json_object_get(both->object, "full_attention");
  near.object = json_object_get(both->object, "sliding_attention");
  near.older = "rope_local_base_freq";
  local.rotary_base = config->local_rotary_base;
  if (!json_is_object(all.object) || !json_is_object(near.object) || json_object_size(both->object) != 2)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: key '%s': expected full_attention and sliding_attention, an object each", both->file->path,
                        both->key);
  attcert_status status = read_object(config, &all, err);
  if (status == ATTCERT_OK) status = read_object(&local, &near, err);
  if (status == ATTCERT_OK && local.rotary_scaling.factor != 1.0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s': scaled angles of sliding_attention are not evaluated",
                        both->file->path, both->key);
  config->local_rotary_base = local.rotary_base;
  return status;
}

attcert_status llama_read_angles(model_config *config, const json_file *file, attcert_error *err) {
  static const char *const names[] = {"rope_scaling", "rope_parameters"};
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < 2 && status == ATTCERT_OK; i++) {
    rotary_keys keys = {
        .file = file, .key = names[i], .older = "rope_theta", .object = json_object_get(file->root, names[i])};
    if (!json_file_has(file, names[i])) continue;
    const bool two = config->local_rotary_base > 0.0 && json_object_get(keys.object, "full_attention") != NULL;
    status = two ? read_two(config, &keys, err) : read_object(config, &keys, err);
  }
  return status;
}

attcert_status llama_read_types(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "layer_types";
  const json_t *const list = json_object_get(file->root, key);
  if (list == NULL || json_is_null(list)) return ATTCERT_OK;
  if (!json_is_array(list) || json_array_size(list) != (size_t)config->layers)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is no list of %d types, expected one a layer", file->path,
                        key, config->layers);
  config->local = (model_layers){{0}};
  for (int l = 0; l < config->layers; l++) {
    const char *const type = json_string_value(json_array_get(list, (size_t)l));
    const bool local = type != NULL && config->window > 0 && strcmp(type, "sliding_attention") == 0;
    if (local) model_layers_add(&config->local, l);
    if (!local && (type == NULL || strcmp(type, "full_attention") != 0))
      return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' has type %s of layer %d, expected full_attention%s",
                          file->path, key, type != NULL ? type : "(none)", l,
                          config->window > 0 ? " or sliding_attention" : " alone");
  }
  return ATTCERT_OK;
}

attcert_status llama_read_window(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "sliding_window";
  if (json_is_null(json_object_get(file->root, key))) {
    config->window = 0;
    return ATTCERT_OK;
  }
  return json_file_optional_int(&config->window, file, key, 1, INT_MAX, err);
}

attcert_status llama_read_heads(model_config *config, const json_file *file, attcert_error *err) {
  if (config->rotary_base == 0.0) config->rotary_base = 10000.0;
  if (config->positions == 0) config->positions = POSITIONS_USUAL;
  attcert_status status = model_config_check_typed_layers(config, file->path, err);
  if (status == ATTCERT_OK)
    status = json_file_optional_int(&config->key_heads, file, "num_key_value_heads", 1, config->heads, err);
  if (status == ATTCERT_OK) status = check_key_heads(config, file, err);
  if (status == ATTCERT_OK) status = json_file_optional_int(&config->head_dim, file, "head_dim", 1, MODEL_DIM_MAX, err);
  if (status == ATTCERT_OK) status = model_config_check_rows(config, file->path, err);
  if (status == ATTCERT_OK && json_file_has(file, "rope_theta"))
    status = json_file_real(&config->rotary_base, file, "rope_theta", err);
  if (status == ATTCERT_OK) status = llama_read_angles(config, file, err);
  return status == ATTCERT_OK ? check_rotation(config, file, err) : status;
}

attcert_status llama_read_biases(model_config *config, const json_file *file, attcert_error *err) {
  config->attention_biases = config->feed_forward_biases = false;
  const attcert_status status = json_file_optional_bool(&config->attention_biases, file, "attention_bias", err);
  config->output_bias = config->attention_biases;
  return status;
}

/* Of LLaMA 1, whose widths are multiples of 256. */
void llama_complete_random(model_config *config) {
  config->attention_biases = config->output_bias = config->feed_forward_biases = false;
  config->rotary_base = 10000.0;
  config->hidden_dim = (8 * config->dim / 3 + 255) / 256 * 256;
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  attcert_status status = llama_read_heads(config, file, err);
  if (status == ATTCERT_OK) status = llama_read_biases(config, file, err);
  if (status == ATTCERT_OK) status = json_file_optional_bool(&config->feed_forward_biases, file, "mlp_bias", err);
  return status == ATTCERT_OK ? llama_read_types(config, file, err) : status;
}

const model_family family_llama = {
    .type = {{"llama", "Llama"}},
    .tokenizer = "LlamaTokenizer",
    .other_keys = (const config_key[]){LLAMA_OTHER_KEYS, KEY_READ("attention_bias mlp_bias"), KEY_END},
    .check = check,
    .random = {.vocabulary = 32000,
               .positions = POSITIONS_USUAL,
               .shares_keys = true,
               .complete = llama_complete_random},
    LLAMA_MODEL,
    LLAMA_DEFAULTS,
    LLAMA_ATTENTION,
};
