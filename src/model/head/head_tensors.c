#include "model/head/head_tensors.h"

#include "base/arrays.h"
#include "model/family/families.h"
#include "model/model_parts.h"

#include <stdio.h>
#include <string.h>

/* Whether the head reads what a row of the family's list names, or has it beside it in any case. */
static bool reads(const model_head *head, const unread_tensor *row) {
  const char *const others = head->kind == HEAD_MASKED ? head->family->masked.others : NULL;
  if (row->content == TENSOR_TIED) return head->kind == HEAD_NEXT_TOKEN || head->kind == HEAD_MASKED;
  return strcmp(row->name, head->classifier) == 0 || (head->mapped && strcmp(row->name, head->map) == 0) ||
         (others != NULL && strcmp(row->name, others) == 0);
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

static const char *scored(const model_head *head) {
  return head->kind == HEAD_MASKED ? "masked token" : "next token";
}

/* The scores of words. */
static attcert_status check_words(const model_head *head, const model *m, attcert_error *err) {
  const tensor_source source = tensor_source_beside(&m->source);
  const char *const alias = family_alias(head->family);
  if (!head->of_model && !tensor_source_stores(&source, alias))
    return attcert_fail(
        err, ATTCERT_INPUT,
        "%s: key 'tie_word_embeddings' is false, and there is no tensor %s, expected what scores the %s", m->file.path,
        alias, scored(head));
  if (!m->embeddings)
    return attcert_fail(err, ATTCERT_INPUT, "%s: no tensor %s, expected the word table that scores the %s", m->spec,
                        head->family->word_table, scored(head));
  return ATTCERT_OK;
}

/* *agree: the tensors of both names hold the same numbers. */
static attcert_status compare(bool *agree, const char *one, const char *other, int count, const tensor_source *source,
                              attcert_error *err) {
  double *a, *b;
  const array_table table = {{ARRAY(a, (size_t)count), ARRAY(b, (size_t)count)}};
  attcert_status status = array_table_allocate(&table, err, "biases of %d words", count);
  if (status != ATTCERT_OK) return status;
  status = tensor_source_vector(a, source, one, count, err);
  if (status == ATTCERT_OK) status = tensor_source_vector(b, source, other, count, err);
  *agree = true;
  for (int k = 0; k < count && status == ATTCERT_OK; k++) *agree = *agree && a[k] == b[k];
  array_table_release(&table);
  return status;
}

/* The bias of words, under the name that is stored. */
static attcert_status find_bias(model_head *head, const model *m, attcert_error *err) {
  const tensor_source source = tensor_source_beside(&m->source);
  const char *const name = head->family->masked.bias, *const alias = head->family->masked.bias_alias;
  const bool named = tensor_source_stores(&source, name), again = alias != NULL && tensor_source_stores(&source, alias);
  bool agree = true;
  head->bias = named ? name : alias;
  if (!named && !again)
    return attcert_fail(err, ATTCERT_INPUT, "%s: no tensor %s, expected the bias of the words' scores", m->spec, name);
  const attcert_status status =
      named && again ? compare(&agree, name, alias, m->config.vocabulary, &source, err) : ATTCERT_OK;
  if (status != ATTCERT_OK || agree) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: tensors '%s' and '%s' differ, expected the same numbers", m->spec, name,
                      alias);
}

/* A bias that is stored, but that the head of this configuration does not have. */
static attcert_status refuse_bias(const char *name, bool biased, const model *m, const tensor_source *source,
                                  attcert_error *err) {
  if (biased || !tensor_source_stores(source, name)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: tensor '%s' is stored, but config.json says there is none, expected both "
                      "to agree",
                      m->spec, name);
}

/* Those before the classifier, or the scores of words. */
static attcert_status check_map(const model_head *head, const model *m, attcert_error *err) {
  char name[TENSOR_NAME_SIZE];
  const tensor_source beside = tensor_source_beside(&m->source);
  const tensor_source *const source = head->map_of_model ? &m->source : &beside;
  tensor_name(name, head->map, "weight");
  attcert_status status = tensor_source_check_shape(source, name, head->map_cols, m->config.dim, err);
  tensor_name(name, head->map, "bias");
  if (status == ATTCERT_OK) status = refuse_bias(name, head->map_biased, m, source, err);
  if (status != ATTCERT_OK || head->norm == NULL) return status;
  tensor_name(name, head->norm, "bias");
  return refuse_bias(name, m->config.norm_biases, m, &beside, err);
}

/* Whether it is the one that predicts words, and its map and bias. */
static attcert_status check_masked(model_head *head, const model *m, attcert_error *err) {
  const tensor_source beside = tensor_source_beside(&m->source);
  if (m->config.words.other != NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %s", m->file.path, m->config.words.other);
  const attcert_status status = check_map(head, m, err);
  if (status != ATTCERT_OK) return status;
  return head->biased ? find_bias(head, m, err) : refuse_bias(head->family->masked.bias, false, m, &beside, err);
}

attcert_status head_tensors_check(model_head *head, const model *m, attcert_error *err) {
  const bool masked = head->kind == HEAD_MASKED;
  attcert_status status = refuse_others(head, m, err);
  if (status == ATTCERT_OK && (masked || head->kind == HEAD_NEXT_TOKEN)) status = check_words(head, m, err);
  return status == ATTCERT_OK && masked ? check_masked(head, m, err) : status;
}

attcert_status head_tensors_rows(int *rows, const model_head *head, const model *m, attcert_error *err) {
  char name[TENSOR_NAME_SIZE];
  int cols;
  const tensor_source beside = tensor_source_beside(&m->source);
  const attcert_status status = head->mapped ? check_map(head, m, err) : ATTCERT_OK;
  tensor_name(name, head->classifier, "weight");
  return status == ATTCERT_OK ? tensor_source_shape(rows, &cols, &beside, name, err) : status;
}
