/* Qwen2 and Qwen2.5: LLaMA with biases of queries, keys and values. Qwen team, 2024. */
#include "model/family/llama_like.h"

/* Where config.json does not say, as transformers documents it. */
enum { KEY_HEADS_USUAL = 32 };

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  config->output_bias = config->feed_forward_biases = false;
  config->key_heads = KEY_HEADS_USUAL;
  return llama_read_heads(config, file, err);
}

const model_family family_qwen2 = {
    .type = {{"qwen2", "Qwen2"}},
    .other_keys =
        (const config_key[]){
            LLAMA_OTHER_KEYS,
            KEY_HELD("use_sliding_window", "false", "layers that attend to a window are not evaluated"),
            KEY_HELD("use_mrope", "false", "positions in several directions are not evaluated"),
            KEY_FREE("sliding_window max_window_layers", "no layer attends to a window alone"),
            KEY_END,
        },
    .check = check,
    LLAMA_MODEL,
};
