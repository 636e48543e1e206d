/* LLaMA. H. Touvron et al., 2023; its rotary positions: J. Su et al., RoFormer, 2021; shared keys: J. Ainslie et al.,
 * GQA, 2023. */
#include "model/family/llama/llama_like.h"

#include <limits.h>
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
