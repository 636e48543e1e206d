/* RoBERTa, XLM-RoBERTa, CamemBERT: BERT; the position table begins after the padding token's row. Y. Liu et al.,
 * 2019. */
#include "model/family/bert_like.h"

#include <limits.h>

/* Positions are counted from the row behind the padding token's on: of P rows, that leaves P - pad - 1 tokens. */
static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  int padding = config->family->defaults.padding;
  attcert_status status = bert_check(config, file, err);
  if (status == ATTCERT_OK) status = json_file_optional_int(&padding, file, "pad_token_id", 0, INT_MAX - 1, err);
  if (status != ATTCERT_OK || config->positions == 0) return status;
  config->padding = padding;
  config->first_position = padding + 1;
  config->positions -= config->first_position;
  if (config->positions > 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'max_position_embeddings' is %d, expected more than %d", file->path,
                      config->positions + config->first_position, config->first_position);
}

const model_family family_roberta = {
    .type = {{"roberta", "Roberta"}, {"xlm-roberta", "XLMRoberta"}, {"camembert", "Camembert"}},
    .heads = bert_heads,
    .tokenizer = "RobertaTokenizer",
    .keys = {BERT_KEYS, NULL, false},
    .other_keys = (const config_key[]){BERT_OTHER_KEYS, KEY_END},
    .defaults = {.act = "gelu", .epsilon = 1e-12, .padding = 1},
    .check = check,
    .prefix = "roberta.",
    BERT_EMBEDDINGS,
    BERT_BLOCKS,
    .sequence = {.classifier = "classifier.out_proj", .map = "classifier.dense", .curve = &curve_tanh},
    .unread =
        (const unread_tensor[]){
            BERT_TWO_MAPS,
            BERT_TENSORS,
            TENSOR_INNER(TENSOR_MAP, "pooler.dense", TENSOR_POOLER),
            TENSOR_HEAD(TENSOR_MAP, "lm_head.dense", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_NORM, "lm_head.layer_norm", TENSOR_WORDS),
            TENSOR_TIED_HEAD("lm_head.decoder.weight"),
            TENSOR_HEAD(TENSOR_ALONE, "lm_head.decoder.bias", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_ALONE, "lm_head.bias", TENSOR_WORDS),
            TENSOR_END,
        },
};
