/* Qwen3.5: Qwen3-Next with feed-forward parts in place of experts. A folder may hold a tower of images beside it, whose
 * positions have three directions; those of a text are the same number in each. Qwen team, 2026. */
#include "model/family/llama/qwen_like.h"

/* Where config.json does not say, as transformers documents it. */
enum { KEY_HEADS_USUAL = 4, HEAD_DIM_USUAL = 256 };

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  return qwen_read_gated(config, KEY_HEADS_USUAL, file, err);
}

#define IMAGES "of the tower of images, which is not read"

const model_family family_qwen3_5 = {
    .type = {{"qwen3_5_text", "Qwen3_5"}},
    .heads = (const family_head[]){{"TextModel", HEAD_NONE}, {"Model", HEAD_NONE}, HEADS_END},
    .tokenizer = "Qwen2Tokenizer",
    .keys = LLAMA_KEYS("hidden_act"),
    .other_keys =
        (const config_key[]){
            LLAMA_OTHER_KEYS,
            KEY_READ("attention_bias partial_rotary_factor full_attention_interval"),
            QWEN_DELTA_KEYS,
            KEY_HELD("attn_output_gate", "true", "its class has gates in any case"),
            KEY_HELD("mlp_only_layers", "[]", "its class has no experts"),
            KEY_FREE("mamba_ssm_dtype", QWEN_DELTA_RULE),
            KEY_FREE("mtp_num_hidden_layers mtp_use_dedicated_embeddings",
                     "of layers behind these, which predict further words"),
            KEY_END,
        },
    .head_size = {"head_dim", HEAD_DIM_USUAL},
    .defaults = {.act = "silu", .epsilon = 1e-6, .untied = true},
    .tower = {.type = "qwen3_5",
              .name = "text",
              .object = "text_config",
              .other_keys =
                  (const config_key[]){
                      KEY_READ("text_config"),
                      KEY_FREE("vision_config image_token_id video_token_id vision_start_token_id vision_end_token_id",
                               IMAGES),
                      KEY_END,
                  },
              .prefix = "model.language_model."},
    .check = check,
    LLAMA_BLOCKS,
    .gain_from_one = true,
    LLAMA_ATTENTION,
    .gated_heads = true,
    .many_directions = true,
    .heads_norm = {"self_attn.q_norm", "self_attn.k_norm", false},
    .other_layers = QWEN_OTHER_LAYERS,
    .feed_forward = {"mlp.up_proj", "mlp.down_proj", "post_attention_layernorm"},
    .feed_forward_gate = "mlp.gate_proj",
    .unread =
        (const unread_tensor[]){
            QWEN_DELTA_TENSORS,
            TENSOR_HEAD(TENSOR_UNDER, "model.visual", IMAGES),
            TENSOR_TIED_HEAD("lm_head.weight"),
            TENSOR_END,
        },
};
