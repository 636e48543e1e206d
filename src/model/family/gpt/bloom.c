/* BLOOM: GPT-2 with scores biased by distance in place of positions. T. Le Scao et al., BLOOM, 2022. */
#include "model/family/gpt/gpt_like.h"

enum { POSITIONS_USUAL = 2048 }; /* what it was trained on; nothing in it depends on that */

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  (void)file;
  (void)err;
  config->position_slopes = true;
  config->act = &curve_gelu_bloom;
  if (config->positions == 0) config->positions = POSITIONS_USUAL;
  return ATTCERT_OK;
}

const model_family family_bloom = {
    .type = {{"bloom", "Bloom"}},
    .heads = (const family_head[]){GPT_HEADS("ForCausalLM"), {"ForTokenClassification", HEAD_TOKEN}, HEADS_END},
    .keys = {"n_embed hidden_size", "n_head num_attention_heads", "n_layer num_hidden_layers", NULL, "vocab_size",
             "seq_length", NULL, "layer_norm_epsilon", NULL, true},
    .other_keys =
        (const config_key[]){
            GPT_OTHER_KEYS,
            KEY_HELD("apply_residual_connection_post_layernorm", "false", KEY_OTHER_FORM),
            KEY_UNSET("n_inner", "its class has four times the dimension in any case"),
            KEY_FREE("pretraining_tp slow_but_exact", "in how many pieces the same products are computed"),
            KEY_FREE("attention_softmax_in_fp32", KEY_FORMAT),
            KEY_FREE("bias_dropout_fusion masked_softmax_fusion skip_bias_add skip_bias_add_qkv",
                     "how another program computed the same sums"),
            KEY_FREE("offset_alibi", "of the program that trained it; a softmax is the same for shifted scores"),
            KEY_FREE("hidden_dropout", "dropout in training; no part of an evaluation"),
            KEY_END,
        },
    .defaults = {.act = "gelu_new", .epsilon = 1e-5},
    .check = check,
    GPT_DECODER_PARTS,
    .tokenizer = "BloomTokenizerFast",
    .prefix = "transformer.",
    .word_table = "word_embeddings.weight",
    .embedding_norm = "word_embeddings_layernorm",
    .blocks = "h.",
    .attention = {.query = "self_attention.query_key_value",
                  .output = "self_attention.dense",
                  .norm = "input_layernorm"},
    .fused_by_head = true,
    .feed_forward = {"mlp.dense_h_to_4h", "mlp.dense_4h_to_h", "post_attention_layernorm"},
    .final_norm = "ln_f",
    .unread =
        (const unread_tensor[]){
            TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS),
            GPT_TENSORS,
            TENSOR_TIED_HEAD("lm_head.weight"),
            TENSOR_END,
        },
};
