/* What GPT-2 and the decoders after it share: pre-LayerNorm blocks under the causal mask, a word table that scores the
 * next token. */
#ifndef ATTCERT_MODEL_FAMILY_GPT_GPT_LIKE_H
#define ATTCERT_MODEL_FAMILY_GPT_GPT_LIKE_H

#include "model/family/families.h"

/* Fields of model_family: of decoders; and of those with GPT-2's names. */
#define GPT_DECODER_PARTS .norm_first = true, .decoder = true, .sequence = {.classifier = "score"}
#define GPT_DECODER GPT_DECODER_PARTS, .tokenizer = "GPT2Tokenizer"
#define GPT_NAMES                                                                                       \
  .prefix = "transformer.", .word_table = "wte.weight", .position_table = "wpe.weight", .blocks = "h.", \
  .feed_forward = {"mlp.c_fc", "mlp.c_proj", "ln_2"}, .final_norm = "ln_f"

/* Classes: the one that predicts words by this name. */
#define GPT_HEADS(words)                                                                      \
  HEAD_CLASS(words, HEAD_NEXT_TOKEN), HEAD_CLASS("ForSequenceClassification", HEAD_SEQUENCE), \
      HEAD_CLASS("Model", HEAD_NONE)

/* A row of keys. */
#define GPT_OTHER_KEYS KEY_FREE("is_decoder", "its mask is causal in any case")

/* Rows of tensors: heads of all; the buffers of attention, under this name in a block. */
#define GPT_TENSORS \
  TENSOR_HEAD(TENSOR_MAP, "qa_outputs", TENSOR_ANSWERS), TENSOR_HEAD(TENSOR_MAP, "score", TENSOR_LABELS)
#define GPT_MASK(attention)                                                                     \
  TENSOR_BUFFER(TENSOR_OF_BLOCK, TENSOR_MASK, attention ".bias", "the causal mask, made anew"), \
      TENSOR_BUFFER(TENSOR_OF_BLOCK, TENSOR_MINUS_BIG, attention ".masked_bias",                \
                    "what masked scores become: weight 0")

#endif
