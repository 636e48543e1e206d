/* ALBERT: BERT; layers of one group share their tensors. Z. Lan et al., 2020. */
#include "model/family/bert/bert_like.h"

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  config->groups = 1;
  return json_file_optional_int(&config->groups, file, "num_hidden_groups", 1, config->layers, err);
}

const model_family family_albert = {
    .type = {{"albert", "Albert"}},
    .heads = bert_heads,
    .keys = {BERT_KEYS, "embedding_size", false},
    .other_keys =
        (const config_key[]){
            BERT_TYPES,
            KEY_READ("num_hidden_groups"),
            KEY_NO_DECODER,
            KEY_HELD("inner_group_num down_scale_factor", "1", KEY_OTHER_FORM),
            KEY_HELD("gap_size net_structure_type num_memory_blocks", "0", KEY_OTHER_FORM),
            KEY_HELD("layers_to_keep", "[]", KEY_OTHER_FORM),
            KEY_END,
        },
    .defaults = {.act = "gelu_new", .epsilon = 1e-12, .embedding_dim = 128},
    .check = check,
    .prefix = "albert.",
    BERT_EMBEDDINGS,
    .embedding_map = "encoder.embedding_hidden_mapping_in",
    .embedding_map_always = true,
    .blocks = "encoder.albert_layer_groups.",
    .attention = {"albert_layers.0.attention.query", "albert_layers.0.attention.key", "albert_layers.0.attention.value",
                  "albert_layers.0.attention.dense", "albert_layers.0.attention.LayerNorm"},
    .feed_forward = {"albert_layers.0.ffn", "albert_layers.0.ffn_output", "albert_layers.0.full_layer_layer_norm"},
    .sequence = {.classifier = "classifier", .map = "pooler", .curve = &curve_tanh, .map_of_model = true},
    .masked = {"predictions.dense", "predictions.LayerNorm", "predictions.bias", "predictions.decoder.bias",
               .others = "sop_classifier.classifier"},
    .unread =
        (const unread_tensor[]){
            BERT_TENSORS,
            TENSOR_INNER(TENSOR_MAP, "pooler", TENSOR_POOLER),
            TENSOR_HEAD(TENSOR_MAP, "predictions.dense", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_NORM, "predictions.LayerNorm", TENSOR_WORDS),
            TENSOR_TIED_HEAD("predictions.decoder.weight"),
            TENSOR_HEAD(TENSOR_ALONE, "predictions.decoder.bias", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_ALONE, "predictions.bias", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_MAP, "sop_classifier.classifier", TENSOR_PRETRAINING),
            TENSOR_END,
        },
};
