#include "report/token_list.h"

#include "base/arrays.h"
#include "report/token_text.h"

#include <stdlib.h>
#include <string.h>

attcert_status token_list_init(token_list *list, const int *ids, int count, attcert_error *err) {
  *list = (token_list){0};
  list->token = array_new((size_t)count, sizeof *list->token, err, "a list of %d tokens", count);
  if (list->token == NULL) return ATTCERT_RESOURCE;
  list->count = count;
  for (int i = 0; i < count; i++) list->token[i] = (listed_token){ids[i], NULL};
  return ATTCERT_OK;
}

void token_list_clear(token_list *list) {
  for (int i = 0; i < list->count; i++) free(list->token[i].text);
  free(list->token);
  *list = (token_list){0};
}

attcert_status token_list_set_text(token_list *list, int i, const char *piece, attcert_error *err) {
  free(list->token[i].text);
  list->token[i].text = NULL;
  if (piece == NULL) return ATTCERT_OK;
  list->token[i].text = token_text_new(piece, err);
  return list->token[i].text != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
}

attcert_status token_list_copy(token_list *copy, const token_list *list, attcert_error *err) {
  *copy = (token_list){0};
  if (list->count == 0) return ATTCERT_OK;
  copy->token = array_new((size_t)list->count, sizeof *copy->token, err, "a list of %d tokens", list->count);
  if (copy->token == NULL) return ATTCERT_RESOURCE;
  copy->count = list->count;
  copy->special = list->special;
  copy->wordpiece = list->wordpiece;
  for (int i = 0; i < list->count; i++) {
    const char *const text = list->token[i].text;
    copy->token[i] = (listed_token){list->token[i].id, text != NULL ? strdup(text) : NULL};
    if (text != NULL && copy->token[i].text == NULL)
      return array_out_of_memory(err, strlen(text) + 1, "the text of a token");
  }
  return ATTCERT_OK;
}
