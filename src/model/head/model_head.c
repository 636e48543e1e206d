#include "model/head/model_head.h"

#include "model/head/head_config.h"
#include "model/head/head_tensors.h"
#include "model/model_parts.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM_LABELS = 2 };

/* ---- which head it is -------------------------------------------------------------------------------------------- */

/* The keys of config.json, the file that the model was opened with. */
static attcert_status read_config(head_config *config, const model *m, attcert_error *err) {
  json_file file;
  *config = (head_config){.padding = -1};
  attcert_status status = json_file_open(&file, m->config_path, err);
  if (status != ATTCERT_OK) return status;
  if (strcmp(file.sha256, m->config.sha256) != 0)
    status = attcert_fail(err, ATTCERT_INPUT, "%s: the file changed, expected what it was when the model was opened",
                          m->config_path);
  if (status == ATTCERT_OK) status = head_config_read(config, &file, m->config.family, err);
  json_file_close(&file);
  return status;
}

/* The class of that name, with a head. */
static attcert_status find_asked(const head_architecture **found, const model *m, const char *name,
                                 attcert_error *err) {
  char list[HEAD_ARCHITECTURES_TEXT_SIZE];
  *found = head_architecture_find(m->config.family, name);
  if (*found != NULL && (*found)->kind != HEAD_NONE) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "--architecture: %s is '%s', expected %s", m->spec, name,
                      head_architecture_list(list, m->config.family));
}

/* *found: what config.json names, NULL where it names none. */
static attcert_status find_named(const head_architecture **found, const model *m, const char *name,
                                 attcert_error *err) {
  char list[HEAD_ARCHITECTURES_TEXT_SIZE];
  *found = NULL;
  if (name[0] == '\0') return ATTCERT_OK;
  *found = head_architecture_find(m->config.family, name);
  if (*found != NULL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'architectures' is %s, whose head is not supported, expected %s",
                      m->config_path, name, head_architecture_list(list, m->config.family));
}

static attcert_status choose_kind(head_kind *kind, const model *m, const char *name, const char *asked,
                                  attcert_error *err) {
  const head_architecture *named = NULL, *chosen = NULL;
  char list[HEAD_ARCHITECTURES_TEXT_SIZE];
  attcert_status status = find_named(&named, m, name, err);
  if (status == ATTCERT_OK && asked != NULL) status = find_asked(&chosen, m, asked, err);
  if (status != ATTCERT_OK) return status;
  const bool bare = named != NULL && named->kind == HEAD_NONE;
  if (asked != NULL && named != NULL && !bare && named->kind != chosen->kind)
    return attcert_fail(err, ATTCERT_INPUT, "--architecture: '%s', expected %s, as %s says", asked, name,
                        m->config_path);
  if (asked == NULL && bare)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: key 'architectures' is %s, which has no head, expected %s (--architecture names it)",
                        m->config_path, name, head_architecture_list(list, m->config.family));
  if (asked == NULL) chosen = named;
  *kind = chosen != NULL ? chosen->kind : m->family->decoder ? HEAD_NEXT_TOKEN : HEAD_SEQUENCE;
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
                      m->config_path, names[problem],
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
                        m->config_path, config->labels, head->labels, head->classifier);
  if (config->names.count > 0 && config->names.count != head->labels)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key 'id2label' has %d labels, expected %d, a row of %s.weight each",
                        m->config_path, config->names.count, head->labels, head->classifier);
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
  if (head->kind == HEAD_SEQUENCE && m->family->decoder) head->padding = config->padding;
  return ATTCERT_OK;
}

/* ---- opened ------------------------------------------------------------------------------------------------------ */

/* What its parts are called. */
static void name_parts(model_head *head, const model *m) {
  const transformer *const family = m->family;
  const bool next = head->kind == HEAD_NEXT_TOKEN, sequence = head->kind == HEAD_SEQUENCE;
  head->family = m->config.family;
  head->mapped = sequence && family->head_curve != NULL;
  head->biased = !next && !(sequence && family->decoder);
  head->of_model = next && m->config.tied;
  if (head->of_model)
    snprintf(head->classifier, sizeof head->classifier, "%.*s", (int)(strlen(family->word_table) - strlen(".weight")),
             family->word_table);
  else
    snprintf(head->classifier, sizeof head->classifier, "%s",
             next       ? "lm_head"
             : sequence ? family->classifier
                        : "classifier");
}

/* The head of that kind, by the tensors and the labels. */
static attcert_status take_parts(model_head *head, const model *m, head_config *config, attcert_error *err) {
  name_parts(head, m);
  const attcert_status status = head_tensors_check(head, m, err);
  if (status != ATTCERT_OK || head->kind != HEAD_NEXT_TOKEN)
    return status == ATTCERT_OK ? take_labels(head, m, config, err) : status;
  head->labels = m->config.vocabulary;
  return ATTCERT_OK;
}

/* Adds to the message that the kind was not named. */
static attcert_status explain_guess(const model *m, attcert_error *err) {
  char list[HEAD_ARCHITECTURES_TEXT_SIZE], message[512] = "";
  if (err != NULL) snprintf(message, sizeof message, "%.500s", err->message);
  return attcert_fail(err, ATTCERT_INPUT, "%s; key 'architectures' of config.json names no class, expected %s", message,
                      head_architecture_list(list, m->config.family));
}

static attcert_status open_stored(model_head *head, const model *m, const char *architecture, attcert_error *err) {
  head_config config;
  attcert_status status = read_config(&config, m, err);
  if (status == ATTCERT_OK) status = choose_kind(&head->kind, m, config.architecture, architecture, err);
  if (status == ATTCERT_OK) {
    status = take_parts(head, m, &config, err);
    if (status == ATTCERT_INPUT && architecture == NULL && config.architecture[0] == '\0')
      status = explain_guess(m, err);
  }
  label_names_clear(&config.names);
  return status;
}

attcert_status model_head_open(model_head *head, const model *m, const char *architecture, attcert_error *err) {
  *head = (model_head){.padding = -1};
  if (m->files != NULL) return open_stored(head, m, architecture, err);
  if (architecture != NULL)
    return attcert_fail(err, ATTCERT_INPUT, "--architecture: %s is a random model, expected a folder with it", m->spec);
  head->kind = m->family->decoder ? HEAD_NEXT_TOKEN : HEAD_SEQUENCE;
  name_parts(head, m);
  head->labels = m->family->decoder ? m->config.vocabulary : RANDOM_LABELS;
  return ATTCERT_OK;
}

void model_head_clear(model_head *head) {
  label_names_clear(&head->names);
}

/* ---- asked about ------------------------------------------------------------------------------------------------- */

attcert_status model_head_token(int *token, const model_head *head, int asked, int n, attcert_error *err) {
  char text[MODEL_HEAD_TEXT_SIZE];
  *token = head->kind == HEAD_TOKEN ? asked : transformer_families[head->family].decoder ? n - 1 : 0;
  if (head->kind != HEAD_TOKEN && asked != HEAD_TOKEN_UNASKED)
    return attcert_fail(err, ATTCERT_INPUT, "--token: expected none with this head (%s)",
                        model_head_text(text, head, *token));
  if (*token >= 0 && *token < n) return ATTCERT_OK;
  if (asked == HEAD_TOKEN_UNASKED)
    return attcert_fail(err, ATTCERT_INPUT, "--token is missing, expected the token to classify, from 0 to %d", n - 1);
  return attcert_fail(err, ATTCERT_INPUT, "--token: expected an integer from 0 to %d, got '%d'", n - 1, asked);
}

attcert_status model_head_check_tokens(const model_head *head, const int *tokens, int n, attcert_error *err) {
  for (int i = 0; i < n && head->padding >= 0; i++) {
    if (tokens[i] == head->padding)
      return attcert_fail(err, ATTCERT_INPUT,
                          "token %d of the input is %d, the padding (key 'pad_token_id'), expected none: %s classifies "
                          "the last token that is no padding",
                          i, tokens[i], head->classifier);
  }
  return ATTCERT_OK;
}

/* "of id2label", where labels have names. */
static attcert_status refuse_label(const model_head *head, const char *text, attcert_error *err) {
  return attcert_fail(err, ATTCERT_INPUT, "--label: expected a class from 0 to %d%s, got '%s'", head->labels - 1,
                      head->names.count > 0 ? " or its name" : "", text);
}

attcert_status model_head_label(int *label, const model_head *head, const char *text, attcert_error *err) {
  int number = -1, named = -1;
  char *end;
  if (isdigit((unsigned char)*text)) { /* strtol would take a space or a sign */
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (errno == 0 && *end == '\0' && value < head->labels) number = (int)value;
  }
  const int found = label_names_find(&named, &head->names, text);
  if (found > 1 || (found == 1 && number >= 0 && number != named))
    return attcert_fail(err, ATTCERT_INPUT, "--label: '%s' names several labels, expected the number of one", text);
  if (found == 0 && number < 0) return refuse_label(head, text, err);
  *label = found == 1 ? named : number;
  return ATTCERT_OK;
}
