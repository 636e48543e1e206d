/* What the Qwen models share beside LLaMA: a window in the last layers, where use_sliding_window says so; later, layers
 * with a gated delta rule in place of attention. */
#ifndef ATTCERT_MODEL_FAMILY_LLAMA_QWEN_LIKE_H
#define ATTCERT_MODEL_FAMILY_LLAMA_QWEN_LIKE_H

#include "model/family/llama/llama_like.h"

/* Reads heads, rotary positions, and which layers attend to a window alone. */
attcert_status qwen_read(model_config *config, const json_file *file, attcert_error *err);

/* Of the models with a gated delta rule: biases, heads, rotary positions, and which layers have attention, by
 * layer_types or every full_attention_interval-th. key_heads: where config.json does not say. */
attcert_status qwen_read_gated(model_config *config, int key_heads, const json_file *file, attcert_error *err);

#define QWEN_OTHER_LAYERS "a gated delta rule in place of attention"
#define QWEN_DELTA_RULE "of a gated delta rule, which is not evaluated"
#define QWEN_DELTA_KEYS                                                                             \
  KEY_FREE("linear_conv_kernel_dim linear_key_head_dim linear_value_head_dim linear_num_key_heads " \
           "linear_num_value_heads",                                                                \
           QWEN_DELTA_RULE)
#define QWEN_DELTA_TENSORS                                                                                  \
  {TENSOR_OF_BLOCK, TENSOR_UNDER, TENSOR_ANYTHING, "linear_attn", QWEN_DELTA_RULE}, {                       \
    TENSOR_OF_HEAD, TENSOR_UNDER, TENSOR_ANYTHING, "mtp", "predicts further words: no effect on the layers" \
  }

#define QWEN_OTHER_KEYS                                                              \
  LLAMA_OTHER_KEYS, KEY_READ("use_sliding_window sliding_window max_window_layers"), \
      KEY_HELD("use_mrope", "false", "positions in several directions are not evaluated")

#endif
