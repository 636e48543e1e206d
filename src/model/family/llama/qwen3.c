/* Qwen3: LLaMA whose queries and keys pass an RMSNorm, head by head. Qwen team, 2025. */
#include "model/family/llama/qwen_like.h"

/* Where config.json does not say, as transformers documents it. */
enum { HEAD_DIM_USUAL = 128, POSITIONS_RANDOM = 32768 };

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  config->head_dim = HEAD_DIM_USUAL;
  const attcert_status status = llama_read_biases(config, file, err);
  return status == ATTCERT_OK ? qwen_read(config, file, err) : status;
}

const model_family family_qwen3 = {
    .type = {{"qwen3", "Qwen3"}},
    .tokenizer = "Qwen2Tokenizer",
    .other_keys = (const config_key[]){QWEN_OTHER_KEYS, KEY_READ("attention_bias"), KEY_END},
    .check = check,
    .random = {.vocabulary = 151936,
               .positions = POSITIONS_RANDOM,
               .shares_keys = true,
               .complete = llama_complete_random},
    LLAMA_MODEL,
    LLAMA_DEFAULTS,
    LLAMA_ATTENTION,
    .heads_norm = {"self_attn.q_norm", "self_attn.k_norm", false},
};
