/* A head in words. */
#include "model/head/model_head.h"

#include <stdio.h>

static const char *kind_text(const model_head *head) {
  if (head->kind == HEAD_TOKEN) return "token classification";
  if (head->kind == HEAD_NEXT_TOKEN) return "next token";
  if (head->kind == HEAD_MASKED) return "masked token";
  return head->family->word_table == NULL ? "image classification" : "sequence classification";
}

/* Whose scores count. */
static void token_text(char text[32], const model_head *head, int token) {
  if (head->mean)
    snprintf(text, 32, "all tokens");
  else if (token != HEAD_TOKEN_UNASKED)
    snprintf(text, 32, "token %d", token);
  else
    snprintf(text, 32, "%s",
             head->kind == HEAD_TOKEN || head->kind == HEAD_MASKED ? "any token"
             : head->family->decoder                               ? "last token"
                                                                   : "token 0");
}

const char *model_head_text(char text[MODEL_HEAD_TEXT_SIZE], const model_head *head, int token) {
  const model_family *const family = head->family;
  if (head->kind == HEAD_OUTPUT) {
    snprintf(text, MODEL_HEAD_TEXT_SIZE, "output %.64s", head->classifier);
    return text;
  }
  char place[32], map[128] = "", cap[64] = "", mean[64] = "";
  token_text(place, head, token);
  if (head->mapped)
    snprintf(map, sizeof map, "%.40s, %s, %.40s%s", head->map, head->curve->name, head->norm != NULL ? head->norm : "",
             head->norm != NULL ? ", " : "");
  if (head->mean) snprintf(mean, sizeof mean, "mean, ");
  if (head->joined) snprintf(mean, sizeof mean, "token 0 beside the mean from token %d on, ", head->from);
  if (head->cap > 0.0) snprintf(cap, sizeof cap, ", scores before their cap at %g", head->cap);
  snprintf(text, MODEL_HEAD_TEXT_SIZE, "%s%s, %s: %s%s%s%s%.64s%s", head->each_sign ? "multi-label " : "",
           kind_text(head), place, family->final_norm != NULL ? family->final_norm : "",
           family->final_norm != NULL ? ", " : "", mean, map, head->classifier, cap);
  return text;
}
