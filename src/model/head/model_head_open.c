/* Which head a model has, by config.json and its tensors. */
#include "model/family/families.h"
#include "model/head/head_class.h"
#include "model/head/head_config.h"
#include "model/head/head_tensors.h"
#include "model/head/model_head.h"
#include "model/model_parts.h"

#include <stdio.h>
#include <string.h>

enum { RANDOM_LABELS = 2 };

/* ---- which head it is -------------------------------------------------------------------------------------------- */

/* The kind of the class of that name, which has a head. */
static attcert_status find_asked(head_kind *kind, const model *m, const char *name, attcert_error *err) {
  char list[HEAD_CLASSES_TEXT_SIZE];
  if (head_class_find(kind, m->config.family, name) && *kind != HEAD_NONE) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "--architecture: %s is '%s', expected %s", m->spec, name,
                      head_class_list(list, m->config.family));
}

/* The kind of the class that config.json names. */
static attcert_status find_named(head_kind *kind, const model *m, const char *name, attcert_error *err) {
  char list[HEAD_CLASSES_TEXT_SIZE];
  if (head_class_find(kind, m->config.family, name)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'architectures' is %s, whose head is not supported, expected %s",
                      m->file.path, name, head_class_list(list, m->config.family));
}

/* name: what config.json says, empty where it names none; asked: NULL, or what the caller does. */
static attcert_status choose_kind(head_kind *kind, const model *m, const char *name, const char *asked,
                                  attcert_error *err) {
  char list[HEAD_CLASSES_TEXT_SIZE];
  head_kind named = HEAD_NONE;
  *kind = m->config.family->heads[0].kind;
  attcert_status status = *name != '\0' ? find_named(&named, m, name, err) : ATTCERT_OK;
  if (status == ATTCERT_OK && asked != NULL) status = find_asked(kind, m, asked, err);
  if (status != ATTCERT_OK || *name == '\0') return status;
  if (asked != NULL && named != HEAD_NONE && named != *kind)
    return attcert_fail(err, ATTCERT_INPUT, "--architecture: '%s', expected %s, as %s says", asked, name, m->file.path);
  if (asked == NULL && named == HEAD_NONE)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: key 'architectures' is %s, which has no head, expected %s (--architecture names it)",
                        m->file.path, name, head_class_list(list, m->config.family));
  if (asked == NULL) *kind = named;
  return ATTCERT_OK;
}

/* ---- its labels -------------------------------------------------------------------------------------------------- */

static attcert_status check_problem(model_head *head, const model *m, head_problem problem, attcert_error *err) {
  static const char *const names[] = {
      [PROBLEM_MULTI_LABEL] = "multi_label_classification", [PROBLEM_REGRESSION] = "regression"};
  const bool several = problem == PROBLEM_MULTI_LABEL && head->kind == HEAD_SEQUENCE;
  head->each_sign = several;
  if (several || problem == PROBLEM_UNSAID || problem == PROBLEM_SINGLE_LABEL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'problem_type' is %s, expected single_label_classification%s",
                      m->file.path, names[problem],
                      head->kind == HEAD_SEQUENCE ? " or multi_label_classification" : " with a classifier of tokens");
}

static attcert_status check_labels(const model_head *head, const model *m, const head_config *config,
                                   attcert_error *err) {
  if (head->labels < 2 && !head->each_sign)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: tensor '%s.weight' has %d row, a regression, expected at least 2, a row a label", m->spec,
                        head->classifier, head->labels);
  if (config->labels > 0 && config->labels != head->labels)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key 'num_labels' is %d, expected %d, a row of %s.weight each",
                        m->file.path, config->labels, head->labels, head->classifier);
  if (config->names.count > 0 && config->names.count != head->labels)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key 'id2label' has %d labels, expected %d, a row of %s.weight each",
                        m->file.path, config->names.count, head->labels, head->classifier);
  return ATTCERT_OK;
}

/* A classifier's labels, by the rows that are stored and by what the file says of them; the names move to the head. */
static attcert_status take_labels(model_head *head, const model *m, head_config *config, attcert_error *err) {
  attcert_status status = check_problem(head, m, config->problem, err);
  if (status == ATTCERT_OK) status = head_tensors_rows(&head->labels, head, m, err);
  if (status == ATTCERT_OK) status = check_labels(head, m, config, err);
  if (status != ATTCERT_OK) return status;
  head->names = config->names;
  config->names = (label_names){0};
  if (head->kind == HEAD_SEQUENCE && m->config.family->decoder) head->padding = config->padding;
  return ATTCERT_OK;
}

/* ---- opened ------------------------------------------------------------------------------------------------------ */

static const range_curve *sequence_curve(const model *m) {
  return m->config.head.curve != NULL ? m->config.head.curve : m->config.family->sequence.curve;
}

static const range_curve *masked_curve(const model *m) {
  if (m->config.words.curve != NULL) return m->config.words.curve;
  return m->config.family->masked.curve != NULL ? m->config.family->masked.curve : m->config.act;
}

/* What its parts are called. */
static void name_parts(model_head *head, const model *m) {
  const model_family *const family = m->config.family;
  const bool next = head->kind == HEAD_NEXT_TOKEN, sequence = head->kind == HEAD_SEQUENCE;
  const bool masked = head->kind == HEAD_MASKED, words = next || masked;
  head->family = family;
  head->map = masked ? family->masked.map : family->sequence.map;
  head->norm = masked ? family->masked.norm : family->sequence.norm;
  head->map_of_model = !masked && family->sequence.map_of_model;
  head->map_cols = masked ? m->config.embedding_dim : m->config.dim;
  head->mapped = head->map != NULL && (sequence || masked || (!next && family->sequence.of_tokens));
  head->mean = sequence && m->config.head.mean;
  head->joined = head->mean && m->config.head.joined;
  head->from = m->config.head.from;
  head->map_biased = masked ? !m->config.words.map_unbiased : !m->config.head.map_unbiased;
  head->curve = masked ? masked_curve(m) : sequence_curve(m);
  head->biased = masked ? !m->config.words.unbiased : !next && !(sequence && family->decoder);
  head->of_model = words && m->config.tied;
  head->cap = next ? m->config.word_cap : 0.0;
  const char *const table = head->of_model ? family->word_table : family_alias(family);
  if (words)
    snprintf(head->classifier, sizeof head->classifier, "%.*s", (int)(strlen(table) - strlen(".weight")), table);
  else
    snprintf(head->classifier, sizeof head->classifier, "%s", sequence ? family->sequence.classifier : "classifier");
}

/* The head of that kind, by the tensors and the labels. */
static attcert_status take_parts(model_head *head, const model *m, head_config *config, attcert_error *err) {
  name_parts(head, m);
  const attcert_status status = head_tensors_check(head, m, err);
  if (status != ATTCERT_OK || (head->kind != HEAD_NEXT_TOKEN && head->kind != HEAD_MASKED))
    return status == ATTCERT_OK ? take_labels(head, m, config, err) : status;
  head->labels = m->config.vocabulary;
  return ATTCERT_OK;
}

/* Adds to the message that the kind was not named. */
static attcert_status explain_guess(const model *m, attcert_error *err) {
  char list[HEAD_CLASSES_TEXT_SIZE], message[512] = "";
  if (err != NULL) snprintf(message, sizeof message, "%.500s", err->message);
  return attcert_fail(err, ATTCERT_INPUT, "%s; key 'architectures' of config.json names no class, expected %s", message,
                      head_class_list(list, m->config.family));
}

static attcert_status open_stored(model_head *head, const model *m, const char *architecture, attcert_error *err) {
  head_config config;
  attcert_status status = head_config_read(&config, &m->file, m->config.family, err);
  if (status == ATTCERT_OK) status = choose_kind(&head->kind, m, config.architecture, architecture, err);
  if (status == ATTCERT_OK) {
    status = take_parts(head, m, &config, err);
    if (status == ATTCERT_INPUT && architecture == NULL && config.architecture[0] == '\0')
      status = explain_guess(m, err);
  }
  label_names_clear(&config.names);
  return status;
}

/* Whether one of the family's classes is computed with its head. */
static bool has_head(const model_family *family) {
  const family_head *class = family->heads;
  while (class->end != NULL && class->kind == HEAD_NONE) class ++;
  return class->end != NULL;
}

attcert_status model_head_open(model_head *head, const model *m, const char *architecture, attcert_error *err) {
  *head = (model_head){.padding = -1};
  if (!has_head(m->config.family))
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: no head of a %s is evaluated, expected a command of its layers, such as certify with "
                        "--function network",
                        m->spec, m->config.type);
  if (m->files != NULL) return open_stored(head, m, architecture, err);
  if (architecture != NULL)
    return attcert_fail(err, ATTCERT_INPUT, "--architecture: %s is a random model, expected a folder with it", m->spec);
  head->kind = m->config.family->decoder ? HEAD_NEXT_TOKEN : HEAD_SEQUENCE;
  name_parts(head, m);
  head->labels = m->config.family->decoder ? m->config.vocabulary : RANDOM_LABELS;
  return ATTCERT_OK;
}
