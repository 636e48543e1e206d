/* ELECTRA: BERT; embeddings of their own width. K. Clark et al., 2020. */
#include "model/family/bert/bert_like.h"

const model_family family_electra = {
    .type = {{"electra", "Electra"}},
    .heads = bert_heads,
    .tokenizer = "ElectraTokenizer",
    .keys = {BERT_KEYS, "embedding_size", false},
    .other_keys = (const config_key[]){BERT_OTHER_KEYS, KEY_END},
    .defaults = {.act = "gelu", .epsilon = 1e-12, .embedding_dim = 128},
    .check = bert_check,
    .prefix = "electra.",
    BERT_EMBEDDINGS,
    .embedding_map = "embeddings_project",
    BERT_BLOCKS,
    .sequence = {.classifier = "classifier.out_proj", .map = "classifier.dense", .curve = &curve_gelu},
    .masked = {"generator_predictions.dense", "generator_predictions.LayerNorm", "generator_lm_head.bias",
               .curve = &curve_gelu},
    .unread =
        (const unread_tensor[]){
            BERT_TWO_MAPS,
            BERT_TENSORS,
            TENSOR_HEAD(TENSOR_MAP, "discriminator_predictions.dense", TENSOR_PRETRAINING),
            TENSOR_HEAD(TENSOR_MAP, "discriminator_predictions.dense_prediction", TENSOR_PRETRAINING),
            TENSOR_HEAD(TENSOR_MAP, "generator_predictions.dense", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_NORM, "generator_predictions.LayerNorm", TENSOR_WORDS),
            TENSOR_TIED_HEAD("generator_lm_head.weight"),
            TENSOR_HEAD(TENSOR_ALONE, "generator_lm_head.bias", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_MAP, "sequence_summary.summary", TENSOR_LABELS),
            TENSOR_END,
        },
};
