/* The tokens that --text or --token-ids names. */
#ifndef ATTCERT_CLI_SOURCE_SOURCE_TOKENS_H
#define ATTCERT_CLI_SOURCE_SOURCE_TOKENS_H

#include "cli/options/options.h"
#include "model/tokenizer/tokenizer.h"
#include "report/subject.h"

/* *ids, which free releases in every case, and with their texts subject->input_tokens, whose count is theirs; the file
 * they are read from is recorded. t: of the text; NULL: there are ids, and no texts to show. network: a whole one,
 * whose texts get special tokens unless --special-tokens says otherwise, and are read whole without --tokens. Errors:
 * ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status source_tokens_read(int **ids, report_subject *subject, const tokenizer *t, const cli_options *options,
                                  bool network, attcert_error *err);

/* Whether special tokens go around a text: as --special-tokens says, else around those of a whole network, where the
 * tokenizer has any. Errors: ATTCERT_INPUT (asked for, and there are none). */
attcert_status source_tokens_special(bool *special, const tokenizer *t, const cli_options *options, bool network,
                                     attcert_error *err);

#endif
