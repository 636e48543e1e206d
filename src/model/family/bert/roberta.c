/* RoBERTa, XLM-RoBERTa, CamemBERT: BERT; the position table begins after the padding token's row. Y. Liu et al.,
 * 2019. */
#include "model/family/bert/bert_like.h"

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  const attcert_status status = bert_check(config, file, err);
  return status == ATTCERT_OK ? bert_check_padded(config, file, err) : status;
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
    BERT_LM_WORDS,
    .unread =
        (const unread_tensor[]){
            BERT_TWO_MAPS,
            BERT_TENSORS,
            BERT_LM_HEAD,
            TENSOR_END,
        },
};
