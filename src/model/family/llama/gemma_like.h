/* What the Gemma models share beside LLaMA: norms before and behind each part of a block, with gains around 1, word
 * rows that are scaled, scores divided by the root of query_pre_attn_scalar, layers that attend to a window alone. */
#ifndef ATTCERT_MODEL_FAMILY_LLAMA_GEMMA_LIKE_H
#define ATTCERT_MODEL_FAMILY_LLAMA_GEMMA_LIKE_H

#include "model/family/llama/llama_like.h"

/* Reads heads, rotary positions, the scalar, biases, window and layer_types; every `period`-th layer attends to all
 * where the file does not say which do. */
attcert_status gemma_read(model_config *config, const json_file *file, int period, attcert_error *err);

/* Of a random model: scores divided by sqrt(k), no layer local. */
void gemma_complete_random(model_config *config);

#define GEMMA_OTHER_KEYS                                                                                     \
  LLAMA_OTHER_KEYS, KEY_READ("attention_bias query_pre_attn_scalar sliding_window final_logit_softcapping"), \
      KEY_FREE("hidden_act", "its class reads hidden_activation"),                                           \
      KEY_FREE("cache_implementation", "how results are kept for the next token"),                           \
      KEY_HELD("use_bidirectional_attention", "false", "attention to what follows is not evaluated")

/* Fields of model_family. */
#define GEMMA_MODEL                                                                                                  \
  LLAMA_DECODER, .keys = LLAMA_KEYS("hidden_activation"), .defaults = {.act = "gelu_pytorch_tanh", .epsilon = 1e-6}, \
                 .tokenizer = "GemmaTokenizer", .gain_from_one = true, .embedding_scaled = true, LLAMA_ATTENTION,    \
                 .feed_forward = {"mlp.up_proj", "mlp.down_proj", "pre_feedforward_layernorm"},                      \
                 .norm_behind = {"post_attention_layernorm", "post_feedforward_layernorm"}

#endif
