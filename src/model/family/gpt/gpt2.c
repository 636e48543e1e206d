/* GPT-2: Conv1D maps; c_attn holds queries, keys and values side by side. A. Radford et al., 2019. */
#include "model/family/gpt/gpt_like.h"

const model_family family_gpt2 = {
    .type = {{"gpt2", "GPT2"}},
    .heads = (const family_head[]){GPT_HEADS("LMHeadModel"), {"ForTokenClassification", HEAD_TOKEN}, HEADS_END},
    .keys = {"n_embd", "n_head", "n_layer", "n_inner", "vocab_size", "n_positions", "activation_function",
             "layer_norm_epsilon", NULL, true},
    .other_keys =
        (const config_key[]){
            GPT_OTHER_KEYS,
            KEY_HELD("scale_attn_weights", "true", KEY_OTHER_FORM),
            KEY_HELD("scale_attn_by_inverse_layer_idx", "false", KEY_OTHER_FORM),
            KEY_FREE("reorder_and_upcast_attn", KEY_FORMAT),
            KEY_FREE("n_ctx", "an old name of how many tokens fit, n_positions"),
            KEY_FREE("predict_special_tokens", KEY_TOKENIZER),
            KEY_END,
        },
    .defaults = {.act = "gelu_new", .epsilon = 1e-5},
    GPT_DECODER,
    GPT_NAMES,
    .transposed = true,
    .attention = {.query = "attn.c_attn", .output = "attn.c_proj", .norm = "ln_1"},
    .unread =
        (const unread_tensor[]){
            TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS),
            GPT_TENSORS,
            TENSOR_HEAD(TENSOR_MAP, "multiple_choice_head.summary", TENSOR_LABELS),
            TENSOR_TIED_HEAD("lm_head.weight"),
            GPT_MASK("attn"),
            TENSOR_END,
        },
    .random = {.vocabulary = 50257, .positions = 1024, .residual = ".c_proj.weight"}, /* GPT-2 small */
};
