/* BERT. J. Devlin, M.-W. Chang, K. Lee, K. Toutanova, 2019. */
#include "model/family/bert_like.h"

const family_head bert_heads[] = {
    {"ForSequenceClassification", HEAD_SEQUENCE},
    {"ForTokenClassification", HEAD_TOKEN},
    {"Model", HEAD_NONE},
    HEADS_END,
};

attcert_status bert_check(model_config *config, const json_file *file, attcert_error *err) {
  bool decoder = false;
  const attcert_status status = json_file_optional_bool(&decoder, file, "is_decoder", err);
  config->mask = decoder ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE;
  return status;
}

const model_family family_bert = {
    .type = {{"bert", "Bert"}},
    .heads = bert_heads,
    .tokenizer = "BertTokenizer",
    .keys = {BERT_KEYS, NULL, false},
    .other_keys =
        (const config_key[]){
            BERT_OTHER_KEYS,
            KEY_HELD("directionality", "\"bidi\"", KEY_OTHER_FORM),
            KEY_HELD("pooler_type", "\"first_token_transform\"", KEY_OTHER_FORM),
            KEY_FREE("pooler_fc_size pooler_num_attention_heads pooler_num_fc_layers pooler_size_per_head",
                     "of a pooler that no model class has"),
            KEY_END,
        },
    .defaults = {.act = "gelu", .epsilon = 1e-12},
    .check = bert_check,
    .prefix = "bert.",
    BERT_EMBEDDINGS,
    BERT_BLOCKS,
    .sequence = {.classifier = "classifier", .map = "pooler.dense", .curve = &curve_tanh, .map_of_model = true},
    .unread =
        (const unread_tensor[]){
            BERT_TENSORS,
            TENSOR_INNER(TENSOR_MAP, "pooler.dense", TENSOR_POOLER),
            TENSOR_HEAD(TENSOR_MAP, "cls.predictions.transform.dense", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_NORM, "cls.predictions.transform.LayerNorm", TENSOR_WORDS),
            TENSOR_TIED_HEAD("cls.predictions.decoder.weight"),
            TENSOR_HEAD(TENSOR_ALONE, "cls.predictions.decoder.bias", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_ALONE, "cls.predictions.bias", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_MAP, "cls.seq_relationship", TENSOR_PRETRAINING),
            TENSOR_END,
        },
    .random = {.vocabulary = 30522, .positions = 512, .padding = true}, /* BERT-base */
};
