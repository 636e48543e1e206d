/* SmolLM3: LLaMA in which the positions of every fourth layer rotate nothing. Hugging Face, 2025; B. Yang et al., RoPE
 * to NoPE and back again, 2025. */
#include "model/family/llama/llama_like.h"

#include <limits.h>

/* Where config.json does not say, as transformers documents it. */
enum { KEY_HEADS_USUAL = 4, INTERVAL_USUAL = 4, THETA_USUAL = 2000000 };

static const char list_key[] = "no_rope_layers";

/* A number a layer, 1 where it rotates. */
static attcert_status read_list(model_config *config, const json_file *file, attcert_error *err) {
  const json_t *const list = json_object_get(file->root, list_key);
  bool right = json_array_size(list) == (size_t)config->layers;
  for (int l = 0; l < config->layers && right; l++) {
    const json_t *const item = json_array_get(list, (size_t)l);
    const json_int_t rotates = json_integer_value(item);
    right = json_is_integer(item) && (rotates == 0 || rotates == 1);
    if (right && rotates == 0) model_layers_add(&config->unrotated, l);
  }
  if (right) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is another list, expected 0 or 1 for each of the %d layers",
                      file->path, list_key, config->layers);
}

static attcert_status read_rotated(model_config *config, const json_file *file, attcert_error *err) {
  int every = INTERVAL_USUAL;
  if (json_file_has(file, list_key)) return read_list(config, file, err);
  const attcert_status status = json_file_optional_int(&every, file, "no_rope_layer_interval", 1, INT_MAX, err);
  for (int l = 0; l < config->layers && status == ATTCERT_OK; l++) {
    if ((l + 1) % every == 0) model_layers_add(&config->unrotated, l);
  }
  return status;
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  config->key_heads = KEY_HEADS_USUAL;
  config->rotary_base = THETA_USUAL;
  attcert_status status = llama_read_heads(config, file, err);
  if (status == ATTCERT_OK) status = llama_read_biases(config, file, err);
  if (status == ATTCERT_OK) status = json_file_optional_bool(&config->feed_forward_biases, file, "mlp_bias", err);
  if (status == ATTCERT_OK) status = read_rotated(config, file, err);
  return status == ATTCERT_OK ? llama_read_types(config, file, err) : status;
}

const model_family family_smollm3 = {
    .type = {{"smollm3", "SmolLM3"}},
    .tokenizer = "PreTrainedTokenizerFast",
    .other_keys =
        (const config_key[]){
            LLAMA_OTHER_KEYS,
            KEY_READ("attention_bias mlp_bias no_rope_layers no_rope_layer_interval"),
            KEY_HELD("use_sliding_window", "false", "layers that attend to a window are not evaluated"),
            KEY_FREE("sliding_window max_window_layers", "no layer attends to a window alone"),
            KEY_END,
        },
    .check = check,
    LLAMA_MODEL,
    .heads = llama_heads,
    .defaults = {.act = "silu", .epsilon = 1e-6},
    LLAMA_ATTENTION,
};
