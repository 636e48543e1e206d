/* The tokens that --words names. */
#ifndef ATTCERT_RUN_RUN_WORDS_H
#define ATTCERT_RUN_RUN_WORDS_H

#include "report/token_list.h"

/* *moves = NULL for "all", else an array of `tokens` marks, true for the tokens of a list such as 0,movie,"7", which
 * free releases. A number is a place from 0; anything else, and what stands in double quotes (one inside is written
 * twice), is a word that occurs once (run_word.h). list: the tokens, or an empty one. Errors: ATTCERT_INPUT (an empty
 * list, one twice or outside of the sequence, no such word, or several), ATTCERT_RESOURCE. */
attcert_status run_words_read(bool **moves, const char *text, int tokens, const token_list *list, attcert_error *err);

#endif
