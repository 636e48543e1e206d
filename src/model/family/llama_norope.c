/* A decoder with LLaMA's names of tensors, but with LayerNorm, a plain feed-forward part and no positions: tokens differ
 * by the causal mask alone. Its maps have no biases, and its heads keys of their own. */
#include "model/family/gpt_like.h"

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "num_key_value_heads";
  int key_heads = config->heads;
  config->attention_biases = config->other_biases = false;
  const attcert_status status = json_file_optional_int(&key_heads, file, key, 1, MODEL_DIM_MAX, err);
  if (status != ATTCERT_OK || key_heads == config->heads) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %d, expected %d as '%s': shared keys are not evaluated",
                      file->path, key, key_heads, config->heads, config->family->keys.heads);
}

const model_family family_llama_norope = {
    .type = {{"llama_norope", "LlamaNoRope"}},
    .heads = (const family_head[]){GPT_HEADS("ForCausalLM"), HEADS_END},
    .keys = {"hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size", "vocab_size", NULL,
             "hidden_act", "layer_norm_eps", NULL, false},
    .other_keys =
        (const config_key[]){
            GPT_OTHER_KEYS,
            KEY_READ("num_key_value_heads"),
            KEY_UNSET("rope_theta", "rotary positions are not evaluated"),
            KEY_END,
        },
    .defaults = {.act = "gelu", .epsilon = 1e-5},
    .check = check,
    .norm_first = true,
    .decoder = true,
    .sequence = {.classifier = "score"},
    .prefix = "model.",
    .word_table = "embed_tokens.weight",
    .blocks = "layers.",
    .attention = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "input_layernorm"},
    .feed_forward = {"mlp.up_proj", "mlp.down_proj", "post_attention_layernorm"},
    .final_norm = "norm",
    .unread = (const unread_tensor[]){GPT_TENSORS, TENSOR_TIED_HEAD("lm_head.weight"), TENSOR_END},
};
