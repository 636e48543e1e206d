/* The tokens of an input, for reports and for whoever names one by its text. Plain data. */
#ifndef ATTCERT_REPORT_TOKEN_LIST_H
#define ATTCERT_REPORT_TOKEN_LIST_H

#include "attcert.h"

typedef struct {
  int id;
  char *text; /* as it is shown (token_text.h); NULL: not known */
} listed_token;

typedef struct {
  listed_token *token;
  int count;      /* 0: the input is not known as tokens */
  bool special;   /* special tokens were added to a text */
  bool wordpiece; /* a text that begins with ## continues the one before; any other begins a word */
} token_list;

/* Room for count >= 1 tokens, their texts unknown. Errors: ATTCERT_RESOURCE. token_list_clear is due in every case. */
attcert_status token_list_init(token_list *list, const int *ids, int count, attcert_error *err);
void token_list_clear(token_list *list);

/* What the vocabulary has for token i becomes its text, made fit to show; NULL: nothing. Errors: ATTCERT_RESOURCE. */
attcert_status token_list_set_text(token_list *list, int i, const char *piece, attcert_error *err);

/* *copy, which is empty, becomes what the list is. Errors: ATTCERT_RESOURCE; token_list_clear is due in every case. */
attcert_status token_list_copy(token_list *copy, const token_list *list, attcert_error *err);

#endif
