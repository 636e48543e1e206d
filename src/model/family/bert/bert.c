/* BERT. J. Devlin, M.-W. Chang, K. Lee, K. Toutanova, 2019. */
#include "model/family/bert/bert_like.h"

#include <limits.h>

const family_head bert_heads[] = {
    {"ForSequenceClassification", HEAD_SEQUENCE},
    {"ForTokenClassification", HEAD_TOKEN},
    {"ForMaskedLM", HEAD_MASKED},
    {"Model", HEAD_NONE},
    HEADS_END,
};

attcert_status bert_check(model_config *config, const json_file *file, attcert_error *err) {
  bool decoder = false;
  const attcert_status status = json_file_optional_bool(&decoder, file, "is_decoder", err);
  config->mask = decoder ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE;
  return status;
}

attcert_status bert_check_padded(model_config *config, const json_file *file, attcert_error *err) {
  int padding = config->family->defaults.padding;
  const attcert_status status = json_file_optional_int(&padding, file, "pad_token_id", 0, INT_MAX - 1, err);
  if (status != ATTCERT_OK || config->positions == 0) return status;
  config->padding = padding;
  config->first_position = padding + 1;
  config->positions -= config->first_position;
  if (config->positions > 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'max_position_embeddings' is %d, expected more than %d", file->path,
                      config->positions + config->first_position, config->first_position);
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
    .masked = {"cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm", "cls.predictions.bias",
               "cls.predictions.decoder.bias", .others = "cls.seq_relationship"},
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
