/* Which tokens a word is. */
#ifndef ATTCERT_RUN_RUN_WORD_H
#define ATTCERT_RUN_RUN_WORD_H

#include "report/token_list.h"

/* The tokens *first .. *last whose text is the word: one token as reports show it, with or without the mark of a space
 * before it (that of GPT-2 or of SentencePiece), or all pieces of a word that was split, without the marks between
 * them. Errors: ATTCERT_INPUT where no token is the word, where the texts are not known, or where it occurs more than
 * once; the message has the places. */
attcert_status run_word_find(int *first, int *last, const token_list *list, const char *word, attcert_error *err);

/* Whether token i is a word of its own, no part of one of several tokens. */
bool run_word_is_whole(const token_list *list, int i);

/* What the text has before token i, as far as the token says so itself: " ", or "". */
const char *run_word_space(const token_list *list, int i);

#endif
