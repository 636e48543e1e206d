/* What BERT and its relatives share: post-LayerNorm blocks on sums of word, position and type embeddings. */
#ifndef ATTCERT_MODEL_FAMILY_BERT_BERT_LIKE_H
#define ATTCERT_MODEL_FAMILY_BERT_BERT_LIKE_H

#include "model/family/families.h"

/* The fields of family_keys up to epsilon. */
#define BERT_KEYS                                                                               \
  "hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size", "vocab_size", \
      "max_position_embeddings", "hidden_act", "layer_norm_eps"

/* Fields of model_family. */
#define BERT_EMBEDDINGS                                                                                         \
  .word_table = "embeddings.word_embeddings.weight", .position_table = "embeddings.position_embeddings.weight", \
  .type_table = "embeddings.token_type_embeddings.weight", .embedding_norm = "embeddings.LayerNorm"
#define BERT_BLOCKS                                                                                             \
  .blocks = "encoder.layer.",                                                                                   \
  .attention = {"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", \
                "attention.output.LayerNorm"},                                                                  \
  .feed_forward = {"intermediate.dense", "output.dense", "output.LayerNorm"}
extern const family_head bert_heads[]; /* of all */

/* Rows of keys: of token types; of those and a mask, which bert_check reads. */
#define BERT_TYPES KEY_FREE("type_vocab_size", "each token is of type 0, whose row is the stored one")
#define BERT_OTHER_KEYS BERT_TYPES, KEY_READ("is_decoder")

/* Rows of tensors: of all; of a classifier that has a map of its own before it; of a head of words "lm_head" beside
 * a pooler. */
#define BERT_TENSORS                                                                                           \
  TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS), TENSOR_HEAD(TENSOR_MAP, "qa_outputs", TENSOR_ANSWERS), \
      TENSOR_BUFFER(TENSOR_OF_MODEL, TENSOR_COUNTED, "embeddings.position_ids",                                \
                    "the numbers of the positions, counted anew"),                                             \
      TENSOR_BUFFER(TENSOR_OF_MODEL, TENSOR_ZERO, "embeddings.token_type_ids", "the tokens' types, all 0")
#define BERT_TWO_MAPS                                         \
  TENSOR_HEAD(TENSOR_MAP, "classifier.dense", TENSOR_LABELS), \
      TENSOR_HEAD(TENSOR_MAP, "classifier.out_proj", TENSOR_LABELS)
#define BERT_LM_HEAD                                                                                               \
  TENSOR_INNER(TENSOR_MAP, "pooler.dense", TENSOR_POOLER), TENSOR_HEAD(TENSOR_MAP, "lm_head.dense", TENSOR_WORDS), \
      TENSOR_HEAD(TENSOR_NORM, "lm_head.layer_norm", TENSOR_WORDS), TENSOR_TIED_HEAD("lm_head.decoder.weight"),    \
      TENSOR_HEAD(TENSOR_ALONE, "lm_head.decoder.bias", TENSOR_WORDS),                                             \
      TENSOR_HEAD(TENSOR_ALONE, "lm_head.bias", TENSOR_WORDS)

/* The head of those, of model_family's fields. */
#define BERT_LM_WORDS \
  .masked = {"lm_head.dense", "lm_head.layer_norm", "lm_head.bias", "lm_head.decoder.bias", .curve = &curve_gelu}

/* is_decoder only changes the mask, so it is honoured: it is the model "BERT as a decoder" of Castin et al. */
attcert_status bert_check(model_config *config, const json_file *file, attcert_error *err);

/* Positions are counted from the row behind the padding token's on: of P rows, that leaves P - pad - 1 tokens. */
attcert_status bert_check_padded(model_config *config, const json_file *file, attcert_error *err);

#endif
