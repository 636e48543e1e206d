/* What LLaMA and the decoders after it share: RMSNorm before each part of a block, rotary positions, heads that may
 * share keys and values, a gated feed-forward part. */
#ifndef ATTCERT_MODEL_FAMILY_LLAMA_LLAMA_LIKE_H
#define ATTCERT_MODEL_FAMILY_LLAMA_LLAMA_LIKE_H

#include "model/family/families.h"

/* Reads num_key_value_heads, head_dim, and theta and scaling of the rotary positions, from rope_theta and rope_scaling
 * or, as newer files have it, rope_parameters; refuses another rule of angles than rotary_rule.h has. What is there
 * before stands where the file is silent; theta 0 for 10,000. */
attcert_status llama_read_heads(model_config *config, const json_file *file, attcert_error *err);

/* rope_scaling and rope_parameters; the latter may hold an object for layers of each type where the family has another
 * theta in local ones. Where the family has set rotary_part, also partial_rotary_factor; where it has set
 * trained_positions, original_max_position_embeddings, and no other scaled angles than LongRoPE's. */
attcert_status llama_read_angles(model_config *config, const json_file *file, attcert_error *err);

/* attention_bias, of all maps of the attention; those of the feed-forward part have none. */
attcert_status llama_read_biases(model_config *config, const json_file *file, attcert_error *err);

/* sliding_window: 0 where it is null, and what it was where it is absent. */
attcert_status llama_read_window(model_config *config, const json_file *file, attcert_error *err);

/* layer_types, where the file has it, in place of the local layers that the family has set. */
attcert_status llama_read_types(model_config *config, const json_file *file, attcert_error *err);

/* What a random model has besides its sides. */
void llama_complete_random(model_config *config);

extern const family_head llama_heads[];

/* Rows of keys. */
#define LLAMA_OTHER_KEYS                                                                            \
  KEY_FREE("is_decoder", "its mask is causal in any case"),                                         \
      KEY_READ("num_key_value_heads head_dim rope_theta rope_parameters rope_scaling layer_types"), \
      KEY_FREE("pretraining_tp", "in how many pieces the same products are computed"),              \
      KEY_FREE("unk_token", KEY_TOKENIZER)

/* Fields of model_family: all but the activation's key and default, and the norms of a block. */
#define LLAMA_KEYS(act)                                                                           \
  {                                                                                               \
    "hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size", "vocab_size", \
        "max_position_embeddings", act, "rms_norm_eps", NULL, false                               \
  }
#define LLAMA_MAPS "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj"
#define LLAMA_BLOCKS                                                                 \
  .norm_first = true, .root_mean_square = true, .decoder = true, .prefix = "model.", \
  .word_table = "embed_tokens.weight", .blocks = "layers.", .final_norm = "norm"
#define LLAMA_DECODER \
  LLAMA_BLOCKS, .sequence = {.classifier = "score"}, .feed_forward_gate = "mlp.gate_proj", .unread = llama_unread

/* Of those that compute as LLaMA does but for what their configuration says. */
#define LLAMA_MODEL                                \
  LLAMA_DECODER, .keys = LLAMA_KEYS("hidden_act"), \
                 .feed_forward = {"mlp.up_proj", "mlp.down_proj", "post_attention_layernorm"}
#define LLAMA_DEFAULTS .heads = llama_heads, .defaults = {.act = "silu", .epsilon = 1e-6, .untied = true}
#define LLAMA_ATTENTION .attention = {LLAMA_MAPS, "input_layernorm"}

/* A row of tensors: of a layer's attention. */
#define LLAMA_ANGLES(attention)                                                     \
  TENSOR_BUFFER(TENSOR_OF_BLOCK, TENSOR_ANYTHING, attention ".rotary_emb.inv_freq", \
                "theta^(-2m/k) rounded, made anew exactly")
extern const unread_tensor llama_unread[];

#endif
