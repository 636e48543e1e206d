/* Phi-3: LLaMA with one map for queries, keys and values and one for the gate and what it multiplies. M. Abdin et al.,
 * 2024. */
#include "model/family/llama/llama_like.h"

/* Where config.json does not say, as transformers documents it. */
enum { POSITIONS_USUAL = 4096 };

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  if (config->positions == 0) config->positions = POSITIONS_USUAL;
  config->trained_positions = POSITIONS_USUAL;
  config->rotary_part = 1.0;
  config->attention_biases = config->output_bias = config->feed_forward_biases = false;
  attcert_status status = llama_read_heads(config, file, err);
  if (status == ATTCERT_OK) status = llama_read_window(config, file, err);
  for (int l = 0; l < config->layers && status == ATTCERT_OK; l++) model_layers_add(&config->local, l);
  return status == ATTCERT_OK ? llama_read_types(config, file, err) : status;
}

const model_family family_phi3 = {
    .type = {{"phi3", "Phi3"}},
    .heads = (const family_head[]){{"ForCausalLM", HEAD_NEXT_TOKEN},
                                   {"ForSequenceClassification", HEAD_SEQUENCE},
                                   {"ForTokenClassification", HEAD_TOKEN},
                                   {"Model", HEAD_NONE},
                                   HEADS_END},
    .tokenizer = "LlamaTokenizer",
    .keys = LLAMA_KEYS("hidden_act"),
    .other_keys =
        (const config_key[]){
            LLAMA_OTHER_KEYS,
            KEY_READ("sliding_window partial_rotary_factor original_max_position_embeddings"),
            KEY_HELD("attention_bias mlp_bias lm_head_bias", "false", KEY_OTHER_FORM),
            KEY_HELD("full_attn_mod interpolate_factor", "1", "its class knows no other value"),
            KEY_END,
        },
    .defaults = {.act = "silu", .epsilon = 1e-5, .untied = true},
    .check = check,
    LLAMA_BLOCKS,
    .sequence = {.classifier = "score"},
    .attention = {.query = "self_attn.qkv_proj", .output = "self_attn.o_proj", .norm = "input_layernorm"},
    .feed_forward = {"mlp.gate_up_proj", "mlp.down_proj", "post_attention_layernorm"},
    .gate_in_up = true,
    .unread =
        (const unread_tensor[]){
            TENSOR_HEAD(TENSOR_MAP, "score", TENSOR_LABELS),
            TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS),
            TENSOR_TIED_HEAD("lm_head.weight"),
            LLAMA_ANGLES("self_attn"),
            TENSOR_END,
        },
};
