/* What one asks of a head that is open. */
#include "model/head/model_head.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

model_head model_head_of_output(const char *name, int count) {
  model_head head = {.kind = HEAD_OUTPUT, .labels = count, .padding = -1};
  snprintf(head.classifier, sizeof head.classifier, "%s", name);
  return head;
}

void model_head_clear(model_head *head) {
  label_names_clear(&head->names);
}

attcert_status model_head_token(int *token, const model_head *head, int asked, int n, attcert_error *err) {
  char text[MODEL_HEAD_TEXT_SIZE];
  const bool any = head->kind == HEAD_TOKEN || head->kind == HEAD_MASKED;
  *token = any ? asked : head->family->decoder ? n - 1 : 0;
  if (!any && asked != HEAD_TOKEN_UNASKED)
    return attcert_fail(err, ATTCERT_INPUT, "--token: expected none with this head (%s)",
                        model_head_text(text, head, *token));
  if (head->mean && n <= head->from)
    return attcert_fail(err, ATTCERT_INPUT, "%d tokens, expected more than %d, of which the head (%s) reads the mean",
                        n, head->from, model_head_text(text, head, *token));
  if (*token >= 0 && *token < n) return ATTCERT_OK;
  if (asked == HEAD_TOKEN_UNASKED)
    return attcert_fail(err, ATTCERT_INPUT, "--token is missing, expected the token to classify, from 0 to %d", n - 1);
  return attcert_fail(err, ATTCERT_INPUT, "--token: expected an integer from 0 to %d, got '%d'", n - 1, asked);
}

attcert_status model_head_check_every(const model_head *head, attcert_error *err) {
  char text[MODEL_HEAD_TEXT_SIZE];
  if (head->kind != HEAD_SEQUENCE) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "--positions: expected last with this head (%s)",
                      model_head_text(text, head, HEAD_TOKEN_UNASKED));
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
