/* LLaMA. H. Touvron et al., 2023; its rotary positions: J. Su et al., RoFormer, 2021; shared keys: J. Ainslie et al.,
 * GQA, 2023. */
#include "model/family/llama_like.h"

#include <string.h>

const family_head llama_heads[] = {
    {"ForCausalLM", HEAD_NEXT_TOKEN}, {"ForSequenceClassification", HEAD_SEQUENCE}, {"Model", HEAD_NONE}, HEADS_END};

const unread_tensor llama_unread[] = {
    TENSOR_HEAD(TENSOR_MAP, "score", TENSOR_LABELS),
    TENSOR_TIED_HEAD("lm_head.weight"),
    TENSOR_BUFFER(TENSOR_OF_BLOCK, TENSOR_ANYTHING, "self_attn.rotary_emb.inv_freq",
                  "theta^(-2m/k) rounded, made anew exactly"),
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
  if (config->rotary_base > 0.0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'rope_theta' is %g, expected a positive number", file->path,
                      config->rotary_base);
}

/* {"rope_type": "default", "rope_theta": THETA} */
static attcert_status read_parameters(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "rope_parameters";
  if (!json_file_has(file, key)) return ATTCERT_OK;
  const json_t *const object = json_object_get(file->root, key);
  const json_t *const theta = json_object_get(object, "rope_theta");
  const char *const type = json_string_value(json_object_get(object, "rope_type"));
  const bool usual = type != NULL && strcmp(type, "default") == 0;
  if (!usual || !json_is_number(theta) || json_object_size(object) != 2)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: key '%s' is of another form, expected {\"rope_type\": \"default\", \"rope_theta\": "
                        "THETA}: scaled angles are not evaluated",
                        file->path, key);
  if (json_file_has(file, "rope_theta") && config->rotary_base != json_number_value(theta))
    return attcert_fail(err, ATTCERT_INPUT, "%s: keys 'rope_theta' and '%s' differ, expected one number", file->path,
                        key);
  config->rotary_base = json_number_value(theta);
  return ATTCERT_OK;
}

static attcert_status check_layer_types(const json_file *file, attcert_error *err) {
  static const char key[] = "layer_types";
  const json_t *const list = json_object_get(file->root, key);
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *const type = json_string_value(json_array_get(list, i));
    if (type == NULL || strcmp(type, "full_attention") != 0)
      return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' has type %s of layer %zu, expected full_attention alone",
                          file->path, key, type != NULL ? type : "(none)", i);
  }
  return ATTCERT_OK;
}

attcert_status llama_read_heads(model_config *config, const json_file *file, attcert_error *err) {
  config->rotary_base = 10000.0;
  if (config->positions == 0) config->positions = POSITIONS_USUAL;
  attcert_status status =
      json_file_optional_int(&config->key_heads, file, "num_key_value_heads", 1, config->heads, err);
  if (status == ATTCERT_OK) status = check_key_heads(config, file, err);
  if (status == ATTCERT_OK)
    status = json_file_optional_int(&config->head_dim, file, "head_dim", 1, MODEL_DIM_MAX / config->heads, err);
  if (status == ATTCERT_OK && json_file_has(file, "rope_theta"))
    status = json_file_real(&config->rotary_base, file, "rope_theta", err);
  if (status == ATTCERT_OK) status = read_parameters(config, file, err);
  if (status == ATTCERT_OK) status = check_layer_types(file, err);
  return status == ATTCERT_OK ? check_rotation(config, file, err) : status;
}

attcert_status llama_set_windows(model_config *config, int window, const json_file *file, attcert_error *err) {
  if (config->layers > MODEL_TYPED_LAYERS_MAX)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %d layers, expected at most %d", file->path, config->layers,
                        MODEL_TYPED_LAYERS_MAX);
  config->window = window;
  memset(config->local, 0xff, sizeof config->local);
  return ATTCERT_OK;
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  config->attention_biases = config->feed_forward_biases = false;
  attcert_status status = llama_read_heads(config, file, err);
  if (status == ATTCERT_OK) status = json_file_optional_bool(&config->attention_biases, file, "attention_bias", err);
  config->output_bias = config->attention_biases;
  if (status == ATTCERT_OK) status = json_file_optional_bool(&config->feed_forward_biases, file, "mlp_bias", err);
  return status;
}

const model_family family_llama = {
    .type = {{"llama", "Llama"}},
    .other_keys = (const config_key[]){LLAMA_OTHER_KEYS, KEY_READ("attention_bias mlp_bias"), KEY_END},
    .check = check,
    LLAMA_MODEL,
};
