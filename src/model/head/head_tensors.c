#include "model/head/head_tensors.h"

#include "base/arrays.h"
#include "model/head/model_head_source.h"
#include "model/model_parts.h"

#include <stdio.h>
#include <stdlib.h>
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
  char outer[TENSOR_NAME_SIZE], weight[TENSOR_NAME_SIZE], text[MODEL_HEAD_TEXT_SIZE];
  tensor_source source;
  model_head_source(&source, outer, m, false);
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

/* lm_head beside the word table that it is tied to. */
static attcert_status check_alias(const model *m, attcert_error *err) {
  static const char alias[] = "lm_head.weight";
  const int d = m->config.dim, words = m->config.vocabulary;
  char outer[TENSOR_NAME_SIZE];
  tensor_source source;
  model_head_source(&source, outer, m, false);
  if (!tensor_source_stores(&source, alias)) return ATTCERT_OK;
  attcert_status status = tensor_source_check_shape(&source, alias, words, d, err);
  if (status != ATTCERT_OK) return status;
  double *const row = array_new(2 * (size_t)d, sizeof *row, err, "two rows of a word table");
  if (row == NULL) return ATTCERT_RESOURCE;
  for (int i = 0; i < words && status == ATTCERT_OK; i++) {
    status = tensor_source_row(row, &m->source, m->family->word_table, i, d, err);
    if (status == ATTCERT_OK) status = tensor_source_row(row + d, &source, alias, i, d, err);
    if (status == ATTCERT_OK && memcmp(row, row + d, (size_t)d * sizeof *row) != 0)
      status = attcert_fail(err, ATTCERT_INPUT,
                            "%s: tensor '%s' differs from '%s' in row %d, expected the same numbers, or "
                            "\"tie_word_embeddings\": false in config.json",
                            m->spec, alias, m->family->word_table, i);
  }
  free(row);
  return status;
}

/* The scores of the next token. */
static attcert_status check_words(const model_head *head, const model *m, attcert_error *err) {
  char outer[TENSOR_NAME_SIZE];
  tensor_source source;
  model_head_source(&source, outer, m, false);
  if (!head->of_model && !tensor_source_stores(&source, "lm_head.weight"))
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: key 'tie_word_embeddings' is false, and there is no tensor lm_head.weight, expected "
                        "what scores the next token",
                        m->config_path);
  if (!m->embeddings)
    return attcert_fail(err, ATTCERT_INPUT, "%s: no tensor %s, expected the word table that scores the next token",
                        m->spec, m->family->word_table);
  return head->of_model ? check_alias(m, err) : ATTCERT_OK;
}

attcert_status head_tensors_check(const model_head *head, const model *m, attcert_error *err) {
  const attcert_status status = refuse_others(head, m, err);
  return status == ATTCERT_OK && head->kind == HEAD_NEXT_TOKEN ? check_words(head, m, err) : status;
}

attcert_status head_tensors_rows(int *rows, const model_head *head, const model *m, attcert_error *err) {
  char outer[TENSOR_NAME_SIZE], name[TENSOR_NAME_SIZE];
  const int d = m->config.dim;
  int cols;
  tensor_source source;
  attcert_status status = ATTCERT_OK;
  if (head->mapped) {
    model_head_source(&source, outer, m, m->family->head_map_of_model);
    tensor_name(name, m->family->head_map, "weight");
    status = tensor_source_check_shape(&source, name, d, d, err);
  }
  model_head_source(&source, outer, m, false);
  tensor_name(name, head->classifier, "weight");
  return status == ATTCERT_OK ? tensor_source_shape(rows, &cols, &source, name, err) : status;
}
