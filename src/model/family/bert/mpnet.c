/* MPNet: BERT without token types, with scores biased by position, one table for all layers. K. Song et al., 2020. */
#include "model/family/bert/bert_like.h"

enum { BUCKETS = 32, DISTANCE = 128 };

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  config->position_buckets = BUCKETS;
  config->position_distance = DISTANCE;
  return bert_check_padded(config, file, err);
}

const model_family family_mpnet = {
    .type = {{"mpnet", "MPNet"}},
    .heads = bert_heads,
    .tokenizer = "MPNetTokenizer",
    .keys = {BERT_KEYS, NULL, false},
    .other_keys =
        (const config_key[]){KEY_NO_DECODER,
                             KEY_HELD("relative_attention_num_buckets", "32", "its class has 32 in any case"), KEY_END},
    .defaults = {.act = "gelu", .epsilon = 1e-12, .padding = 1},
    .check = check,
    .prefix = "mpnet.",
    .word_table = "embeddings.word_embeddings.weight",
    .position_table = "embeddings.position_embeddings.weight",
    .embedding_norm = "embeddings.LayerNorm",
    .blocks = "encoder.layer.",
    .attention = {"attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o",
                  "attention.LayerNorm"},
    .position_bias = "encoder.relative_attention_bias.weight",
    .feed_forward = {"intermediate.dense", "output.dense", "output.LayerNorm"},
    .sequence = {.classifier = "classifier.out_proj", .map = "classifier.dense", .curve = &curve_tanh},
    BERT_LM_WORDS,
    .unread =
        (const unread_tensor[]){
            BERT_TWO_MAPS,
            BERT_TENSORS,
            BERT_LM_HEAD,
            TENSOR_END,
        },
};
