/* What the Qwen models share beside LLaMA: a window in the last layers, where use_sliding_window says so. */
#ifndef ATTCERT_MODEL_FAMILY_LLAMA_QWEN_LIKE_H
#define ATTCERT_MODEL_FAMILY_LLAMA_QWEN_LIKE_H

#include "model/family/llama/llama_like.h"

/* Reads heads, rotary positions, and which layers attend to a window alone. */
attcert_status qwen_read(model_config *config, const json_file *file, attcert_error *err);

#define QWEN_OTHER_KEYS                                                              \
  LLAMA_OTHER_KEYS, KEY_READ("use_sliding_window sliding_window max_window_layers"), \
      KEY_HELD("use_mrope", "false", "positions in several directions are not evaluated")

#endif
