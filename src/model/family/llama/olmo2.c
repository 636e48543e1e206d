/* OLMo 2: LLaMA with the norms behind the parts of a block in place of before them, and one of whole rows of queries
 * and keys. OLMo team, 2 OLMo 2 Furious, 2025. */
#include "model/family/llama/llama_like.h"

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  attcert_status status = llama_read_heads(config, file, err);
  if (status == ATTCERT_OK) status = llama_read_biases(config, file, err);
  return status == ATTCERT_OK ? llama_read_types(config, file, err) : status;
}

const model_family family_olmo2 = {
    .type = {{"olmo2", "Olmo2"}},
    .tokenizer = "GPT2Tokenizer",
    .keys = LLAMA_KEYS("hidden_act"),
    .heads = llama_heads,
    .defaults = {.act = "silu", .epsilon = 1e-5, .untied = true},
    .other_keys = (const config_key[]){LLAMA_OTHER_KEYS, KEY_READ("attention_bias"), KEY_END},
    .check = check,
    LLAMA_DECODER,
    .attention = {LLAMA_MAPS, NULL},
    .feed_forward = {"mlp.up_proj", "mlp.down_proj", NULL},
    .norm_behind = {"post_attention_layernorm", "post_feedforward_layernorm"},
    .heads_norm = {"self_attn.q_norm", "self_attn.k_norm", true},
};
