#include "model/head/head_tensors.h"

#include "model/model_parts.h"

#include <string.h>

/* The affine maps of heads in transformers, of all families. */
static const char *const heads[] = {
    "classifier",
    "classifier.dense",
    "cls_classifier",
    "classifier.out_proj",
    "pre_classifier",
    "distillation_classifier",
    "qa_outputs",
    "discriminator_predictions.dense",
    "score",
    "generator_predictions.dense",
    "vocab_transform",
    "cls.predictions.transform.dense",
    "vocab_projector",
    "cls.seq_relationship",
    "predictions.dense",
    "multiple_choice_head.summary",
    "lm_head.dense",
    "sop_classifier.classifier",
    "lm_head",
};

static bool reads(const model_head *head, const model *m, const char *name) {
  if (strcmp(name, "lm_head") == 0) return head->kind == HEAD_NEXT_TOKEN;
  return strcmp(name, head->classifier) == 0 || (head->mapped && strcmp(name, m->family->head_map) == 0);
}

static attcert_status refuse_others(const model_head *head, const model *m, attcert_error *err) {
  char weight[TENSOR_NAME_SIZE], text[MODEL_HEAD_TEXT_SIZE];
  const tensor_source source = tensor_source_beside(&m->source);
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
    tensor_name(weight, heads[i], "weight");
    if (reads(head, m, heads[i]) || !tensor_source_stores(&source, weight)) continue;
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: tensor '%s' is of another head than %s, expected key 'architectures' of config.json to "
                        "name the model's class, and its tensors alone",
                        m->spec, weight, model_head_text(text, head, HEAD_TOKEN_UNASKED));
  }
  return ATTCERT_OK;
}

/* The scores of the next token. */
static attcert_status check_words(const model_head *head, const model *m, attcert_error *err) {
  const tensor_source source = tensor_source_beside(&m->source);
  if (!head->of_model && !tensor_source_stores(&source, "lm_head.weight"))
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: key 'tie_word_embeddings' is false, and there is no tensor lm_head.weight, expected "
                        "what scores the next token",
                        m->config_path);
  if (!m->embeddings)
    return attcert_fail(err, ATTCERT_INPUT, "%s: no tensor %s, expected the word table that scores the next token",
                        m->spec, m->family->word_table);
  return ATTCERT_OK;
}

attcert_status head_tensors_check(const model_head *head, const model *m, attcert_error *err) {
  const attcert_status status = refuse_others(head, m, err);
  return status == ATTCERT_OK && head->kind == HEAD_NEXT_TOKEN ? check_words(head, m, err) : status;
}

attcert_status head_tensors_rows(int *rows, const model_head *head, const model *m, attcert_error *err) {
  char name[TENSOR_NAME_SIZE];
  const int d = m->config.dim;
  int cols;
  const tensor_source beside = tensor_source_beside(&m->source);
  attcert_status status = ATTCERT_OK;
  if (head->mapped) {
    tensor_name(name, m->family->head_map, "weight");
    status = tensor_source_check_shape(m->family->head_map_of_model ? &m->source : &beside, name, d, d, err);
  }
  tensor_name(name, head->classifier, "weight");
  return status == ATTCERT_OK ? tensor_source_shape(rows, &cols, &beside, name, err) : status;
}
