/* The value of --token-ids: a list such as 101,7592,102, or the path of a file. */
#ifndef ATTCERT_CLI_OPTIONS_OPTION_TOKEN_IDS_H
#define ATTCERT_CLI_OPTIONS_OPTION_TOKEN_IDS_H

#include "cli/options/options.h"

/* Whether the text is meant as a list: it holds nothing but digits, signs, commas and spaces. */
bool option_token_ids_listed(const char *text);

/* The ids of a list: *ids is allocated, *count >= 1 its length. Errors: ATTCERT_INPUT (an id that is no integer from 0
 * to INT_MAX), ATTCERT_RESOURCE; *ids is then NULL. */
attcert_status option_token_ids_read(int **ids, int *count, const char *text, attcert_error *err);

/* A list has to be one. */
option_parser option_token_ids_value;

#endif
