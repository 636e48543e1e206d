/* Qwen2 and Qwen2.5: LLaMA with biases of queries, keys and values. Qwen team, 2024. */
#include "model/family/llama/qwen_like.h"

#include <limits.h>

/* Where config.json does not say, as transformers documents it. */
enum { KEY_HEADS_USUAL = 32, WINDOW_USUAL = 4096, WHOLE_LAYERS_USUAL = 28 };

/* Those from max_window_layers on. */
static attcert_status read_window(model_config *config, const json_file *file, attcert_error *err) {
  int whole = WHOLE_LAYERS_USUAL;
  config->window = WINDOW_USUAL;
  attcert_status status = llama_read_window(config, file, err);
  if (status == ATTCERT_OK) status = json_file_optional_int(&whole, file, "max_window_layers", 0, INT_MAX, err);
  for (int l = whole; l < config->layers && status == ATTCERT_OK; l++) model_layers_add(&config->local, l);
  return status;
}

attcert_status qwen_read(model_config *config, const json_file *file, attcert_error *err) {
  bool windows = false;
  config->key_heads = KEY_HEADS_USUAL;
  attcert_status status = llama_read_heads(config, file, err);
  if (status == ATTCERT_OK) status = json_file_optional_bool(&windows, file, "use_sliding_window", err);
  if (status == ATTCERT_OK && windows) status = read_window(config, file, err);
  return status == ATTCERT_OK ? llama_read_types(config, file, err) : status;
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  config->output_bias = config->feed_forward_biases = false;
  return qwen_read(config, file, err);
}

const model_family family_qwen2 = {
    .type = {{"qwen2", "Qwen2"}},
    .tokenizer = "Qwen2Tokenizer",
    .other_keys = (const config_key[]){QWEN_OTHER_KEYS, KEY_END},
    .check = check,
    LLAMA_MODEL,
    LLAMA_DEFAULTS,
    LLAMA_ATTENTION,
};
