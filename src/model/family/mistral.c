/* Mistral: LLaMA whose tokens attend to the last sliding_window alone. A. Jiang et al., 2023. */
#include "model/family/llama_like.h"

#include <limits.h>

/* Where config.json does not say, as transformers documents it. */
enum { KEY_HEADS_USUAL = 8, WINDOW_USUAL = 4096 };

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "sliding_window";
  int window = WINDOW_USUAL;
  config->attention_biases = config->output_bias = config->feed_forward_biases = false;
  config->key_heads = KEY_HEADS_USUAL;
  attcert_status status = llama_read_heads(config, file, err);
  if (status == ATTCERT_OK) status = json_file_optional_int(&window, file, key, 1, INT_MAX, err);
  if (status != ATTCERT_OK || json_is_null(json_object_get(file->root, key))) return status;
  return llama_set_windows(config, window, file, err);
}

const model_family family_mistral = {
    .type = {{"mistral", "Mistral"}},
    .other_keys = (const config_key[]){LLAMA_OTHER_KEYS, KEY_READ("sliding_window"), KEY_END},
    .check = check,
    LLAMA_MODEL,
};
