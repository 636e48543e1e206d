/* MPT: GPT-2 without biases, with scores biased by distance in place of positions. MosaicML, 2023. */
#include "model/family/gpt/gpt_like.h"

/* Of the object attn_config. Its class has what these say at these values; the code that its files came with has the
 * other values, too. */
static const config_key attention_keys[] = {
    KEY_HELD("alibi", "true", "its class biases scores in any case"),
    KEY_HELD("alibi_bias_max", "8", "its class has 8 in any case"),
    KEY_HELD("attn_type", "\"multihead_attention\"", "its class has keys of its own for each head"),
    KEY_UNSET("clip_qkv", "clipped queries, keys and values are not evaluated"),
    KEY_UNSET("softmax_scale", "another divisor of scores is not evaluated"),
    KEY_HELD("prefix_lm attn_uses_sequence_id", "false", "its mask is causal alone"),
    KEY_HELD("qk_ln", "false", "its class has no norm of queries and keys"),
    KEY_FREE("attn_pdrop", "dropout in training; no part of an evaluation"),
    KEY_FREE("attn_impl", "which code computes the same attention"),
    KEY_HELD("model_type", "\"\"", "of an object without a type"),
    KEY_END,
};

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  config->position_slopes = true;
  config->attention_biases = config->output_bias = config->feed_forward_biases = config->norm_biases = false;
  return model_config_check_object(file, "attn_config", attention_keys, err);
}

const model_family family_mpt = {
    .type = {{"mpt", "Mpt"}},
    .heads = (const family_head[]){GPT_HEADS("ForCausalLM"), {"ForTokenClassification", HEAD_TOKEN}, HEADS_END},
    .keys = {"d_model hidden_size", "n_heads num_attention_heads", "n_layers num_hidden_layers", NULL, "vocab_size",
             "max_seq_len", NULL, "layer_norm_epsilon", NULL, true},
    .other_keys =
        (const config_key[]){
            GPT_OTHER_KEYS,
            KEY_READ("attn_config"),
            KEY_HELD("expansion_ratio", "4", "its class has four times the dimension in any case"),
            KEY_HELD("no_bias", "true", "its class has no biases"),
            KEY_HELD("norm_type", "\"low_precision_layernorm\"", "its class has LayerNorm"),
            KEY_UNSET("logit_scale", "its class does not scale the scores of words"),
            KEY_FREE("learned_pos_emb", "scores are biased in place of it"),
            KEY_FREE("embedding_fraction", "of gradients in training; no part of an evaluation"),
            KEY_FREE("emb_pdrop init_device init_config verbose", "of training; no part of an evaluation"),
            KEY_FREE("auto_map", "the code that its files came with computes the same function of the values here"),
            KEY_FREE("tokenizer_name", KEY_TOKENIZER),
            KEY_END,
        },
    .defaults = {.act = "gelu", .epsilon = 1e-5},
    .check = check,
    GPT_DECODER_PARTS,
    .tokenizer = "GPTNeoXTokenizerFast",
    .prefix = "transformer.",
    .word_table = "wte.weight",
    .blocks = "blocks.",
    .attention = {.query = "attn.Wqkv", .output = "attn.out_proj", .norm = "norm_1"},
    .feed_forward = {"ffn.up_proj", "ffn.down_proj", "norm_2"},
    .final_norm = "norm_f",
    .unread =
        (const unread_tensor[]){
            TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS),
            GPT_TENSORS,
            TENSOR_TIED_HEAD("lm_head.weight"),
            TENSOR_END,
        },
};
