/* The mask and the biases of pairs that --mask FILE.npy and --bias name. */
#ifndef ATTCERT_CLI_SOURCE_SOURCE_PAIRS_H
#define ATTCERT_CLI_SOURCE_SOURCE_PAIRS_H

#include "cli/options/options.h"
#include "network/attention/attention_pairs.h"
#include "report/subject.h"

typedef struct {
  bool *mask;
  double *bias;
  attention_pairs of; /* them */
} source_pairs;

/* Whether the options name any. */
bool source_pairs_asked(const cli_options *options);

/* Of n tokens that ask m keys; the files are recorded, and what they are is in subject->pairs. A mask (m) is of keys,
 * the same for every token; further shapes are (n, m) and (heads, n, m). source_pairs_clear is due in every case.
 * Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status source_pairs_read(source_pairs *pairs, report_subject *subject, int n, int m, const cli_options *options,
                                 attcert_error *err);

void source_pairs_clear(source_pairs *pairs);

#endif
