/* A token's text as it is shown: on one line, in UTF-8, without what moves a terminal's cursor or turns its letters. */
#ifndef ATTCERT_REPORT_TOKEN_TEXT_H
#define ATTCERT_REPORT_TOKEN_TEXT_H

#include "attcert.h"

/* A copy that free releases, NULL on failure (ATTCERT_RESOURCE). Control and format characters and line separators
 * become \n, \r, \t or \u{202e}, bytes that are no UTF-8 \xff; the rest stays as it is. */
char *token_text_new(const char *piece, attcert_error *err);

/* Columns that it takes on a terminal. */
int token_text_width(const char *text);

#endif
