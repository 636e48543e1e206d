/* The tokens that --words names. */
#ifndef ATTCERT_RUN_RUN_WORDS_H
#define ATTCERT_RUN_RUN_WORDS_H

#include "attcert.h"

/* *moves = NULL for "all", else an array of `tokens` marks, true for the tokens of a list such as 0,2, which free
 * releases. Errors: ATTCERT_INPUT (an empty list, no index, one twice or outside of the sequence), ATTCERT_RESOURCE. */
attcert_status run_words_read(bool **moves, const char *text, int tokens, attcert_error *err);

#endif
