/* Mistral: LLaMA whose tokens attend to the last sliding_window alone. A. Jiang et al., 2023. */
#include "model/family/llama/llama_like.h"

/* Where config.json does not say, as transformers documents it. */
enum { KEY_HEADS_USUAL = 8, WINDOW_USUAL = 4096 };

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  config->attention_biases = config->output_bias = config->feed_forward_biases = false;
  config->key_heads = KEY_HEADS_USUAL;
  config->window = WINDOW_USUAL;
  attcert_status status = llama_read_heads(config, file, err);
  if (status == ATTCERT_OK) status = llama_read_window(config, file, err);
  for (int l = 0; l < config->layers && status == ATTCERT_OK; l++) model_layers_add(&config->local, l);
  return status == ATTCERT_OK ? llama_read_types(config, file, err) : status;
}

const model_family family_mistral = {
    .type = {{"mistral", "Mistral"}},
    .tokenizer = "LlamaTokenizer",
    .other_keys = (const config_key[]){LLAMA_OTHER_KEYS, KEY_READ("sliding_window"), KEY_END},
    .check = check,
    LLAMA_MODEL,
    LLAMA_DEFAULTS,
    LLAMA_ATTENTION,
};
