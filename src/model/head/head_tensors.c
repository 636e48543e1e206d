#include "model/head/head_tensors.h"

#include "model/family/families.h"
#include "model/model_parts.h"

#include <stdio.h>
#include <string.h>

/* Whether the head reads what a row of the family's list names. */
static bool reads(const model_head *head, const unread_tensor *row) {
  if (row->content == TENSOR_TIED) return head->kind == HEAD_NEXT_TOKEN;
  return strcmp(row->name, head->classifier) == 0 ||
         (head->mapped && strcmp(row->name, head->family->sequence.map) == 0);
}

/* Of another head: an affine map, or the weight of one that predicts words. */
static attcert_status refuse_others(const model_head *head, const model *m, attcert_error *err) {
  char weight[TENSOR_NAME_SIZE], text[MODEL_HEAD_TEXT_SIZE];
  const tensor_source source = tensor_source_beside(&m->source);
  for (const unread_tensor *row = head->family->unread; row->name != NULL; row++) {
    if (row->place != TENSOR_OF_HEAD || (row->form != TENSOR_MAP && row->content != TENSOR_TIED)) continue;
    snprintf(weight, sizeof weight, "%s%s", row->name, row->form == TENSOR_MAP ? ".weight" : "");
    if (reads(head, row) || !tensor_source_stores(&source, weight)) continue;
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
  const char *const alias = family_alias(head->family);
  if (!head->of_model && !tensor_source_stores(&source, alias))
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: key 'tie_word_embeddings' is false, and there is no tensor %s, expected what scores the "
                        "next token",
                        m->file.path, alias);
  if (!m->embeddings)
    return attcert_fail(err, ATTCERT_INPUT, "%s: no tensor %s, expected the word table that scores the next token",
                        m->spec, head->family->word_table);
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
    tensor_name(name, head->family->sequence.map, "weight");
    status = tensor_source_check_shape(head->family->sequence.map_of_model ? &m->source : &beside, name, d, d, err);
  }
  tensor_name(name, head->classifier, "weight");
  return status == ATTCERT_OK ? tensor_source_shape(rows, &cols, &beside, name, err) : status;
}
