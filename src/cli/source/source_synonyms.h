/* The words that --synonyms lets stand in an input's places, and their hidden states. */
#ifndef ATTCERT_CLI_SOURCE_SOURCE_SYNONYMS_H
#define ATTCERT_CLI_SOURCE_SOURCE_SYNONYMS_H

#include "cli/source/network_source.h"

/* source->synonyms and source->choices, of the tokens that source->x comes from. Errors: ATTCERT_INPUT,
 * ATTCERT_RESOURCE. */
attcert_status source_synonyms_read(network_source *source, const model *m, const int *ids, const cli_options *options,
                                    attcert_error *err);

#endif
