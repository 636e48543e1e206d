/* OPT: GPT-2 with linear maps; the position table has two rows before the first token's. S. Zhang et al., 2022. */
#include "model/family/gpt/gpt_like.h"

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  config->first_position = 2;
  if (config->embedding_dim == config->dim) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'word_embed_proj_dim' is %d, expected %d as 'hidden_size'",
                      file->path, config->embedding_dim, config->dim);
}

const model_family family_opt = {
    .type = {{"opt", "OPT"}},
    .heads = (const family_head[]){GPT_HEADS("ForCausalLM"), HEADS_END},
    .keys = {"hidden_size", "num_attention_heads", "num_hidden_layers", "ffn_dim", "vocab_size",
             "max_position_embeddings", "activation_function", NULL, "word_embed_proj_dim", false},
    .other_keys =
        (const config_key[]){
            GPT_OTHER_KEYS,
            KEY_HELD("do_layer_norm_before enable_bias layer_norm_elementwise_affine", "true", KEY_OTHER_FORM),
            KEY_HELD("_remove_final_layer_norm", "false", KEY_OTHER_FORM),
            KEY_END,
        },
    .defaults = {.act = "relu", .epsilon = 1e-5, .padding = 1},
    .check = check,
    GPT_DECODER,
    .prefix = "model.",
    .word_table = "decoder.embed_tokens.weight",
    .position_table = "decoder.embed_positions.weight",
    .blocks = "decoder.layers.",
    .attention = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.out_proj",
                  "self_attn_layer_norm"},
    .feed_forward = {"fc1", "fc2", "final_layer_norm"},
    .final_norm = "decoder.final_layer_norm",
    .unread =
        (const unread_tensor[]){
            TENSOR_INNER(TENSOR_ALONE, "decoder.version", "the version of the program that stored it"),
            GPT_TENSORS,
            TENSOR_TIED_HEAD("lm_head.weight"),
            TENSOR_END,
        },
};
