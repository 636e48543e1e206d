/* What LLaMA and the decoders after it share: RMSNorm before each part of a block, rotary positions, heads that may share
 * keys and values, a gated feed-forward part. */
#ifndef ATTCERT_MODEL_FAMILY_LLAMA_LIKE_H
#define ATTCERT_MODEL_FAMILY_LLAMA_LIKE_H

#include "model/family/families.h"

/* Reads num_key_value_heads, head_dim, and theta of the rotary positions, from rope_theta or, as newer files have it,
 * rope_parameters; refuses another rule of angles than angle(i, m) = i theta^(-2m/k), and layer_types but full ones. */
attcert_status llama_read_heads(model_config *config, const json_file *file, attcert_error *err);

/* Every layer attends to the last `window` tokens. */
attcert_status llama_set_windows(model_config *config, int window, const json_file *file, attcert_error *err);

extern const family_head llama_heads[];

/* Rows of keys. */
#define LLAMA_OTHER_KEYS                                                               \
  KEY_FREE("is_decoder", "its mask is causal in any case"),                            \
      KEY_READ("num_key_value_heads head_dim rope_theta rope_parameters layer_types"), \
      KEY_UNSET("rope_scaling", "scaled angles are not evaluated"),                    \
      KEY_FREE("pretraining_tp", "in how many pieces the same products are computed"), \
      KEY_FREE("unk_token", KEY_TOKENIZER)

/* Fields of model_family. */
#define LLAMA_MODEL                                                                                                    \
  .heads = llama_heads, .tokenizer = "LlamaTokenizer",                                                                 \
  .keys = {"hidden_size",                                                                                              \
           "num_attention_heads",                                                                                      \
           "num_hidden_layers",                                                                                        \
           "intermediate_size",                                                                                        \
           "vocab_size",                                                                                               \
           "max_position_embeddings",                                                                                  \
           "hidden_act",                                                                                               \
           "rms_norm_eps",                                                                                             \
           NULL,                                                                                                       \
           false},                                                                                                     \
  .defaults = {.act = "silu", .epsilon = 1e-6, .untied = true}, .norm_first = true, .root_mean_square = true,          \
  .decoder = true, .sequence = {.classifier = "score"}, .prefix = "model.", .word_table = "embed_tokens.weight",       \
  .blocks = "layers.",                                                                                                 \
  .attention = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "input_layernorm"},    \
  .feed_forward = {"mlp.up_proj", "mlp.down_proj", "post_attention_layernorm", "mlp.gate_proj"}, .final_norm = "norm", \
  .unread = llama_unread

extern const unread_tensor llama_unread[];

#endif
